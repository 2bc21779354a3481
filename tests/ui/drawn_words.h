#pragma once

#include <string>

#include "tests/ui/harness.h"

namespace vitrine {

/// The words that the last frame drew inside a rectangle, without their spaces: as one text on however many lines.
inline std::string drawn_words(const Harness& h, Rect inside) {
    std::string drawn;
    for (const Probe::Words& words : h.app->probe().words())
        if (inside.contains(words.rect.centre())) drawn += words.text;
    std::erase(drawn, ' ');
    return drawn;
}

}  // namespace vitrine
