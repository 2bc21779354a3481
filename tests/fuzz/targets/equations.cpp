#include <cmath>

#include "app/ui/widgets/equation_paths.h"
#include "app/ui/widgets/equation_raster.h"
#include "core/base/error.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void equations(Bytes bytes) {
    try {
        const EquationPaths paths = parse_equation(text_of(bytes), "equation.svg");
        std::vector<Color> colors(paths.parts.size());
        for (const EquationPart& part : paths.parts)
            for (const Outline& outline : part.outlines) path_data(outline, {1, 2}, 1.5F);
        constexpr float most = 400;  // points
        const Rect& box = paths.box;
        const bool small =
            box.width() < most && box.height() < most && std::abs(box.x0) < most && std::abs(box.y0) < most;
        if (!small) return;
        const EquationPixels pixels = rasterise({&paths, colors}, 1);
        demand(pixels.rgba.size() == static_cast<std::size_t>(pixels.width) * pixels.height * 4,
               "every pixel is there");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
