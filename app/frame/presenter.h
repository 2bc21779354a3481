#pragma once

#include <ctime>
#include <string>

#include "app/frame/shell.h"

namespace vitrine {

/// The lecturer's own screen beside the hall's, which the Shell draws: in an ImGui context and a size of its own. What
/// is asked for here the Shell does in its next frame.
class Presenter {
public:
    explicit Presenter(Shell& shell) : shell_(shell) {}
    Presenter(const Presenter&) = delete;
    Presenter& operator=(const Presenter&) = delete;

    /// As the Shell's, for this display.
    bool prepare(const Shell::Display& display);
    /// One frame, between ImGui::NewFrame and ImGui::Render of its own context. True where something was asked for: the
    /// Shell's window needs some frames, too.
    bool frame();

    /// The Shell has drawn: what is shown here may be another.
    void refresh() { fresh_ = false; }
    /// Whether it wants a frame: something was done, or a second has passed.
    bool busy() const { return !fresh_ || std::time(nullptr) != drawn_at_; }

    Probe& probe() { return probe_; }

private:
    Shell& shell_;
    Theme theme_;
    Glyphs glyphs_;
    Probe probe_;
    KeyboardFocus keyboard_;
    TextureCache textures_;
    std::string words_in_;  // the language of the fonts' words
    bool fresh_ = false;
    std::time_t drawn_at_ = 0;
};

}  // namespace vitrine
