#include <algorithm>
#include <array>

#include "core/base/error.h"
#include "core/text/decoding.h"
#include "core/text/text_checkpoint.h"
#include "tests/fuzz/targets.h"

namespace vitrine::fuzz {

namespace {

/// config.json, vocabulary.json and model.safetensors in one, with a line of --- between them.
std::array<Bytes, 3> parts_of(Bytes bytes) {
    constexpr std::string_view between = "\n---\n";
    std::array<Bytes, 3> files;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const std::string_view left = text_of(bytes);
        const std::size_t end = i + 1 == files.size() ? left.size() : std::min(left.find(between), left.size());
        files[i] = bytes.first(end);
        bytes = bytes.subspan(std::min(end + between.size(), bytes.size()));
    }
    return files;
}

/// A word that it knows and one that it does not, read and gone on with.
void use(const TextModel& model) {
    const TextConfig& c = model.config;
    const Vocabulary& words = c.has_encoder() ? model.source : model.target;
    const std::string known = words.size() > static_cast<int>(special_words.size())
                                  ? words.word(static_cast<int>(special_words.size()))
                                  : "a";
    for (const DecodingMethod method : {DecodingMethod::greedy, DecodingMethod::beam, DecodingMethod::sample}) {
        Decoding how;
        how.method = method;
        how.longest = 4;
        const TextRun run = run_text(model, std::array<std::string, 2>{known, "zebra\xff"}, how);
        demand(run.input.size() == 2, "what was read is kept");
        demand(c.has_decoder() || (run.label >= 0 && run.label < c.classes), "a classifier chooses a class");
        for (const int word : run.decoded.words) demand(word >= 0 && word < c.target_words, "it writes its own words");
    }
}

}  // namespace

void text_models(Bytes bytes) {
    const auto [config, words, weights] = parts_of(bytes);
    try {
        const TextModel model = load_text_model({"folder", Safetensors::from_bytes(weights, "folder/model.safetensors"),
                                                 std::string(text_of(config)), std::string(text_of(words))});
        const std::string written = to_json(model.config);
        demand(to_json(text_config_from_json(written, "written")) == written,
               "a configuration is the same when it is written and read");
        if (model.config.embedding_dim * model.config.longest <= 4096) use(model);
    } catch (const Error& error) {
        demand_sentence(error.what());
    }
}

}  // namespace vitrine::fuzz
