#include "app/rooms/exercise/exercise.h"

#include <cassert>

#include "app/platform/embedded.h"
#include "app/rooms/panels/code_listing.h"
#include "app/rooms/text/nearest_words.h"
#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"
#include "core/files/image.h"
#include "core/text/text_config.h"
#include "core/vit/model.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

/// Removes a mark from the end of a line; true if it was there.
bool take_mark(std::string& line, std::string_view mark) {
    if (!line.ends_with(mark)) return false;
    line.resize(line.size() - mark.size());
    return true;
}

/// Configuration of the text Transformer for exercises of text.
const TextConfig& translator() {
    static const TextConfig config = usual_text_config(TextTask::translate, TextLanguage::japanese);
    return config;
}

}  // namespace

std::vector<std::string> Listing::repaired(std::optional<int> repair) const {
    std::vector<std::string> all = lines;
    if (repair && *repair >= 0 && *repair < static_cast<int>(repairs.size()))
        all[static_cast<std::size_t>(wrong)] = repairs[static_cast<std::size_t>(*repair)];
    return all;
}

Listing parse_listing(std::string_view text) {
    Listing listing;
    bool repairs = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string line(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line == "#?") {
            repairs = true;
            continue;
        }
        std::vector<std::string>& into = repairs ? listing.repairs : listing.lines;
        if (take_mark(line, repairs ? "  #=" : "  #!"))
            (repairs ? listing.right : listing.wrong) = static_cast<int>(into.size());
        into.push_back(std::move(line));
    }
    return listing;
}

Listing listing_of(Exercise exercise, const Config& config) {
    const std::string name = std::string("exercises/") + name_of(exercise) + ".py";
    const std::string listing(embedded(assets(), name).text());
    return parse_listing(
        with_numbers(listing, row_of(exercise).text ? letter_values(translator()) : letter_values(config, 1)));
}

Task task_of(const ExerciseProgress& progress, const Listing& listing) {
    if (progress.predicted < 0) return Task::predict;
    if (progress.line != listing.wrong) return Task::find;
    return progress.repair == listing.right ? Task::done : Task::repair;
}

const ExerciseProgress& progress_in(const Settings& settings, Exercise exercise) {
    static const ExerciseProgress none;
    const auto found = settings.exercises.find(name_of(exercise));
    return found == settings.exercises.end() ? none : found->second;
}

void choose(ExerciseProgress& progress, const Listing& listing, int choice) {
    const auto within = [&](std::size_t count) { return choice >= 0 && choice < static_cast<int>(count); };
    switch (task_of(progress, listing)) {
        case Task::predict:
            if (within(predictions_offered)) progress.predicted = choice;
            return;
        case Task::find:
            if (within(listing.lines.size())) progress.line = choice;
            return;
        case Task::repair:
            if (within(listing.repairs.size())) progress.repair = choice;
            return;
        case Task::done: return;
    }
}

std::optional<Experiment> mistaken(const Workspace& workspace, const Settings& settings) {
    const Exercise exercise = workspace.selection.focus.exercise;
    const ExerciseRow& row = row_of(exercise);
    const bool predicted = progress_in(settings, exercise).predicted >= 0;
    if (!workspace.shown.result || row.mistake == nullptr || !predicted) return std::nullopt;
    Experiment experiment = workspace.shown.result->experiment;
    experiment.what_ifs = row.mistake(workspace.shown.result->model->config);
    return experiment;
}

std::optional<TextRequest> text_to_repair(const Workspace& workspace, const Settings& settings) {
    const Focus& focus = workspace.selection.focus;
    const std::optional<TextMistake>& row = row_of(focus.exercise).text;
    if (!row || progress_in(settings, focus.exercise).predicted < 0) return std::nullopt;
    TextExperiment experiment;
    experiment.to = row->to;
    constexpr TextChapter chapter = TextChapter::tokens;  // covers every task
    const auto place = static_cast<std::size_t>(experiment.place_in(chapter));
    const std::string& typed = workspace.text_experiment.texts[place];
    if (typed.find_first_not_of(" \t\n") != std::string::npos) experiment.texts[place] = typed;
    TextRequest request = request_of(experiment, chapter);
    request.mistake = {row->edits == nullptr ? std::vector<Intervention>() : row->edits(translator()), row->ending};
    return request;
}

}  // namespace vitrine
