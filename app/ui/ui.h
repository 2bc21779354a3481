#pragma once

#include <string>

namespace vitrine {

struct Theme;
class Text;
class Probe;
class TextureCache;
class Glyphs;
class KeyboardFocus;
class Canvas;

/// What a widget draws with. Passed down from the frame; nothing of it is global.
struct Ui {
    const Theme& theme;
    const Text& text;
    Probe& probe;
    TextureCache& textures;
    KeyboardFocus* keyboard = nullptr;  // which control the keys are on; none in tests of single widgets
    Glyphs* glyphs = nullptr;           // remembers letters that the fonts lack; none in pictures made without a window
    Canvas* const* also = nullptr;      // a second canvas that gets all that is drawn, while there is one
    bool bare = false;                  // a figure for slides: controls keep their places and are not drawn
    int counted_from = 1;               // blocks, heads, patches, rows, columns, features, units: from 1, or from 0

    /// The number by which people call the part at that index, which counts from 0 as tensors do.
    std::string ordinal(int index) const { return std::to_string(index + counted_from); }
};

}  // namespace vitrine
