#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/widgets/number.h"
#include "core/tensor/tensor.h"
#include "tests/ui/harness.h"

namespace vitrine {

using Numbers = std::vector<double>;

inline std::string answer_of(Harness& h, std::string_view id) {
    go_to(h, id);
    h.door().state.answer_shown = true;
    h.frame(3);
    return h.item("answer").text;
}

inline bool done(Harness& h) {
    h.settle();
    h.frame(3);
    return h.item("question").value == 1;
}

inline void expect_says(const std::string& answer, const std::string& words) {
    EXPECT_NE(answer.find(words), std::string::npos) << "'" << answer << "' does not say " << words;
}
/// Sums in another order may fall on the other side of where the last digit changes.
inline void expect_says(const std::string& answer, double number) {
    for (const double near : {number * (1 - 3e-4), number * (1 + 3e-4)})
        if (answer.find(number_text(near)) != std::string::npos) return;
    expect_says(answer, number_text(number));
}

inline void switch_on(Harness& h, const WhatIfs& what_ifs) {
    h.change()->what_ifs = what_ifs;
    h.settle();
    h.frame(3);
}

template <class Row>
inline Numbers numbers(const Row* row, std::size_t count) {
    return {row, row + count};
}
inline Numbers row(const Tensor2& t, std::size_t i) { return numbers(&t(i, 0), t.shape()[1]); }
inline double product_of(const Numbers& a, const Numbers& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}
inline double cosine_of(const Numbers& a, const Numbers& b) {
    return product_of(a, b) / std::sqrt(product_of(a, a) * product_of(b, b));
}
inline int first_largest(const Numbers& a) {
    return static_cast<int>(std::max_element(a.begin(), a.end()) - a.begin());
}

}  // namespace vitrine
