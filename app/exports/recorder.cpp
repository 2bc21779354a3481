#include "app/exports/recorder.h"

namespace vitrine {

namespace {

/// The zone that draws a part of the window.
std::string zone_of(const std::string& part) {
    if (part == "window") return part;
    return "zone." + (part == "tokens" ? "bottom" : part);
}

}  // namespace

void Recorder::around(const Place& place, const Theme& theme, const std::function<void()>& draw) {
    const bool mine = wants() && also_ == nullptr && place.id == zone_of(part_);
    if (mine) {
        svg_ = std::make_unique<SvgCanvas>(place.rect, theme, letters_);
        also_ = svg_.get();
    }
    const bool window = place.id == "window";
    if (mine && !window) also_->push_clip(place.rect);
    if (also_ != nullptr && place.ground) also_->fill(place.rect, *place.ground, place.rounding);
    if (mine && window) also_->push_clip(place.rect);
    draw();
    if (!mine) return;
    document_ = svg_->document();
    part_.clear();
    also_ = nullptr;
    svg_.reset();
}

}  // namespace vitrine
