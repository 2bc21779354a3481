#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "core/files/safetensors.h"

namespace vitrine {

inline const std::filesystem::path golden_folder = VITRINE_GOLDEN;

/// The largest difference of two tensors, relative to the largest expected magnitude.
inline double difference(const float* got, const float* expected, std::size_t count) {
    double worst = 0, largest = 1e-6;
    for (std::size_t i = 0; i < count; ++i) {
        worst = std::max(worst, std::isfinite(got[i])
                                    ? std::abs(static_cast<double>(got[i]) - static_cast<double>(expected[i]))
                                    : 1e30);
        largest = std::max(largest, std::abs(static_cast<double>(expected[i])));
    }
    return worst / largest;
}

/// Tensors written by a script of tests/golden.
class GoldenFile {
public:
    explicit GoldenFile(const std::string& name) : file_(Safetensors::open(golden_folder / name)) {}

    std::span<const float> operator[](const std::string& tensor) {
        std::shared_ptr<const float>& numbers = kept_[tensor];  // the same address on every call
        if (!numbers) numbers = file_.floats(tensor);
        return {numbers.get(), file_.entries().at(tensor).bytes / sizeof(float)};
    }
    const Safetensors& file() const { return file_; }

private:
    Safetensors file_;
    std::map<std::string, std::shared_ptr<const float>> kept_;
};

}  // namespace vitrine
