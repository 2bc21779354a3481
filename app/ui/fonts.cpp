#include "app/ui/fonts.h"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/platform/embedded.h"
#include "app/ui/glyphs.h"
#include "app/ui/languages.h"
#include "app/ui/text.h"
#include "embedded/fonts.h"

namespace vitrine {

namespace {

constexpr const char* symbols = "DejaVuSans.ttf";  // has all signs that the others lack

struct FontRow {
    Font font;
    const char* file;
    float size;         // of the em at 1080p, in pixels
    float line_height;  // in ems: ImGui measures fonts by line height
    const char* cjk;    // source of Chinese, Japanese and Korean letters
};

constexpr float inter = 1.21F, jetbrains = 1.32F, noto_cjk = 1.448F;
constexpr const char *regular = "NotoSansCJK-Regular.otf", *bold = "NotoSansCJK-Bold.otf";
constexpr FontRow rows[] = {
    {Font::caption, "Inter-Regular.otf", 15, inter, regular},
    {Font::body, "Inter-Regular.otf", 18, inter, regular},
    {Font::strong, "Inter-SemiBold.otf", 18, inter, bold},
    {Font::heading, "Inter-SemiBold.otf", 22, inter, bold},
    {Font::title, "InterDisplay-SemiBold.otf", 30, inter, bold},
    {Font::mono, "JetBrainsMono-Regular.ttf", 16, jetbrains, regular},
};

/// Latin, Greek, punctuation, sub- and superscripts, arrows, mathematics, shapes, kana, full-width forms.
constexpr ImWchar ranges_always[] = {
    0x0020, 0x017F, 0x0370, 0x03FF, 0x1D40, 0x1D40, 0x1D62, 0x1D65, 0x1E9E, 0x1E9E, 0x2009, 0x2026, 0x202F,
    0x2033, 0x2070, 0x209C, 0x20AC, 0x20AC, 0x2113, 0x2113, 0x2115, 0x2115, 0x211D, 0x211D, 0x2190, 0x2199,
    0x21D2, 0x21D2, 0x2200, 0x2265, 0x2295, 0x2299, 0x22A4, 0x22A4, 0x22C5, 0x22C5, 0x25A0, 0x25CF, 0x2713,
    0x2717, 0x27E6, 0x27E9, 0x2C7C, 0x2C7C, 0x3000, 0x30FF, 0xFF01, 0xFF5E, 0,
};

/// The ranges must live until the atlas is built.
ImVector<ImWchar> ranges_for(const Text& text, const Glyphs* glyphs) {
    ImFontGlyphRangesBuilder builder;
    builder.AddRanges(ranges_always);
    for (const Language& language : languages()) builder.AddText(language.name.c_str());  // for the menu of languages
    for (const auto& [key, words] : text.table()) builder.AddText(words.c_str());
    if (glyphs != nullptr)
        for (const unsigned code : glyphs->seen()) builder.AddChar(static_cast<ImWchar>(code));
    ImVector<ImWchar> ranges;
    builder.BuildRanges(&ranges);
    return ranges;
}

ImFont* add(const FontSource& source, const ImVector<ImWchar>& ranges, bool merge) {
    const Embedded& font = *source.file;
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.MergeMode = merge;
    config.OversampleH = 2;
    config.PixelSnapH = false;
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<std::uint8_t*>(font.bytes.data()),
                                                      static_cast<int>(font.bytes.size()), source.line_height, &config,
                                                      ranges.Data);
}

ImVec4 vec(Color c) { return {c.r / 255.0F, c.g / 255.0F, c.b / 255.0F, c.a / 255.0F}; }

}  // namespace

std::array<FontSource, 3> sources_of(Font font, float line_height) {
    const FontRow& row = rows[static_cast<std::size_t>(font)];
    // The em of Chinese, Japanese and Korean letters equals that of the letters around them.
    return {{{&embedded(fonts(), row.file), line_height},
             {&embedded(fonts(), symbols), line_height},
             {&embedded(fonts(), row.cjk), std::round(line_height / row.line_height * noto_cjk)}}};
}

float font_size(Font font, float scale) {
    constexpr float least = 14;
    const FontRow& row = rows[static_cast<std::size_t>(font)];
    return std::round(std::max(least, row.size * scale) * row.line_height);
}

void build_fonts(Theme& theme, const Text& text, Glyphs* glyphs) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    atlas.Clear();
    const ImVector<ImWchar> ranges = ranges_for(text, glyphs);
    for (const FontRow& row : rows) {
        const std::array<FontSource, 3> sources = sources_of(row.font, font_size(row.font, theme.scale));
        theme.fonts[static_cast<std::size_t>(row.font)] = add(sources[0], ranges, false);
        for (const std::size_t other : {1U, 2U}) add(sources[other], ranges, true);
    }
    if (glyphs != nullptr) glyphs->built();
    ImGui::GetIO().FontDefault = theme.font(Font::body);
    atlas.Build();
}

void apply_style(const Theme& theme) {
    const Palette& p = theme.palette;
    ImGuiStyle& s = ImGui::GetStyle();
    s = ImGuiStyle();
    s.WindowPadding = {theme.px(18), theme.px(16)};
    s.FramePadding = {theme.px(10), theme.px(6)};
    s.ItemSpacing = {theme.px(10), theme.px(8)};
    s.ItemInnerSpacing = {theme.px(8), theme.px(6)};
    s.ScrollbarSize = theme.px(12);
    s.WindowRounding = s.ChildRounding = s.PopupRounding = theme.px(10);
    s.FrameRounding = s.GrabRounding = s.ScrollbarRounding = theme.px(7);
    s.WindowBorderSize = s.ChildBorderSize = s.PopupBorderSize = 1;
    s.FrameBorderSize = 0;
    s.AntiAliasedLinesUseTex = false;

    const auto set = [&](ImGuiCol which, Color color) { s.Colors[which] = vec(color); };
    set(ImGuiCol_Text, p.text);
    set(ImGuiCol_TextDisabled, p.muted);
    set(ImGuiCol_WindowBg, p.background);
    set(ImGuiCol_ChildBg, p.panel);
    set(ImGuiCol_PopupBg, p.panel);
    set(ImGuiCol_Border, p.line);
    set(ImGuiCol_FrameBg, p.raised);
    set(ImGuiCol_FrameBgHovered, p.line);
    set(ImGuiCol_FrameBgActive, p.line);
    set(ImGuiCol_Button, p.raised);
    set(ImGuiCol_ButtonHovered, p.line);
    set(ImGuiCol_ButtonActive, p.line);
    set(ImGuiCol_Header, p.raised);
    set(ImGuiCol_HeaderHovered, p.line);
    set(ImGuiCol_HeaderActive, p.line);
    set(ImGuiCol_ScrollbarBg, p.panel.with_alpha(0));
    set(ImGuiCol_ScrollbarGrab, p.line);
    set(ImGuiCol_ScrollbarGrabHovered, p.muted);
    set(ImGuiCol_ScrollbarGrabActive, p.muted);
    set(ImGuiCol_Separator, p.line);
    set(ImGuiCol_TextSelectedBg, p.accent.with_alpha(0.35F));
    set(ImGuiCol_ModalWindowDimBg, p.shade.with_alpha(0.6F));
    s.Colors[ImGuiCol_NavHighlight] = vec(p.accent.with_alpha(0));  // controls draw their own focus ring
}

}  // namespace vitrine
