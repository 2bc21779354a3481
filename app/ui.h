#pragma once

namespace vitrine {

struct Theme;
class Text;
class Probe;
class TextureCache;

/// What a widget draws with. Passed down from the frame; nothing of it is global.
struct Ui {
    const Theme& theme;
    const Text& text;
    Probe& probe;
    TextureCache& textures;
};

}  // namespace vitrine
