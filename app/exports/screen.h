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

namespace vitrine {

class Shell;

/// Pixels, rows from the top; `channels` is 3, or 4 with straight alpha.
struct DrawnPart {
    int width = 0, height = 0, channels = 3;
    std::vector<std::uint8_t> bytes;
};

/// A PNG file's bytes; empty where the picture is too large for one.
std::string png_of(const DrawnPart& picture);
/// Writes a PNG file, which says that Vitrine made it, so that a reader never sees half of it. Throws Error.
void write_png(const std::filesystem::path& file, const DrawnPart& picture);

/// A window without a display that shows one state after the other, frame by frame.
class Screen {
public:
    /// `wake` is called from its jobs' threads when there is something to draw. Throws Error where there is no OpenGL.
    explicit Screen(const Drawing& drawing, std::function<void()> wake = {});
    ~Screen();

    /// What the next steps draw.
    void show(Opening opening);
    /// Draws one frame, or nothing while its jobs compute; true where the picture is there. Throws Error where
    /// what is shown cannot be opened.
    bool step();
    /// Waits until its jobs have computed what the next step needs.
    void settle() const;
    /// Opens what the state names and draws it. Throws Error where it cannot be opened.
    void draw(Opening opening);
    /// The share of the steps that are done.
    double fraction() const;

    /// Lets the runs of the learning mode, which was drawn before, learn for so many seconds of their own.
    void learn(double seconds);

    /// A part of what was drawn last, as `window_parts` names it.
    DrawnPart part(const std::string& name) const;
    /// The same as an SVG document with real text.
    std::string svg(const std::string& name);

    /// The result behind the last picture, and its words.
    Shell& shell();
    /// Runs in its ImGui context: whatever measures letters.
    void within(const std::function<void()>& run);

private:
    void check_is_there(const std::string& name) const;

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// What a part of a screen is written as.
struct PictureFormat {
    const char* name;  // also the ending of its files
    /// What writes the part as it is drawn now into a file, on any thread; it may throw Error.
    std::function<void(const std::filesystem::path& file)> (*take)(Screen& screen, const std::string& part);
};
std::span<const PictureFormat> picture_formats();
/// The format of that name; null where there is none.
const PictureFormat* picture_format_named(std::string_view name);

}  // namespace vitrine
