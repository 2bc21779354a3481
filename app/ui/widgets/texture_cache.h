#pragma once

#include <memory>

#include "app/ui/widgets/picture.h"

namespace vitrine {

struct EquationInk;

/// A rasterised equation, to be drawn pixel by pixel; id 0 without an OpenGL context.
struct EquationTexture {
    unsigned id = 0;
    int width = 0, height = 0;
};

/// Textures of heat maps, pictures and equations: made on first use, kept while they are drawn, deleted some frames
/// later.
///
/// Maps and pictures are enlarged by an integer factor wherever cells must stay crisp, because Dear ImGui from 1.92.8
/// on overrides a texture's filter with a linear sampler. Without an OpenGL context all ids are 0 and nothing is drawn.
class TextureCache {
public:
    TextureCache();
    ~TextureCache();
    TextureCache(const TextureCache&) = delete;
    TextureCache& operator=(const TextureCache&) = delete;

    /// Deletes textures that have not been drawn for some frames.
    void begin_frame();

    /// The OpenGL texture of a coloured map, large enough for `shown` pixels; cached by values and scale.
    unsigned heat_map(const HeatMap& map, ThemeKind kind, Point shown);

    /// The OpenGL texture of the whole picture (the caller applies its crop), scaled for display at `shown` pixels.
    unsigned picture(const Picture& picture, Point shown);

    /// The texture of an equation in its colours; `scale` in pixels per point.
    EquationTexture equation(const EquationInk& ink, float scale);

    /// Number of textures, for tests.
    std::size_t size() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace vitrine
