#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/ui/geometry.h"
#include "app/ui/widgets/svg_canvas.h"

namespace vitrine {

/// Records one part of the window as SVG, by drawing to a second canvas at the same time.
class Recorder {
public:
    /// Requests that a part is recorded in the next frame.
    void want(const std::string& part, SvgCanvas::Letters letters = SvgCanvas::Letters::text) {
        part_ = part;
        letters_ = letters;
    }
    bool wants() const { return !part_.empty(); }

    /// A part of the window: its id ("window" or a zone's), its rectangle, and the colour of the background below it.
    /// `around` calls `draw` for it, and records the drawing if the part was requested.
    struct Place {
        std::string id;
        Rect rect;
        std::optional<Color> ground;
        float rounding = 0;
    };
    void around(const Place& place, const Theme& theme, const std::function<void()>& draw);

    /// The canvas for recording, null otherwise; for `Ui::also`.
    Canvas* const* also() const { return &also_; }
    /// The recorded document, once.
    std::optional<std::string> take() { return std::exchange(document_, {}); }

private:
    std::string part_;
    SvgCanvas::Letters letters_ = SvgCanvas::Letters::text;
    std::optional<std::string> document_;
    std::unique_ptr<SvgCanvas> svg_;
    Canvas* also_ = nullptr;
};

}  // namespace vitrine
