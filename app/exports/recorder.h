#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/ui/geometry.h"
#include "app/ui/widgets/svg_canvas.h"

namespace vitrine {

/// Keeps the drawing of one part of the window as SVG: all that is drawn while that part is drawn goes onto a second
/// canvas, too.
class Recorder {
public:
    /// The next frame's drawing of a part is kept.
    void want(const std::string& part, SvgCanvas::Letters letters = SvgCanvas::Letters::text) {
        part_ = part;
        letters_ = letters;
    }
    bool wants() const { return !part_.empty(); }

    /// Draws `id` ("window" or a zone's), which lies at a place; records it where it is what is wanted. `ground`: what
    /// lies under it.
    struct Place {
        std::string id;
        Rect rect;
        std::optional<Color> ground;
        float rounding = 0;
    };
    void around(const Place& place, const Theme& theme, const std::function<void()>& draw);

    /// The canvas that gets all that is drawn, null while nothing is recorded; for `Ui::also`.
    Canvas* const* also() const { return &also_; }
    /// The document, once.
    std::optional<std::string> take() { return std::exchange(document_, {}); }

private:
    std::string part_;
    SvgCanvas::Letters letters_ = SvgCanvas::Letters::text;
    std::optional<std::string> document_;
    std::unique_ptr<SvgCanvas> svg_;
    Canvas* also_ = nullptr;
};

}  // namespace vitrine
