#include "app/ui/widgets/letter_outlines.h"

#include <array>
#include <cmath>
#include <map>

#include "app/platform/embedded.h"
#include "app/ui/fonts.h"
#include "app/ui/glyphs.h"

#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include <stb/stb_truetype.h>

namespace vitrine {

namespace {

/// One of the embedded fonts, parsed on first use.
const stbtt_fontinfo& font_info(const Embedded& file) {
    static std::map<const Embedded*, stbtt_fontinfo> all;
    const auto [at, fresh] = all.try_emplace(&file);
    if (fresh) stbtt_InitFont(&at->second, file.bytes.data(), stbtt_GetFontOffsetForIndex(file.bytes.data(), 0));
    return at->second;
}

/// A letter's glyph in the first font that has it, or the first font's placeholder.
struct Glyph {
    const stbtt_fontinfo* font;
    int index;
    float scale;  // pixels per font unit
};
Glyph glyph_of(const std::array<FontSource, 3>& sources, unsigned code) {
    for (const FontSource& source : sources)
        if (const int index = stbtt_FindGlyphIndex(&font_info(*source.file), static_cast<int>(code)); index != 0)
            return {&font_info(*source.file), index,
                    stbtt_ScaleForPixelHeight(&font_info(*source.file), source.line_height)};
    const stbtt_fontinfo& first = font_info(*sources[0].file);
    return {&first, 0, stbtt_ScaleForPixelHeight(&first, sources[0].line_height)};
}

Outline outline_of(const Glyph& glyph, Point at) {
    stbtt_vertex* vertices = nullptr;
    const int count = stbtt_GetGlyphShape(glyph.font, glyph.index, &vertices);
    Outline outline;
    const auto point = [&](int x, int y) {
        return Point{at.x + static_cast<float>(x) * glyph.scale, at.y - static_cast<float>(y) * glyph.scale};
    };
    const auto between = [](Point from, Point to, float share) {
        return Point{std::lerp(from.x, to.x, share), std::lerp(from.y, to.y, share)};
    };
    Point pen;
    for (int i = 0; i < count; ++i) {
        const stbtt_vertex& v = vertices[i];
        const Point to = point(v.x, v.y), control = point(v.cx, v.cy);
        switch (v.type) {
            case STBTT_vmove: outline.pieces.push_back({PathPiece::Kind::move, to, {}}); break;
            case STBTT_vline: outline.pieces.push_back({PathPiece::Kind::line, to, {}}); break;
            case STBTT_vcurve:  // a quadratic curve as a cubic one
                outline.pieces.push_back(
                    {PathPiece::Kind::curve, to, {between(pen, control, 2.0F / 3), between(to, control, 2.0F / 3)}});
                break;
            default: outline.pieces.push_back({PathPiece::Kind::curve, to, {control, point(v.cx1, v.cy1)}});
        }
        pen = to;
    }
    stbtt_FreeShape(glyph.font, vertices);
    return outline;
}

}  // namespace

LetterOutlines letter_outlines(const std::string& words, Font font, float line_height) {
    const std::array<FontSource, 3> sources = sources_of(font, line_height);
    const stbtt_fontinfo& first = font_info(*sources[0].file);
    int ascent = 0, descent = 0, gap = 0;
    stbtt_GetFontVMetrics(&first, &ascent, &descent, &gap);
    const float baseline = std::round(static_cast<float>(ascent) * stbtt_ScaleForPixelHeight(&first, line_height));
    LetterOutlines line;
    for_letters(words, [&](unsigned code) {
        const Glyph glyph = glyph_of(sources, code);
        if (Outline outline = outline_of(glyph, {line.width, baseline}); !outline.pieces.empty())
            line.letters.push_back(std::move(outline));
        int advance = 0, bearing = 0;
        stbtt_GetGlyphHMetrics(glyph.font, glyph.index, &advance, &bearing);
        line.width += static_cast<float>(advance) * glyph.scale;
    });
    return line;
}

}  // namespace vitrine
