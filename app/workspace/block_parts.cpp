#include "app/workspace/block_parts.h"

#include "core/transformer/config.h"
#include "core/vit/token_places.h"

namespace vitrine {

namespace {

using C = TransformerConfig;

/// Calls f(share of the chapter) for each of a model's parts.
template <class F>
void for_each_in_chapter(std::string_view step, const C& config, F f) {
    for (const BlockPart& part : block_parts())
        for (const BlockPart::InChapter& share : part.chapters)
            if (step == share.step && part.is_in(config)) f(share);
}

}  // namespace

const std::vector<BlockPart>& block_parts() {
    static const std::vector<BlockPart> all = {
        {[](const C& c) { return c.qk_norm; },
         "normalised queries and keys",
         {".q.normed", ".k.normed"},
         {{"scores", "qk_norm", "_normed", "S = q @", "q, k = block.q_norm(q), block.k_norm(k)\nS = q @"}}},
        {turns_by_place,
         "rotary positions",
         {"rotation", ".q.turned", ".k.turned"},
         {{"scores", "rotary", "_turned", "S = q @",
           "q, k = turn(q, phi), turn(k, phi)  # rotary positions\nS = q @"}}},
        {[](const C& c) { return c.position_bias > 0; },
         "relative position bias",
         {},
         {{"scores", "position_bias", "_bias", "/ d ** 0.5", "/ d ** 0.5 + block.B[offsets]"},
          {.step = "attention_matrix", .equation = "_bias"},
          {.step = "attention", .equation = "_bias"}}},
        {[](const C& c) { return c.gated_mlp; },
         "gated MLP",
         {".mlp.value", ".mlp.gated"},
         {{"mlp", "gated", "_gated", "hidden = act(u)                # GELU, each token alone",
           "hidden = F.silu(u) * block.fc_x(a)   # gate times value"}}},
        {[](const C& c) { return c.mlp_norm; },
         "norm in the MLP",
         {".mlp.norm.out"},
         {{"mlp", "mlp_norm", "_norm", "z = block.fc2", "hidden = block.norm(hidden)\nz = block.fc2"}}},
        {[](const C& c) { return c.layer_scale; },
         "layer scale",
         {".msa.scaled", ".mlp.scaled"},
         {{"residual", "layer_scale", "_scaled", "z_mid = msa + z  ",
           "msa = block.gamma_1 * msa      # layer scale, per feature\nz_mid = msa + z  "},
          {"mlp", "layer_scale", "_scaled", "z = block.fc2(hidden) + z_mid  #",
           "z = block.gamma_2 * block.fc2(hidden) + z_mid  #"}}}};
    return all;
}

std::vector<std::string> names_of_block_parts(const C& config) {
    std::vector<std::string> names;
    for (const BlockPart& part : block_parts())
        if (part.is_in(config)) names.emplace_back(part.name);
    return names;
}

std::vector<std::string> tensors_of_block_parts(const C& config, int block) {
    std::vector<std::string> names;
    for (const BlockPart& part : block_parts())
        for (const std::string name : part.tensors)
            if (part.is_in(config))
                names.push_back(name.starts_with('.') ? "block." + std::to_string(block) + name : name);
    return names;
}

std::vector<std::string> words_of_block_parts(std::string_view step, const C& config) {
    std::vector<std::string> words;
    for_each_in_chapter(step, config, [&](const BlockPart::InChapter& share) {
        if (*share.words != '\0') words.emplace_back(share.words);
    });
    return words;
}

std::string equation_of_block_parts(std::string_view step, const C& config) {
    std::string ending;
    for_each_in_chapter(step, config, [&](const BlockPart::InChapter& share) { ending += share.equation; });
    return ending;
}

std::string with_block_parts(std::string_view step, const C& config, std::string listing) {
    for_each_in_chapter(step, config, [&](const BlockPart::InChapter& share) {
        const std::string_view line = share.line;
        const std::size_t at = line.empty() ? std::string::npos : listing.find(line);
        if (at != std::string::npos) listing.replace(at, line.size(), share.replacement);
    });
    return listing;
}

}  // namespace vitrine
