#pragma once

#include <cstddef>
#include <string>

#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/svg_canvas.h"
#include "app/ui/widgets/texture_cache.h"

namespace vitrine {

/// A page of 400 × 300 for drawing widgets, and the resulting SVG.
struct SvgPage {
    Theme theme;
    Text text;
    Probe probe;
    TextureCache textures;
    Ui ui{theme, text, probe, textures};
    SvgCanvas canvas{{0, 0, 400, 300}, theme};

    bool says(const std::string& what) const { return canvas.document().find(what) != std::string::npos; }
    std::size_t count(const std::string& what) const {
        const std::string svg = canvas.document();
        std::size_t found = 0;
        for (std::size_t at = svg.find(what); at != std::string::npos; at = svg.find(what, at + 1)) ++found;
        return found;
    }
};

}  // namespace vitrine
