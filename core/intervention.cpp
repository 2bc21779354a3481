#include "core/intervention.h"

#include <algorithm>
#include <charconv>

#include "core/error.h"

namespace vitrine {

namespace {

constexpr std::string_view forms = "head:BLOCK.HEAD, patch:TOKEN, mlp:BLOCK or positions";

struct Range {
    const char* what;
    int first, last;
};

/// The whole number that `digits` is; Error where it is none or outside the range.
int parse_index(const std::string& word, std::string_view digits, Range range) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size())
        throw Error("what-if '" + word + "': '" + std::string(digits) + "' is not a whole number; write " +
                    std::string(forms));
    if (value < range.first || value > range.last)
        throw Error("what-if '" + word + "': this model has no " + range.what + " " + std::to_string(value) +
                    "; choose " + std::to_string(range.first) + " to " + std::to_string(range.last));
    return value;
}

bool has_heads(Site site) {
    return site == Site::q || site == Site::k || site == Site::v || site == Site::scores || site == Site::attention ||
           site == Site::heads;
}

bool before_the_blocks(Site site) { return site == Site::tokens || site == Site::position; }

}  // namespace

Intervention remove_patch(int token) { return {Site::tokens, {{}, {}, token}, {0.0F}}; }

Intervention remove_head(int block, int head) { return {Site::heads, {block, head, {}}, {0.0F}}; }

Intervention remove_mlp(int block) { return {Site::mlp_out, {block, {}, {}}, {0.0F}}; }

Intervention remove_positions() { return {Site::position, {}, {0.0F}}; }

Intervention parse_intervention(const std::string& word, const Config& config) {
    const std::size_t colon = word.find(':');
    const std::string_view name = std::string_view(word).substr(0, colon);
    const std::string_view where = colon == std::string::npos ? "" : std::string_view(word).substr(colon + 1);
    const Range block{"block", 1, config.blocks};

    if (name == "positions" && colon == std::string::npos) return remove_positions();
    if (name == "patch") return remove_patch(parse_index(word, where, {"patch", 1, config.patches()}));
    if (name == "mlp") return remove_mlp(parse_index(word, where, block));
    if (name == "head" && where.find('.') != std::string_view::npos) {
        const std::size_t dot = where.find('.');
        return remove_head(parse_index(word, where.substr(0, dot), block),
                           parse_index(word, where.substr(dot + 1), {"head", 0, config.heads - 1}));
    }
    throw Error("what-if '" + word + "' is none that Vitrine knows; write " + std::string(forms));
}

std::string to_word(const Intervention& intervention) {
    const Where& where = intervention.where;
    switch (intervention.site) {
        case Site::position: return "positions";
        case Site::tokens: return "patch:" + std::to_string(where.token.value_or(0));
        case Site::heads:
            return "head:" + std::to_string(where.block.value_or(0)) + "." + std::to_string(where.head.value_or(0));
        case Site::mlp_out: return "mlp:" + std::to_string(where.block.value_or(0));
        default: return "";
    }
}

int first_block(std::span<const Intervention> interventions, int blocks) {
    int first = blocks + 1;
    for (const Intervention& i : interventions)
        first = std::min(first, before_the_blocks(i.site) ? 0 : i.where.block.value_or(1));
    return first;
}

void Editor::apply(Site site, int block, float* data, const std::vector<std::size_t>& shape) const {
    // Seen as (groups, rows, columns): the groups are images, or heads of images.
    const std::size_t columns = shape.back();
    const std::size_t rows = shape.size() == 3 ? shape[1] : static_cast<std::size_t>(batch_.tokens);
    std::size_t groups = 1;
    for (const std::size_t n : shape) groups *= n;
    groups /= rows * columns;
    const std::size_t heads = has_heads(site) ? groups / static_cast<std::size_t>(batch_.images) : 1;

    for (const Intervention& i : interventions_) {
        if (i.site != site || (i.where.block && *i.where.block != block)) continue;
        if (i.where.token && static_cast<std::size_t>(*i.where.token) >= rows) continue;
        for (std::size_t group = 0; group < groups; ++group) {
            if (i.where.head && static_cast<std::size_t>(*i.where.head) != group % heads) continue;
            const std::size_t first = i.where.token ? static_cast<std::size_t>(*i.where.token) : 0;
            const std::size_t last = i.where.token ? first + 1 : rows;
            float* const begin = data + (group * rows + first) * columns;
            // Assigned, not multiplied: 0 · ∞ is no zero.
            if (i.edit.scale == 0.0F)
                std::fill(begin, begin + (last - first) * columns, 0.0F);
            else
                std::for_each(begin, begin + (last - first) * columns, [&](float& x) { x *= i.edit.scale; });
        }
    }
}

}  // namespace vitrine
