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
bool leads(std::string_view role) { return role == "term" || role == "cite" || role == "link"; }

const Role* role_of(std::string_view name) {
    const auto found = std::ranges::find(roles, name, &Role::name);
    return found == std::end(roles) ? nullptr : found;
}

Font font_of(std::string_view role, Font own) {
    if ((role == "strong" || role == "link") && own == Font::body) return Font::strong;
    if (role == "sub" || role == "sup") return Font::caption;
    return role == "code" ? Font::mono : own;
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

constexpr std::size_t least_cut = 24;  // letters: long addresses may be broken, words never

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

/// Kana, hanzi and their punctuation: a line may break after three-byte letters from U+3000 to U+9FFF.
bool is_cjk(const std::string& text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    return (lead >= 0xE3 && lead <= 0xE9) || lead == 0xEF;
}

/// True if the space at `at` is inside a number: before "%", or around the "×" of a power of ten.
bool inside_a_number(std::string_view text, std::size_t at) {
    constexpr std::string_view times = "×";
    const std::string_view before = text.substr(0, at), after = text.substr(at + 1);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (before.ends_with(times)) return after.starts_with("10");
    if (before.empty() || !is_digit(before.back())) return false;
    return after.starts_with('%') || after.starts_with("× 10");
}

/// Splits a run where a line may break: at spaces, newlines and around CJK letters.
std::vector<Word> words_of(const RichRun& run) {
    const Role* const role = role_of(run.role);
    std::vector<Word> words;
    bool joins = false;
    for (std::size_t i = 0; i < run.words.size();) {
        const std::size_t length = length_of_letter(run.words, i);
        const char letter = run.words[i];
        const bool blank = letter == ' ' && !inside_a_number(run.words, i);
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

/// True for a letter of three bytes that is one of `marks`.
bool is_one_of(std::string_view marks, const std::string& letter) {
    return letter.size() == 3 && marks.find(letter) % 3 == 0 && marks.find(letter) != std::string_view::npos;
}
/// Characters that must not begin a line: closing brackets, punctuation, small kana (kinsoku).
bool starts_no_line(const std::string& letter) {
    return is_one_of("、。，．・：；？！）」』】〕》〉”’ーっゃゅょぁぃぅぇぉッャュョァィゥェォ々％", letter);
}
/// Characters that must not end a line: opening brackets.
bool ends_no_line(const std::string& letter) { return is_one_of("（「『【〔《〈“‘", letter); }

/// True for words that follow each other without a space: they stay on one line, whatever their colours.
bool glued(const Word& left, const Word& right) {
    if (left.space || left.breaks || right.space || right.breaks || right.rest) return false;
    return starts_no_line(right.words) || ends_no_line(left.words) ||
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
    for (const RichRun& run : parse_markup(text.markup)) {
        ++number;
        for (Word& word : words_of(run)) {
            const Font font = font_of(word.role, text.font);
            word.run = number - 1;
            word.width = canvas.measure(word.words, font).x;
            if (word.width <= width || word.words.size() < least_cut) {
                words.push_back(std::move(word));
                continue;
            }
            for (Word& piece : pieces_of(canvas, word, font, width)) words.push_back(std::move(piece));
        }
    }
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
            const float own = font == text.font ? line_own : canvas.measure("", font).y;
            const float shift = shift_of(word.role, line_own, own);
            const bool way = places != nullptr && leads(word.role), link = way && word.role == "link";
            const Color color = link ? ui.theme.palette.accent : color_of_role(word.role, ui, text.color);
            canvas.text({x, y + shift}, word.words, {font, color});
            if (way) {
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
