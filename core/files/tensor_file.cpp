#include "core/files/tensor_file.h"

#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/error.h"

namespace vitrine {

namespace {

static_assert(std::endian::native == std::endian::little, "weight files are little-endian");

float from_f16(std::uint16_t h) {
    const std::uint32_t sign = static_cast<std::uint32_t>(h & 0x8000U) << 16;
    const std::uint32_t exponent = (h >> 10) & 0x1FU, fraction = h & 0x3FFU;
    if (exponent == 0) {
        const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 255U : exponent + 112U;
    return std::bit_cast<float>(sign | (wide << 23) | (fraction << 13));
}

float from_bf16(std::uint16_t b) { return std::bit_cast<float>(static_cast<std::uint32_t>(b) << 16); }

template <class Stored, class Convert>
void convert(std::span<const std::uint8_t> bytes, float* out, Convert to_float) {
    for (std::size_t i = 0; i < bytes.size() / sizeof(Stored); ++i) {
        Stored value;
        std::memcpy(&value, bytes.data() + i * sizeof(Stored), sizeof(Stored));
        out[i] = to_float(value);
    }
}

/// True if every number is finite: only then is Σ x · 0 equal to 0, and this sum vectorises.
bool all_finite(std::span<const float> values) {
    float zero = 0.0F;
#pragma omp simd reduction(+ : zero)
    for (std::size_t i = 0; i < values.size(); ++i) zero += values[i] * 0.0F;
    return zero == 0.0F;
}

}  // namespace

std::size_t bytes_of(TensorType type) {
    switch (type) {
        case TensorType::f64:
        case TensorType::i64: return 8;
        case TensorType::f32:
        case TensorType::i32: return 4;
        case TensorType::f16:
        case TensorType::bf16:
        case TensorType::i16: return 2;
        case TensorType::i8:
        case TensorType::u8:
        case TensorType::boolean: return 1;
    }
    return 1;
}

std::optional<std::size_t> count_of(std::span<const std::size_t> shape) {
    std::size_t count = 1;
    for (const std::size_t n : shape)
        if (__builtin_mul_overflow(count, n, &count)) return {};
    return count;
}

std::shared_ptr<const float> TensorFile::row(const std::string& tensor, std::size_t index) const {
    const std::shared_ptr<const float> whole = floats(tensor);
    const std::vector<std::size_t>& shape = entries_.at(tensor).shape;
    return {whole, whole.get() + index * count_of(std::span(shape).subspan(1)).value_or(0)};
}

void convert_numbers(TensorType type, std::span<const std::uint8_t> bytes, float* out, std::string_view file,
                     std::string_view tensor) {
    switch (type) {
        case TensorType::f64: return convert<double>(bytes, out, [](double x) { return static_cast<float>(x); });
        case TensorType::f32: return convert<float>(bytes, out, [](float x) { return x; });
        case TensorType::f16: return convert<std::uint16_t>(bytes, out, from_f16);
        case TensorType::bf16: return convert<std::uint16_t>(bytes, out, from_bf16);
        default:
            throw Error(std::string(file) + ": tensor \"" + std::string(tensor) +
                        "\" holds whole numbers, not weights; save it as F32 or F16");
    }
}

void require_finite(std::span<const float> numbers, std::string_view file, std::string_view tensor) {
    if (!all_finite(numbers))
        throw Error(
            std::string(file) + ": tensor \"" + std::string(tensor) +
            "\" holds NaN or infinite numbers; the training that made it diverged, so use an earlier checkpoint");
}

std::string some_of(std::span<const std::string> names) {
    constexpr std::size_t most = 4;
    std::string words;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i) {
        const bool last = i + 1 == names.size() && i > 0;
        words += (i == 0 ? "\"" : last ? " and \"" : ", \"") + names[i] + "\"";
    }
    if (names.size() > most) words += " and " + std::to_string(names.size() - most) + " more";
    return words;
}

}  // namespace vitrine
