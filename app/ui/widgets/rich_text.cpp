#include "app/ui/widgets/rich_text.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace vitrine {
namespace {

struct Role {
    std::string_view name;
    Color Palette::*color;  // none: the text's own
};

constexpr Role roles[] = {{"query", &Palette::query},
                          {"key", &Palette::key},
                          {"value", &Palette::value},
                          {"norm", &Palette::norm},
                          {"mlp", &Palette::mlp},
                          {"residual", &Palette::residual},
                          {"accent", &Palette::accent},
                          {"muted", &Palette::muted},
                          {"positive", &Palette::positive},
                          {"negative", &Palette::negative},
                          {"strong", nullptr},
                          {"term", nullptr},
                          {"cite", nullptr},
                          {"link", nullptr},
                          {"code", nullptr},
                          {"sub", nullptr},
                          {"sup", nullptr}};

/// True if words with that role are links.
bool is_link(std::string_view role) { return role == "term" || role == "cite" || role == "link"; }

const Role* role_of(std::string_view name) {
    const auto found = std::ranges::find(roles, name, &Role::name);
    return found == std::end(roles) ? nullptr : found;
}

Font font_of(std::string_view role, Font own) {
    if ((role == "strong" || role == "link") && own == Font::body) return Font::strong;
    if (role == "sub" || role == "sup") return Font::caption;
    return role == "code" ? Font::mono : own;
}

/// Size of a run with that role relative to its font's: sub- and superscripts are smaller than their line even where a
/// small window gives all fonts one size.
float size_of(std::string_view role, float line, float own) {
    constexpr float script = 15.0F / 18;
    return role == "sub" || role == "sup" ? std::min(1.0F, script * line / own) : 1;
}

/// Offset of a run with that role from the line's top, given the heights of the line and of its own font.
float shift_of(std::string_view role, float line, float own) {
    if (role == "sub") return line - own * 0.9F;
    if (role == "sup") return -own * 0.12F;
    return (line - own) / 2;
}

Color color_of_role(std::string_view role, const Ui& ui, Color own) {
    const Role* found = role_of(role);
    return found && found->color ? ui.theme.palette.*found->color : own;
}

constexpr std::size_t least_cut = 24;  // bytes: only longer words, such as addresses, are broken

/// A piece of a run that stays on one line.
struct Word {
    std::string words;
    std::string_view role;  // from the table above
    float width = 0;
    bool space = false;   // space: dropped at the end of a line
    bool breaks = false;  // "\n"
    bool rest = false;    // continuation of a word that was too long for a line
    std::size_t run = 0;  // index in the text
};

struct Line {
    std::vector<Word> words;
    float width = 0;
};

std::size_t length_of_letter(const std::string& text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return std::min(length, text.size() - at);
}

/// True for kana, hanzi and their punctuation (U+3000 to U+9FFF, and from U+F000), around which lines may break.
bool is_cjk(const std::string& text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    return (lead >= 0xE3 && lead <= 0xE9) || lead == 0xEF;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The last word of a text; the first word of a text, without its punctuation.
std::string_view last_word(std::string_view text) { return text.substr(text.rfind(' ') + 1); }
std::string_view first_word(std::string_view text) {
    const std::string_view word = text.substr(0, text.find(' '));
    return word.substr(0, word.find_last_not_of(",.;:)") + 1);
}

/// True if no line may break at a blank between these words: a relation or a sign stays with what follows, a number
/// with its unit, and with a number by which it is multiplied: "112 × 112", "3 × 10⁻⁵".
bool stays_together(std::string_view before, std::string_view after) {
    static constexpr std::string_view relations[] = {">", "<", "=", "≈", "≠", "≤", "≥", "±", "+", "−"};
    static constexpr std::string_view units[] = {"%", "s", "ms", "µs", "px", "MB", "GB", "KiB", "MiB", "GiB"};
    if (before.empty() || after.empty()) return false;
    if (std::ranges::find(relations, last_word(before)) != std::end(relations)) return true;
    constexpr std::string_view times = "× ";
    if (last_word(before) == "×") return is_digit(after.front());
    if (!is_digit(before.back())) return false;
    return std::ranges::find(units, first_word(after)) != std::end(units) || after.starts_with('%') ||
           (after.starts_with(times) && after.size() > times.size() && is_digit(after[times.size()]));
}

/// Splits a run where a line may break: at spaces, newlines and around CJK letters.
std::vector<Word> words_of(const RichRun& run) {
    const Role* const role = role_of(run.role);
    std::vector<Word> words;
    bool joins = false;
    for (std::size_t i = 0; i < run.words.size();) {
        const std::size_t length = length_of_letter(run.words, i);
        const char letter = run.words[i];
        const std::string_view all = run.words;
        const bool blank = letter == ' ' && !stays_together(all.substr(0, i), all.substr(i + 1));
        const bool alone = blank || letter == '\n' || is_cjk(run.words, i);
        if (alone || !joins) {
            words.emplace_back();
            words.back().role = role != nullptr ? role->name : std::string_view();
            words.back().space = blank;
            words.back().breaks = letter == '\n';
        }
        if (letter != '\n') words.back().words.append(run.words, i, length);
        joins = !alone;
        i += length;
    }
    return words;
}

/// Characters that must not begin a line: closing brackets and quotation marks, punctuation, small kana (kinsoku).
bool starts_no_line(std::string_view letter) {
    static constexpr std::string_view marks =
        "、。，．・：；？！）］｝」』】〕》〉”’»ーっゃゅょぁぃぅぇぉッャュョァィゥェォ々％°…,.;:?!)]}%";
    return marks.find(letter) != std::string_view::npos;
}
/// Characters that must not end a line: opening brackets and quotation marks.
bool ends_no_line(std::string_view letter) {
    static constexpr std::string_view marks = "（［｛「『【〔《〈“‘«([{";
    return marks.find(letter) != std::string_view::npos;
}

std::string_view first_letter(const std::string& words) {
    return std::string_view(words).substr(0, length_of_letter(words, 0));
}
std::string_view last_letter(const std::string& words) {
    std::size_t at = words.size() - 1;
    while (at > 0 && (static_cast<unsigned char>(words[at]) & 0xC0U) == 0x80U) --at;
    return std::string_view(words).substr(at);
}

/// True if no line may break between two successive words, whatever their colours.
bool glued(const Word& left, const Word& right) {
    if (left.space || left.breaks || right.space || right.breaks || right.rest) return false;
    if (left.words.empty() || right.words.empty()) return false;
    return left.words == " " || right.words == " " || starts_no_line(first_letter(right.words)) ||
           ends_no_line(last_letter(left.words)) || (is_digit(left.words.back()) && is_cjk(right.words, 0)) ||
           (!is_cjk(right.words, 0) && !is_cjk(left.words, 0));
}

/// Breaks an address into pieces that fit a line of this width.
std::vector<Word> pieces_of(const Canvas& canvas, const Word& word, Font font, float width) {
    std::vector<Word> pieces;
    for (std::size_t i = 0; i < word.words.size();) {
        const std::string letter = word.words.substr(i, length_of_letter(word.words, i));
        if (pieces.empty() || canvas.measure(pieces.back().words + letter, font).x > width) {
            pieces.push_back(word);
            pieces.back().words.clear();
            pieces.back().rest = pieces.size() > 1;
        }
        pieces.back().words += letter;
        i += letter.size();
    }
    for (Word& piece : pieces) piece.width = canvas.measure(piece.words, font).x;
    return pieces;
}

std::vector<Word> measured_words(const Canvas& canvas, const RichText& text, float width) {
    std::vector<Word> words;
    std::size_t number = 0;
    const float line = canvas.measure("", text.font).y;
    for (const RichRun& run : parse_markup(text.markup)) {
        ++number;
        for (Word& word : words_of(run)) {
            const Font font = font_of(word.role, text.font);
            word.run = number - 1;
            word.width = canvas.measure(word.words, font).x * size_of(word.role, line, canvas.measure("", font).y);
            if (word.width <= width || word.words.size() < least_cut) {
                words.push_back(std::move(word));
                continue;
            }
            for (Word& piece : pieces_of(canvas, word, font, width)) words.push_back(std::move(piece));
        }
    }
    for (std::size_t i = 1; i + 1 < words.size(); ++i)  // between runs
        if (words[i].space && stays_together(words[i - 1].words, words[i + 1].words)) words[i].space = false;
    return words;
}

std::vector<Line> wrapped(const Canvas& canvas, const RichText& text, float width) {
    std::vector<Word> words = measured_words(canvas, text, width);
    std::vector<Line> lines(1);
    for (std::size_t first = 0; first < words.size();) {
        std::size_t end = first + 1;
        float together = words[first].width;
        for (; end < words.size() && glued(words[end - 1], words[end]); ++end) together += words[end].width;
        const bool full = lines.back().width + together > width && !lines.back().words.empty();
        if (words[first].breaks || (full && !words[first].space)) lines.emplace_back();
        const bool dropped = words[first].breaks || (words[first].space && (full || lines.back().words.empty()));
        for (; first < end; ++first) {
            if (dropped) continue;
            lines.back().width += words[first].width;
            lines.back().words.push_back(std::move(words[first]));
        }
    }
    for (Line& line : lines) {
        for (; !line.words.empty() && line.words.back().space; line.words.pop_back()) {
            line.width -= line.words.back().width;
        }
    }
    return lines;
}

float line_height(const Canvas& canvas, const RichText& text) { return canvas.measure("", text.font).y * 1.25F; }

}  // namespace

std::vector<RichRun> parse_markup(const std::string& markup) {
    std::vector<RichRun> runs;
    std::size_t plain = 0;  // start of the unmarked text
    const auto flush = [&](std::size_t end) {
        if (end > plain) runs.push_back({markup.substr(plain, end - plain), {}, {}});
    };
    for (std::size_t i = 0; (i = markup.find('{', i)) != std::string::npos;) {
        const std::size_t bar = markup.find('|', i);
        const std::size_t close = bar == std::string::npos ? bar : markup.find('}', bar);
        const std::string mark = close == std::string::npos ? "" : markup.substr(i + 1, bar - i - 1);
        const std::size_t colon = std::min(mark.find(':'), mark.size());
        if (!role_of(std::string_view(mark).substr(0, colon))) {
            ++i;
            continue;
        }
        flush(i);
        runs.push_back({markup.substr(bar + 1, close - bar - 1), mark.substr(0, colon),
                        mark.substr(std::min(colon + 1, mark.size()))});
        plain = i = close + 1;
    }
    flush(markup.size());
    return runs;
}

std::string without_markup(const std::string& markup) {
    std::string words;
    for (const RichRun& run : parse_markup(markup)) words += run.words;
    return words;
}

float rich_text(Canvas& canvas, const Ui& ui, Rect rect, const RichText& text, std::vector<MarkedPlace>* places) {
    const float height = line_height(canvas, text), line_own = canvas.measure("", text.font).y;
    const std::vector<RichRun> runs = places != nullptr ? parse_markup(text.markup) : std::vector<RichRun>{};
    float y = rect.y0;
    for (const Line& line : wrapped(canvas, text, rect.width())) {
        const float room = rect.width() - line.width;
        float x = rect.x0 + (text.align == Align::left ? 0 : text.align == Align::centre ? room / 2 : room);
        const Word* before = nullptr;
        for (const Word& word : line.words) {
            const Font font = font_of(word.role, text.font);
            const float whole = font == text.font ? line_own : canvas.measure("", font).y;
            const float size = size_of(word.role, line_own, whole), own = whole * size;
            const float shift = shift_of(word.role, line_own, own);
            const bool underlined = places != nullptr && is_link(word.role), link = underlined && word.role == "link";
            const Color color = link ? ui.theme.palette.accent : color_of_role(word.role, ui, text.color);
            canvas.text({x, y + shift}, word.words, {font, color, Align::left, size});
            if (underlined) {
                const float below = y + own + ui.theme.px(1);
                canvas.line({x, below}, {x + word.width, below}, link ? color : ui.theme.palette.muted, ui.theme.px(1));
                const RichRun& run = runs[word.run];
                if (before != nullptr && before->run == word.run)
                    places->back().rect.x1 = x + word.width;
                else
                    places->push_back({run.words, run.role, run.target, {x, y, x + word.width, y + height}});
            }
            before = &word;
            x += word.width;
        }
        y += height;
    }
    return y - rect.y0;
}

Point measure_rich(const Canvas& canvas, const RichText& text, float width) {
    const std::vector<Line> lines = wrapped(canvas, text, width);
    const float widest = std::ranges::max(lines, {}, &Line::width).width;
    return {widest, line_height(canvas, text) * static_cast<float>(lines.size())};
}

}  // namespace vitrine
