#pragma once

#include <memory>

#include "app/ui/widgets/picture.h"

namespace vitrine {

struct EquationInk;

/// A rasterised equation, to be drawn pixel for pixel; id 0 where there is nothing to draw with.
struct EquationTexture {
    unsigned id = 0;
    int width = 0, height = 0;
};

/// The textures behind heat maps, pictures and equations: made when first drawn, kept while drawn, gone some frames
/// after.
///
/// The first two are an integer multiple of their data wherever cells must stay crisp, because Dear ImGui from 1.92.8
/// on binds a linear sampler of its own over a texture's filter. Without an OpenGL context every id is 0: nothing is
/// drawn.
class TextureCache {
public:
    TextureCache();
    ~TextureCache();
    TextureCache(const TextureCache&) = delete;
    TextureCache& operator=(const TextureCache&) = delete;

    /// Forgets what has not been drawn for some frames.
    void begin_frame();

    /// The OpenGL texture of a coloured map, large enough for `shown` pixels; the same values and scale give the same.
    unsigned heat_map(const HeatMap& map, ThemeKind kind, Point shown);

    /// The OpenGL texture of the whole picture (its crop is for the caller to apply), made for being `shown` that
    /// large.
    unsigned picture(const Picture& picture, Point shown);

    /// The equation in its colours; `scale` in pixels per point.
    EquationTexture equation(const EquationInk& ink, float scale);

    /// How many textures are held, for tests.
    std::size_t size() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vitrine
