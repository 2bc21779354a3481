#include "app/ui/widgets/shortened.h"

namespace vitrine {

std::string shortened(const std::string& words, const std::function<bool(const std::string&)>& fits) {
    if (fits(words)) return words;
    std::string begun = words;
    do {
        while (!begun.empty() && (begun.back() & 0xC0) == 0x80) begun.pop_back();
        if (!begun.empty()) begun.pop_back();
    } while (!begun.empty() && !fits(begun + "…"));
    return begun + "…";
}

}  // namespace vitrine
