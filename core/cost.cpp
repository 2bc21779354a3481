#include "core/cost.h"

namespace vitrine {

Cost cost_of(const Shape& s) {
    const std::int64_t l = s.blocks, d = s.width, m = s.hidden, n = s.tokens(), h = s.heads, classes = s.classes;
    const std::int64_t patch = static_cast<std::int64_t>(s.channels) * s.patch * s.patch;
    const std::int64_t qkv = 3 * d * d + (s.qkv_bias ? 3 * d : 0);
    const std::int64_t block = qkv + d * d + d + d * m + m + m * d + d + 4 * d;  // two layer norms hold 4 D
    Cost c;
    c.parameters = patch * d + d + d + n * d + l * block + 2 * d + (classes > 0 ? (d + 1) * classes : 0);
    c.attention_multiply_adds = l * 2 * n * n * d;
    c.multiply_adds =
        s.patches() * patch * d + l * (n * (4 * d * d + 2 * d * m)) + c.attention_multiply_adds + d * classes;
    c.weight_bytes = 4 * c.parameters;
    c.attention_bytes = 4 * l * h * n * n;
    return c;
}

}  // namespace vitrine
