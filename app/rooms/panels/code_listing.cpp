#include "app/rooms/panels/code_listing.h"

#include <algorithm>
#include <cmath>

#include "app/platform/embedded.h"
#include "core/text/text_config.h"
#include "core/vit/cost.h"
#include "core/vit/model.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

/// Number of columns of UTF-8 text: its number of code points.
int width_of(std::string_view line) {
    return static_cast<int>(std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Length in bytes of the longest prefix that fits and ends after a comma or bracket or before a space; npos for none.
std::size_t break_of(const std::string& line, int columns) {
    std::size_t best = std::string::npos;
    int column = 0;
    const std::size_t text = line.find_first_not_of(' ');
    for (std::size_t i = 0; i < line.size() && column < columns; ++i) {
        if ((line[i] & 0xC0) != 0x80) ++column;
        if (i > text && (line[i] == ',' || line[i] == ' ' || line[i] == '(')) best = line[i] == ' ' ? i : i + 1;
    }
    return best;
}

void append_wrapped(std::vector<std::string>& lines, std::string line, int columns) {
    const std::string indent(line.find_first_not_of(' ') == std::string::npos ? 0 : line.find_first_not_of(' '), ' ');
    while (width_of(line) > columns) {
        const std::size_t at = break_of(line, columns);
        if (at == std::string::npos) break;
        const bool comment = line.find_first_not_of(' ') == line.find('#');
        const std::size_t rest = line.find_first_not_of(' ', at);
        std::string next = indent + (comment ? "# " : "    ") + (rest == std::string::npos ? "" : line.substr(rest));
        if (next.size() >= line.size()) break;  // too few columns to make progress
        lines.push_back(line.substr(0, at));
        line = std::move(next);
    }
    lines.push_back(line);
}

}  // namespace

LetterValues letter_values(const Config& c, int block) {
    return {{"C", c.channels},
            {"H", c.image_height},
            {"W", c.image_width},
            {"P", c.patch_size},
            {"Np", c.patches()},
            {"N", c.tokens()},
            {"D", c.embedding_dim},
            {"h", c.heads},
            {"d", c.head_dim()},
            {"M", c.mlp_dim},
            {"L", c.blocks},
            {"classes", c.classes},
            {"patch_dim", c.patch_dim()},
            {"block", block},
            {"qkv_biases", c.query_bias + c.key_bias + c.value_bias},
            {"leading", c.leading_tokens()},
            {"positions", c.position_rows()}};
}

LetterValues letter_values(const TextConfig& c) {
    return {{"D", c.embedding_dim},
            {"h", c.heads},
            {"d", c.head_dim()},
            {"M", c.mlp_dim},
            {"L", std::max(c.blocks, c.decoder_blocks)},
            {"V", std::max(c.source_words, c.target_words)},
            {"longest", c.longest},
            {"classes", c.classes > 0 ? c.classes : 2}};
}

std::string with_numbers(std::string listing, const LetterValues& values) {
    for (const auto& [letter, value] : values) {
        const std::string place = "{" + letter + "}", words = std::to_string(value);
        for (std::size_t at = 0; (at = listing.find(place, at)) != std::string::npos; at += words.size())
            listing.replace(at, place.size(), words);
    }
    return listing;
}

/// Number of parameters that the listing of the chapter on models does not count: of parts that a plain ViT lacks.
double uncounted_parameters(const Config& c) {
    const double d = c.embedding_dim, m = c.mlp_dim, qkv = 3 * d * d + (c.query_bias + c.key_bias + c.value_bias) * d,
                 block = qkv + d * d + d + 2 * d * m + m + d + 4 * d;
    return cost_of(c).parameters - (c.patch_dim() * d + d + c.leading_tokens() * d + c.position_rows() * d +
                                    c.blocks * block + 2 * d + (d + 1) * c.classes);
}

std::string with_uncounted_parameters(const Config& c, std::string listing) {
    if (const double rest = uncounted_parameters(c); rest != 0)
        listing += "count += " + std::to_string(std::llround(rest)) + "   # what a plain ViT does not have\n";
    return listing;
}

std::string code_listing(const std::string& file, const LetterValues& values) {
    const auto files = assets();
    if (std::none_of(files.begin(), files.end(), [&](const Embedded& f) { return f.name == file; })) return {};
    return with_numbers(std::string(embedded(files, file).text()), values);
}

std::vector<std::string> wrapped_code(const std::string& listing, int columns) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < listing.size()) {
        const std::size_t end = std::min(listing.find('\n', begin), listing.size());
        const std::string line = listing.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t comment = line.find("  #");
        if (width_of(line) <= columns || comment == std::string::npos) {
            append_wrapped(lines, line, columns);
            continue;
        }
        append_wrapped(lines, line.substr(0, line.find_last_not_of(' ', comment) + 1), columns);
        append_wrapped(lines, line.substr(comment + 2), columns);
    }
    return lines;
}

int code_columns(float width, float letter) {
    constexpr int least = 12;
    return letter > 0 ? std::max(least, static_cast<int>(width / letter)) : least;
}

}  // namespace vitrine
