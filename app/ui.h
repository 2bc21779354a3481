#pragma once

namespace vitrine {

struct Theme;
class Text;
class Probe;
class TextureCache;
class Glyphs;

/// What a widget draws with. Passed down from the frame; nothing of it is global.
struct Ui {
    const Theme& theme;
    const Text& text;
    Probe& probe;
    TextureCache& textures;
    Glyphs* glyphs = nullptr;  // remembers letters that the fonts lack; none in pictures made without a window
};

}  // namespace vitrine
