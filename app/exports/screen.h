#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/exports/orders.h"
#include "app/exports/png.h"

namespace vitrine {

class Shell;

/// A window without a display that shows one state after another, frame by frame.
class Screen {
public:
    /// `wake` is called from its jobs' threads when there is something to draw. Throws Error without OpenGL.
    explicit Screen(const Drawing& drawing, std::function<void()> wake = {});
    ~Screen();

    /// Sets the state to draw.
    void show(Opening opening);
    /// Starts to draw the state again after a command to its shell, with as many frames as a stop's roles need.
    void again();
    /// Draws one frame, or nothing while its jobs compute; true once the picture is complete. Throws Error if something
    /// cannot be opened.
    bool step();
    /// Waits for the computation that the next step needs.
    void settle() const;
    /// Draws a state completely. Throws Error if something cannot be opened.
    void draw(Opening opening);
    /// Completed share of the steps.
    double fraction() const;

    /// Trains the runs of the Train room, which must have been drawn, for a number of seconds or to their end.
    void learn(double seconds);

    /// A part of the last drawing, by its name in `window_parts`; a bare figure is cropped to its content and a margin.
    DrawnPart part(const std::string& name) const;
    /// The same as an SVG document with real text.
    std::string svg(const std::string& name);

    /// The shell, with the result and texts of the last picture.
    Shell& shell();
    /// Calls a function in its ImGui context, for measuring text.
    void within(const std::function<void()>& run);

private:
    void check_is_there(const std::string& name) const;
    bool is_figure(const std::string& name) const;  // a bare one, which is cropped
    int margin() const;                             // of a figure, in pixels
    DrawnPart whole_part(const std::string& name) const;

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// A file format for a part of a screen.
struct PictureFormat {
    const char* name;  // also the file extension
    /// Captures the current drawing of a part; the returned function writes it to a file on any thread and may throw
    /// Error.
    std::function<void(const std::filesystem::path& file)> (*take)(Screen& screen, const std::string& part);
};
std::span<const PictureFormat> picture_formats();
/// The format of that name; null if there is none.
const PictureFormat* picture_format_named(std::string_view name);

}  // namespace vitrine
