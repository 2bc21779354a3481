#include "app/library/old_words.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/numbers.h"

namespace vitrine {

namespace {

/// The tensors by number, as in old versions; "ℓ" is the block.
constexpr std::array numbered_tensors = {"image",
                                         "patch_embedding",
                                         "tokens",
                                         "position",
                                         "z.ℓ",
                                         "block.ℓ.ln1.mean",
                                         "block.ℓ.ln1.var",
                                         "block.ℓ.ln1.out",
                                         "block.ℓ.q",
                                         "block.ℓ.k",
                                         "block.ℓ.v",
                                         "block.ℓ.scores",
                                         "block.ℓ.attention",
                                         "block.ℓ.heads",
                                         "block.ℓ.msa",
                                         "block.ℓ.residual",
                                         "block.ℓ.ln2.mean",
                                         "block.ℓ.ln2.var",
                                         "block.ℓ.ln2.out",
                                         "block.ℓ.mlp.hidden",
                                         "block.ℓ.mlp.activation",
                                         "block.ℓ.mlp.out",
                                         "head.ln",
                                         "head.logits",
                                         "head.probabilities",
                                         "patch_embedding.weight",
                                         "patch_embedding.bias",
                                         "class_token",
                                         "block.ℓ.ln1.gamma",
                                         "block.ℓ.ln1.beta",
                                         "block.ℓ.query.weight",
                                         "block.ℓ.query.bias",
                                         "block.ℓ.key.weight",
                                         "block.ℓ.key.bias",
                                         "block.ℓ.value.weight",
                                         "block.ℓ.value.bias",
                                         "block.ℓ.projection.weight",
                                         "block.ℓ.projection.bias",
                                         "block.ℓ.ln2.gamma",
                                         "block.ℓ.ln2.beta",
                                         "block.ℓ.mlp_in.weight",
                                         "block.ℓ.mlp_in.bias",
                                         "block.ℓ.mlp_out.weight",
                                         "block.ℓ.mlp_out.bias",
                                         "norm.gamma",
                                         "norm.beta",
                                         "classifier.weight",
                                         "classifier.bias"};

/// The wirings of a deep encoder by number, as in old versions.
constexpr std::array numbered_wirings = {"pre_norm", "post_norm", "no_norm", "no_skips", "neither"};

/// Translates a cell, "9.2.1.3.4" to "block.2.k:1.3.4"; returns other words unchanged.
std::string cell_in_todays_words(const std::string& words) {
    const std::size_t first = words.find('.'), second = words.find('.', first + 1);
    if (first == std::string::npos || second == std::string::npos || std::count(words.begin(), words.end(), '.') != 4)
        return words;
    const std::optional<std::size_t> tensor = number_from<std::size_t>(words.substr(0, first));
    if (!tensor || *tensor >= numbered_tensors.size()) return words;
    std::string name = numbered_tensors[*tensor];
    constexpr std::string_view letter = "ℓ";
    if (const std::size_t at = name.find(letter); at != std::string::npos)
        name.replace(at, letter.size(), words.substr(first + 1, second - first - 1));
    return name + ":" + words.substr(second + 1);
}

}  // namespace

std::string in_todays_words(const std::string& part, const std::string& words) {
    if (part == "cell") return cell_in_todays_words(words);
    if (part == "shape.qkv_bias" && words == "yes") return "3";
    if (part == "shape.qkv_bias" && words == "no") return "0";
    if (part == "wiring")
        if (const auto number = number_from<std::size_t>(words); number && *number < numbered_wirings.size())
            return numbered_wirings[*number];
    return words;
}

}  // namespace vitrine
