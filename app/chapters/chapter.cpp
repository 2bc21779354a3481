#include "app/chapters/chapter.h"

#include "app/ui/text.h"
#include "app/ui/widgets/number.h"

namespace vitrine {

Fact number_fact(const std::string& label, double value) { return {label, number_text(value), full_text(value)}; }

Fact shape_fact(const std::string& label, std::initializer_list<int> shape) {
    std::string words = "(";
    for (const int n : shape) words += (words.size() > 1 ? ", " : "") + count_text(n);
    return {label, words + ")", {}};
}

const std::string& equation_words(const Text& text, const std::string& id, const std::string& usual_key) {
    const std::string own = "equation." + id + "_words";
    return text(text.has(own) ? own : usual_key);
}

}  // namespace vitrine
