#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "app/frame/shell.h"

namespace vitrine {

/// Draws the application without a display.
struct Drawing {
    int width = 1920, height = 1080;
    double scale = 0;  // 0: as the window of that size would have
    int times = 1;     // so many pixels for one, letters and lines alike
    bool transparent = false;
    FigureLook figure = {};
};

/// Pixels, rows from the top; `channels` is 3, or 4 with straight alpha.
struct DrawnPart {
    int width = 0, height = 0, channels = 3;
    std::vector<std::uint8_t> bytes;
};

/// Writes a PNG file, which says that Vitrine made it, so that a reader never sees half of it. Throws Error.
void write_png(const std::filesystem::path& file, const DrawnPart& picture);

/// A screen of that size that shows one state after the other; pictures are (height, width, 3), rows from the top.
class Screen {
public:
    /// Throws Error where there is no OpenGL.
    explicit Screen(const Drawing& drawing);
    ~Screen();

    /// Opens what the state names and draws it. Throws Error where it cannot be opened.
    std::vector<std::uint8_t> draw(Opening opening);

    /// Lets the runs of the learning mode, which was drawn before, learn for so many seconds of their own.
    void learn(double seconds);

    /// A part of what was drawn last, as `window_parts` names it.
    DrawnPart part(const std::string& name) const;
    /// The same as an SVG document with real text.
    std::string svg(const std::string& name);

    /// The result behind the last picture, and its words.
    const Shell& shell() const;

private:
    void check_is_there(const std::string& name) const;

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// What a part of a screen is written as.
struct PictureFormat {
    const char* name;  // also the ending of its files
    void (*write)(Screen& screen, const std::string& part, const std::filesystem::path& file);
};
std::span<const PictureFormat> picture_formats();
/// The format of that name; null where there is none.
const PictureFormat* picture_format_named(std::string_view name);
/// That of a file by its name's ending, PNG where it has none. Throws UsageError where it is that of another kind.
const PictureFormat& picture_format_of(const std::filesystem::path& file);

}  // namespace vitrine
