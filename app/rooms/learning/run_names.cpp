#include "app/rooms/learning/run_names.h"

#include "app/rooms/learning/learning_state.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "core/training/presets.h"
#include "core/training/recipe.h"
#include "core/training/text/text_recipe.h"

namespace vitrine {

std::string sentence_of_runs(const LearningState& state) {
    if (state.texts)
        return experiment_of(state.text) != nullptr ? "learn.text.pair_sentence"
                                                    : std::string("learn.text.sentence.") + name_of(state.text.task());
    if (state.study) return "learn.study.sentence";
    return experiment_of(state) != nullptr ? "learn.pair_sentence" : "learn.sentence";
}

std::string run_name(const Ui& ui, const Recipe& r, int run, RunName how) {
    const Text& text = ui.text;
    const Config& c = r.model;
    std::string name(1, static_cast<char>('A' + run));
    const auto add = [&](const std::string& words) { name += " · " + words; };
    const bool few = r.distinct_pictures.has_value();  // then the name shows their number
    if (!few && how == RunName::full)
        add("L = " + std::to_string(c.blocks) + ", D = " + std::to_string(c.embedding_dim));
    if (!few || c.norm != Norm::before) add(text(std::string("learn.norm_name.") + name_of(c.norm)));
    if (!c.skips) add(text("learn.no_skips"));
    if (c.positions == Positions::none) add(text("learn.without_positions"));
    if (c.activation != Activation::gelu) add(c.activation == Activation::relu ? "ReLU" : "ELU");
    if (few) add(text("learn.distinct_of", {{"count", count_text(static_cast<std::int64_t>(*r.distinct_pictures))}}));
    if (r.dropout > 0) add(text("learn.dropout_of", {{"p", number_text(r.dropout)}}));
    const std::string optimiser = r.optimiser == Optimiser::muon ? "Muon" : "AdamW";
    add(few ? optimiser : optimiser + " " + number_text(r.learning_rate));
    return name;
}

namespace {

/// The settings of a recipe that differ from another's, in words; none if the sizes or numbers of pictures differ.
std::vector<std::string> apart_words(const Text& text, const Recipe& r, const Recipe& other) {
    const Config &a = r.model, &b = other.model;
    if (a.blocks != b.blocks || a.embedding_dim != b.embedding_dim || a.patch_size != b.patch_size ||
        r.distinct_pictures != other.distinct_pictures)
        return {};
    std::vector<std::string> words;
    const auto add = [&](bool differs, const std::string& said) {
        if (differs) words.push_back(said);
    };
    add(a.norm != b.norm, text(std::string("learn.norm_name.") + name_of(a.norm)));
    add(a.skips != b.skips, text(a.skips ? "learn.with_skips" : "learn.no_skips"));
    add(a.positions != b.positions,
        text(a.positions != Positions::none ? "learn.with_positions" : "learn.without_positions"));
    add(a.activation != b.activation, text(std::string("learn.activation.") + name_of(a.activation)));
    add(r.optimiser != other.optimiser, text(std::string("learn.optimiser.") + name_of(r.optimiser)));
    add(r.optimiser == other.optimiser && r.learning_rate != other.learning_rate,
        text("learn.rate") + " " + number_text(r.learning_rate));
    add(r.dropout != other.dropout, text("learn.dropout_of", {{"p", number_text(r.dropout)}}));
    return words;
}

}  // namespace

std::string apart_name(const Ui& ui, const RunViews<Pictures>& runs, int run) {
    const Recipe& recipe = runs[static_cast<std::size_t>(run)].recipe;
    if (runs.size() != 2) return run_name(ui, recipe, run);
    const auto words = apart_words(ui.text, recipe, runs[static_cast<std::size_t>(1 - run)].recipe);
    if (words.empty()) return run_name(ui, recipe, run);
    std::string name(1, static_cast<char>('A' + run));
    for (const std::string& word : words) name += " · " + word;
    return name;
}

namespace {

/// How the first of an experiment's runs differs from the second, in words; empty for texts.
std::string setting_of(const Text& text, const Recipe& recipe, const Recipe& other) {
    std::string all;
    for (const std::string& words : apart_words(text, recipe, other)) all += (all.empty() ? "" : " · ") + words;
    return all;
}
std::string setting_of(const Text&, const TextRecipe&, const TextRecipe&) { return {}; }

}  // namespace

template <class Family>
std::optional<RunOfExperiment> experiment_of_run(const Text& text, std::span<const typename Family::Recipe> runs,
                                                 std::size_t run) {
    const std::string own = to_json(runs[run]);
    std::optional<RunOfExperiment> found;
    int count = 0;
    for (const Preset<Family>& preset : presets<Family>()) {
        const auto both = recipes_of(preset, 1);
        for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
            if (to_json(both[i]) != own) continue;
            const std::string experiment = text("learn.experiment." + std::string(preset.id)),
                              setting = setting_of(text, both[i], both[1 - i]);
            const RunOfExperiment here{
                preset.id, static_cast<char>('a' + i),
                text(setting.empty() ? "recover.run" : "recover.run_with",
                     {{"experiment", experiment}, {"run", i == 0 ? "A" : "B"}, {"setting", setting}})};
            const std::size_t beside = i == 0 ? run + 1 : run - 1;  // past all runs if there is none
            if (beside < runs.size() && to_json(runs[beside]) == to_json(both[1 - i])) return here;
            found = here;
            ++count;
        }
    }
    return count == 1 ? found : std::nullopt;
}

template std::optional<RunOfExperiment> experiment_of_run<Pictures>(const Text&, std::span<const Recipe>, std::size_t);
template std::optional<RunOfExperiment> experiment_of_run<Texts>(const Text&, std::span<const TextRecipe>, std::size_t);

}  // namespace vitrine
