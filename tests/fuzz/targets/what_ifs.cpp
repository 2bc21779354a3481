#include "core/vit/what_ifs.h"

#include "core/base/error.h"
#include "core/vit/model.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

void what_ifs(Bytes bytes) {
    Config config;
    config.image_height = config.image_width = 64;
    config.patch_size = 8;
    config.embedding_dim = 64;
    config.heads = 4;
    config.blocks = 6;
    config.mlp_dim = 128;
    config.classes = 10;
    try {
        const Intervention read = parse_intervention(std::string(text_of(bytes)), config);
        const std::string word = to_word(read, config);
        demand(!word.empty(), "what was read has a word");
        demand(parse_intervention(word, config) == read, "the word of a what-if means that what-if");
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
