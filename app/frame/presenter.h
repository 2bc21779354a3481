#pragma once

#include <ctime>
#include <string>

#include "app/frame/keymap.h"
#include "app/frame/shell.h"
#include "app/lecture/presenter_view.h"

namespace vitrine {

/// The lecturer's own screen next to the audience's, driven by the Shell: with its own ImGui context and size. Actions
/// here are carried out in the Shell's next frame.
class Presenter {
public:
    explicit Presenter(Shell& shell) : shell_(shell) {}
    Presenter(const Presenter&) = delete;
    Presenter& operator=(const Presenter&) = delete;

    /// Sets up fonts and style for this display before a frame, as `Shell::prepare` does; true if the fonts changed.
    bool prepare(const Shell::Display& display);
    /// Draws a frame, between ImGui::NewFrame and ImGui::Render of its own context. True if there was an action, so
    /// that the Shell's window needs frames too.
    bool frame();

    /// Requests a frame; called after the Shell has drawn, since the content may have changed.
    void refresh() { fresh_ = false; }
    /// True if it needs a frame: after an action, or once a second.
    bool busy() const { return !fresh_ || std::time(nullptr) != drawn_at_; }

    /// The pictures of this stop and the next.
    void show(const StopViews& stops) { stops_ = stops; }

    Probe& probe() { return probe_; }

private:
    Shell& shell_;
    Theme theme_;
    Glyphs glyphs_;
    Probe probe_;
    KeyboardFocus keyboard_;
    TypedWords typed_;
    TextureCache textures_;
    StopViews stops_;
    std::string words_in_;  // language of the fonts' glyphs
    bool fresh_ = false;
    std::time_t drawn_at_ = 0;
};

}  // namespace vitrine
