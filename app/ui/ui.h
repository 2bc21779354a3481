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

/// The context of widgets, passed down from the frame; none of it is global.
struct Ui {
    const Theme& theme;
    const Text& text;
    Probe& probe;
    TextureCache& textures;
    KeyboardFocus* keyboard = nullptr;  // the keyboard focus; none in tests of single widgets
    KeyboardFocus* seen = nullptr;      // notes where words are, so that tips keep clear of them
    Glyphs* glyphs = nullptr;           // remembers letters that the fonts lack; none for pictures without a window
    Canvas* const* also = nullptr;      // a second canvas that receives the same drawing, while there is one
    bool bare = false;                  // a figure for slides: controls keep their space but are not drawn
    int counted_from = 1;               // blocks, heads, patches, rows, columns, features, units: from 1, or from 0

    /// The number on the screen for an index, which counts from 0 as tensors do.
    std::string ordinal(int index) const { return std::to_string(index + counted_from); }
};

}  // namespace vitrine
