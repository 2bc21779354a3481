#include "app/chapters/model_words.h"

#include <algorithm>

#include "app/platform/embedded.h"
#include "app/ui/text.h"
#include "app/workspace/result.h"
#include "app/workspace/words_beside.h"
#include "core/vit/model.h"
#include "embedded/assets.h"

namespace vitrine {

std::string head_structure(const Config& c) {
    if (c.classes == 0 && c.features > 0) return name_in(head_kinds, c.ending);
    if (c.classes == 0 && c.pools()) return "no_head_attention";
    if (c.classes == 0) return c.readout == Readout::mean ? "no_head_mean" : "no_head";
    if (c.readout == Readout::mean && c.norm_before_mean) return "mean_of_normed";
    return name_of(c.readout);
}

std::string position_structure(const Config& c) {
    if (c.positions == Positions::rotary) return c.position_table ? "rotary_table" : "rotary";
    return c.position_table ? "" : "unpositioned";
}

std::vector<std::string> structures_of(const Config& c) {
    const bool registers = c.count_of(TokenKind::register_token) > 0;
    std::vector<std::string> names;
    if (const std::string positions = position_structure(c); !positions.empty()) names.push_back(positions);
    if (c.gated_mlp) names.emplace_back("gated");
    if (!c.first_of(TokenKind::class_token) && c.pools()) names.emplace_back("pooled");
    if (!c.first_of(TokenKind::class_token) && registers) names.emplace_back("no_class_registers");
    if (!c.first_of(TokenKind::class_token)) names.emplace_back("no_class");
    const std::string head = head_structure(c);
    if (head != "class_token") names.push_back(head);
    if (c.embedding_norm) names.emplace_back("embedding_norm");
    if (c.leading_tokens() > 0 && c.first_patch_position() == 0) names.emplace_back("unplaced");
    if (registers) names.emplace_back("registers");
    if (c.first_of(TokenKind::distillation)) names.emplace_back("distillation");
    if (!c.patch_bias) names.emplace_back("no_bias");
    if (c.pools()) names.emplace_back("pooling");
    if (c.classes == 0) names.emplace_back("no_classes");
    return names;
}

std::string key_for(const Text& text, const std::string& key, const Config& config) {
    for (const std::string& structure : structures_of(config))
        if (text.has(key + "." + structure)) return key + "." + structure;
    return key;
}

std::string key_for(const Text& text, const std::string& key, const Result& now) {
    const std::string without = key + ".no_tower";
    const bool none = now.words && !now.words->tower && text.has(without);
    return none ? without : key_for(text, key, now.model->config);
}

std::string code_file(std::string_view step, const Config& config) {
    const auto files = assets();
    for (const std::string& structure : structures_of(config)) {
        const std::string name = "code_variants/" + std::string(step) + "." + structure + ".py";
        if (std::ranges::any_of(files, [&](const Embedded& file) { return file.name == name; })) return name;
    }
    return "code/" + std::string(step) + ".py";
}

}  // namespace vitrine
