#include "core/files/pytorch/state_dict.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/files/tensor_file.h"

namespace vitrine {

namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t longest_path = 4;  // depth of nested dictionaries
constexpr std::size_t most_items = 1'000'000;
constexpr std::size_t most_models = 1000;
constexpr std::size_t longest_key = 64;  // of a model
constexpr std::size_t longest_tensor_name = 1024;

/// A dictionary that holds tensors by name.
struct Candidate {
    std::vector<std::string> path;
    PickleId dictionary = 0;

    std::string name() const {
        std::string words;
        for (const std::string& part : path) words += (words.empty() ? "" : ".") + part;
        return words;
    }
    int rank() const {
        if (path.empty()) return evaluation_rank("");
        int best = unknown_evaluation_rank;
        for (const std::string& part : path) best = std::min(best, evaluation_rank(part));
        return best;
    }
};

class Search {
public:
    Search(const PickleValues& values, const RankOf& rank_of) : values_(values), rank_of_(rank_of) {}

    std::vector<Candidate> run(PickleId root) {
        look_into({{}, root});
        return std::move(found_);
    }

private:
    /// True if values under this name belong to the training (optimiser, schedule, loss …), not to a model.
    static bool is_of_training(std::string_view name) {
        static const std::set<std::string_view> names = {"optimizer",
                                                         "optimizers",
                                                         "optimizer_states",
                                                         "optimizer_state_dict",
                                                         "optim",
                                                         "opt",
                                                         "scaler",
                                                         "amp",
                                                         "scheduler",
                                                         "lr_scheduler",
                                                         "lr_schedulers",
                                                         "loss",
                                                         "criterion",
                                                         "callbacks",
                                                         "loops",
                                                         "rng_state",
                                                         "args",
                                                         "config",
                                                         "hyper_parameters",
                                                         "dino_loss",
                                                         "ibot_patch_loss",
                                                         "fp16_scaler",
                                                         "param_groups"};
        return names.contains(name);
    }

    void look_into(const Candidate& here) {
        const std::vector<PickleId>& parts = values_[here.dictionary].parts;
        std::size_t tensors = 0;
        for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
            if (++seen_ > most_items)
                throw Error(values_.file +
                            ": its dictionaries hold more than any model; save the weights alone with torch.save");
            const std::string_view key = values_.text(parts[i]);
            if (key.empty()) continue;
            if (rank_of_(parts[i + 1]) > 0) ++tensors;
            if (values_.is(parts[i + 1], Kind::dictionary) && here.path.size() < longest_path && !is_of_training(key)) {
                Candidate inner = here;
                inner.path.emplace_back(key.substr(0, longest_key));
                inner.dictionary = parts[i + 1];
                look_into(inner);
            }
        }
        if (tensors < 2) return;
        found_.push_back(here);
        if (found_.size() > most_models)
            throw Error(values_.file + ": it holds more models than any training saves; save the weights alone");
    }

    const PickleValues& values_;
    const RankOf& rank_of_;
    std::vector<Candidate> found_;
    std::size_t seen_ = 0;
};

/// Names of the entries beside the chosen dictionary at the file's top level.
std::vector<std::string> names_beside(const PickleValues& values, PickleId root, const Candidate& chosen) {
    std::vector<std::string> names;
    const std::vector<PickleId>& parts = values[root].parts;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
        const std::string_view key = values.text(parts[i]);
        if (!key.empty() && key != chosen.path.front() && std::ranges::find(names, key) == names.end() &&
            names.size() < 64)
            names.emplace_back(key.substr(0, 64));
    }
    return names;
}

Candidate best_of(const std::vector<Candidate>& found, const std::string& file) {
    const auto best = std::ranges::min_element(found, {}, &Candidate::rank);
    std::vector<std::string> equally_ranked;
    for (const Candidate& c : found)
        if (c.rank() == best->rank()) equally_ranked.push_back(c.name());
    if (equally_ranked.size() > 1)
        throw Error(file + ": this file holds several models (" + some_of(equally_ranked) +
                    "); save the one to look at in Python: torch.save(torch.load(FILE)[\"" + equally_ranked.front() +
                    "\"], \"weights.pth\")");
    return *best;
}

}  // namespace

int evaluation_rank(std::string_view name) {
    struct Row {
        std::string_view name;
        int rank;
    };
    // Names that training scripts use: timm's and DeiT's (state_dict_ema, model_ema), Lightning's (state_dict), DINO's
    // (teacher, student), I-JEPA's (target_encoder), MoCo's (base_encoder; its momentum encoder is not read).
    static constexpr Row rows[] = {{"state_dict_ema", 0},
                                   {"model_ema", 0},
                                   {"ema_state_dict", 0},
                                   {"model_ema_state_dict", 0},
                                   {"ema_model", 0},
                                   {"ema", 0},
                                   {"ema_weights", 0},
                                   {"params_ema", 0},
                                   {"averaged_model", 0},
                                   {"teacher", 1},
                                   {"teacher_model", 1},
                                   {"target_encoder", 1},
                                   {"", 2},
                                   {"state_dict", 3},
                                   {"model", 3},
                                   {"model_state_dict", 3},
                                   {"model_state", 3},
                                   {"net", 3},
                                   {"network", 3},
                                   {"params", 4},
                                   {"weights", 4},
                                   {"module", 4},
                                   {"vit", 4},
                                   {"backbone", 5},
                                   {"base_encoder", 5},
                                   {"encoder", 6},
                                   {"student", 7},
                                   {"momentum_encoder", 8}};
    for (const Row& row : rows)
        if (row.name == name) return row.rank;
    return unknown_evaluation_rank;
}

StateDict choose_state_dict(const PickleValues& values, PickleId root, const RankOf& rank_of) {
    std::vector<Candidate> found;
    if (values.is(root, Kind::dictionary)) found = Search(values, rank_of).run(root);
    if (found.empty())
        throw Error(values.file +
                    ": there are no named tensors in this file; save the weights in Python with "
                    "torch.save(model.state_dict(), \"weights.pth\")");
    const Candidate chosen = best_of(found, values.file);

    StateDict state;
    std::set<std::string_view> names;
    const std::vector<PickleId>& parts = values[chosen.dictionary].parts;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
        const std::string_view key = values.text(parts[i]);
        if (key.empty() || rank_of(parts[i + 1]) < 0) continue;
        if (key.size() > longest_tensor_name || !names.insert(key).second)
            throw Error(values.file +
                        ": it gives a tensor twice, or a name longer than any tensor's; save the weights "
                        "again with torch.save");
        if (names.size() > most_tensors)
            throw Error(values.file + ": it lists more tensors than a model has; save the weights alone");
        state.tensors.emplace_back(key, parts[i + 1]);
    }

    std::vector<std::string> others;
    for (const Candidate& c : found)
        if (c.dictionary != chosen.dictionary && !c.path.empty()) others.push_back(c.name());
    if (!others.empty())
        state.notes.push_back("The file holds several models: \"" + chosen.name() +
                              "\" was read, which evaluation would use, and not " + some_of(others) + ".");
    if (chosen.path.empty()) return state;
    const std::vector<std::string> beside = names_beside(values, root, chosen);
    state.notes.push_back("The weights are under \"" + chosen.name() + "\"" +
                          (beside.empty() ? "." : "; passed over beside them: " + some_of(beside) + "."));
    return state;
}

}  // namespace vitrine
