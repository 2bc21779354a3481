#include "core/base/json_limits.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace vitrine {

bool nests_too_deeply(std::string_view json) {
    constexpr int most = 200;
    int depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (in_string && c == '\\')
            ++i;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '[' || c == '{') && ++depth > most)
            return true;
        else if (!in_string && (c == ']' || c == '}'))
            --depth;
    }
    return false;
}

int whole(double number) {
    using Limits = std::numeric_limits<int>;
    return static_cast<int>(std::clamp<double>(number, Limits::min(), Limits::max()));
}

}  // namespace vitrine
