#include "app/library/edges.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/platform/embedded.h"
#include "core/vit/what_ifs.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

/// Different seeds use disjoint ranges of picture numbers.
constexpr std::uint64_t numbers_of_a_seed = 1'000'000;

/// Least change of the probability that counts as an effect if the first choice stays the same.
constexpr double least_change = 0.1;

using EdgeTables = std::map<std::string, std::map<std::string, std::string>>;  // model, what-if -> picture

const EdgeTables& bundled_edges() {
    static const auto tables = nlohmann::json::parse(embedded(assets(), "edges.json").text()).get<EdgeTables>();
    return tables;
}

/// A bundled model's pictures by what-if; null for any other model.
const std::map<std::string, std::string>* edges_of(const Model& model) {
    if (!model.provenance.path.empty()) return nullptr;
    for (const BundledModel& bundled : bundled_models())
        if (model.provenance.name == bundled.title) {
            const auto found = bundled_edges().find(bundled.name);
            return found == bundled_edges().end() ? nullptr : &found->second;
        }
    return nullptr;
}

/// The picture of the same what-if with the nearest number, on the same side of 1, where the number changes nothing;
/// null if there is none.
const std::string* nearest_number(const std::map<std::string, std::string>& edges, const KnownWhatIf& what_if,
                                  const Config& config) {
    const std::string* best = nullptr;
    double least = 0;
    for (const auto& [word, picture] : edges) {
        if (!word.starts_with(what_if.row->name)) continue;
        const std::optional<KnownWhatIf> known = known_what_if(parse_intervention(word, config));
        if (!known || known->row != what_if.row) continue;
        const auto here = std::log2(static_cast<double>(known->value.number)),
                   wanted = std::log2(static_cast<double>(what_if.value.number));
        if ((here < 0) != (wanted < 0)) continue;
        const double apart = std::abs(here - wanted);
        if (best == nullptr || apart < least) best = &picture, least = apart;
    }
    return best;
}

}  // namespace

std::vector<PictureRequest> edge_candidates(const EdgeCandidates& of) {
    const std::vector<std::string> names = sample_names(of.set);
    std::vector<PictureRequest> pictures;
    for (int i = 0; i < of.count; ++i) {
        const auto place = static_cast<std::size_t>(i);
        const std::uint64_t number = of.seed * numbers_of_a_seed + place / names.size();
        const std::string word = std::string(name_of(of.set.scenes)) + ":" + names[place % names.size()] + ":" +
                                 std::to_string(number) + ":" + name_of(of.set.difficulty);
        pictures.push_back(*sample_request(word, of.set.scenes));
    }
    return pictures;
}

std::vector<std::string> edge_words(const Config& config) {
    std::vector<std::string> words = {
        "positions", "shuffle", "no-scale", "temperature:0.25", "temperature:4",   "k=q",
        "v=q",       "no-skip", "no-norm",  "post-norm",        "activation:relu", "activation:elu"};
    if (config.positions == Positions::none) words.erase(words.begin());
    for (int block = 1; block <= config.blocks; ++block) {
        const std::string number = std::to_string(block);
        for (int head = 0; head < config.heads; ++head) words.push_back("head:" + number + "." + std::to_string(head));
        words.push_back("mlp:" + number);
        for (const char* const word : {"no-scale", "no-skip", "no-norm", "post-norm", "activation:relu"})
            words.push_back(word + ("@" + number));
    }
    return words;
}

EdgeTable find_edges(const Model& model, const Progress& progress) {
    const std::vector<std::string> words = edge_words(model.config);
    std::vector<Interventions> what_ifs;
    for (const std::string& word : words) what_ifs.push_back({parse_intervention(word, model.config)});
    const std::vector<PictureRequest> pictures = edge_candidates({.set = pictures_of(model)});
    const EdgePictures edges = edge_pictures({model, pictures, what_ifs}, progress);
    EdgeTable table;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (edges.found[i].empty()) continue;
        const EdgePicture& best = edges.found[i].front();
        if (best.change.other_choice() || std::abs(best.change.probability()) >= least_change)
            table.emplace_back(words[i], sample_word(best.picture));
    }
    return table;
}

std::optional<std::string> edge_picture(const Model& model, const Intervention& what_if) {
    const std::map<std::string, std::string>* const edges = edges_of(model);
    const std::optional<KnownWhatIf> known = known_what_if(what_if);
    if (edges == nullptr || !known) return std::nullopt;
    if (const auto found = edges->find(to_word(what_if, model.config)); found != edges->end()) return found->second;
    if (known->row->argument != Argument::number || what_if.where.block) return std::nullopt;
    const std::string* const nearest = nearest_number(*edges, *known, model.config);
    return nearest == nullptr ? std::nullopt : std::optional(*nearest);
}

}  // namespace vitrine
