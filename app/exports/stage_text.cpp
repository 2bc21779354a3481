#include "app/exports/stage_text.h"

#include <imgui.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "app/chapters/changed_sentence.h"
#include "app/chapters/model_words.h"
#include "app/exports/table_numbering.h"
#include "app/rooms/app_context.h"
#include "app/rooms/figures/change_figure.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room_parts.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/ui/widgets/texture_cache.h"
#include "app/workspace/result.h"
#include "core/files/table.h"

namespace vitrine {

namespace {

constexpr std::size_t most_cells = 400;  // larger tables are summarised for a screen reader

/// Adds a line to a screen reader's text, unless it is empty.
void add_line(std::string& all, const std::string& words) {
    if (!words.empty()) all += without_markup(words) + "\n";
}

/// Adds an empty line, a heading and its lines; nothing if there are no lines.
void add_part(std::string& all, const std::string& heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    all += "\n" + heading + "\n";
    for (const std::string& line : lines) add_line(all, line);
}

/// A summary of a larger table: for each row of its first axes, the least, mean and largest number along the other axes
/// and the labels of the largest.
std::vector<std::string> rows_in_short(const Text& text, const Table& table) {
    constexpr std::size_t most_rows = 60;
    const auto label = [&](std::size_t axis, std::size_t at) {
        const bool has = axis < table.labels.size() && at < table.labels[axis].size();
        return has ? table.labels[axis][at] : std::to_string(at);
    };
    std::size_t kept = 0, rows = 1;  // leading axes; their indices have a line each
    while (kept + 1 < table.shape.size() && rows * table.shape[kept] <= most_rows) rows *= table.shape[kept++];
    // Labels along the axes [from, to) for a flat index over them.
    const auto places = [&](std::size_t from, std::size_t to, std::size_t index) {
        std::string words;
        for (std::size_t axis = to; axis-- > from; index /= table.shape[axis])
            words = label(axis, index % table.shape[axis]) + (words.empty() ? "" : " · " + words);
        return words;
    };
    std::string axes, sizes;
    for (std::size_t axis = 0; axis < table.shape.size(); ++axis) {
        axes += (axis == 0 ? "" : " × ") + table.axes[axis];
        sizes += (axis == 0 ? "" : " × ") + std::to_string(table.shape[axis]);
    }
    std::vector<std::string> lines = {axes + " (" + sizes + ")"};
    const std::size_t of_a_row = table.values.size() / rows;
    for (std::size_t row = 0; row < rows; ++row) {
        const auto first = table.values.begin() + static_cast<std::ptrdiff_t>(row * of_a_row);
        const auto last = first + static_cast<std::ptrdiff_t>(of_a_row);
        const auto [least, largest] = std::minmax_element(first, last);
        lines.push_back((kept > 0 ? places(0, kept, row) + ": " : "") +
                        text("stage.row_in_short",
                             {{"least", full_text(static_cast<double>(*least))},
                              {"largest", full_text(static_cast<double>(*largest))},
                              {"at", places(kept, table.shape.size(), static_cast<std::size_t>(largest - first))},
                              {"mean", full_text(std::accumulate(first, last, 0.0) / static_cast<double>(of_a_row))}}));
    }
    return lines;
}

/// Markup as plain text: "W_Q", "e^H".
std::string in_plain_letters(const std::string& markup) {
    std::string words;
    for (const RichRun& run : parse_markup(markup))
        words += (run.role == "sub" ? "_" : run.role == "sup" ? "^" : "") + run.words;
    return words;
}

std::vector<std::string> numbers_of(const AppContext& context, const InView& shown) {
    const RoomAnswers& room = answers_of(context.state.room);
    std::vector<std::string> lines;
    if (room.teaching.facts != nullptr)
        for (const Fact& fact : room.teaching.facts(shown))
            lines.push_back(in_plain_letters(fact.label) + ": " + (fact.full.empty() ? fact.value : fact.full));
    if (!lines.empty() || room.teaching.chapter != nullptr || room.taking.shown == nullptr) return lines;
    Table table = room.taking.shown(context);
    if (table.values.empty()) return lines;
    number_from(table, context.state.settings.count_from);
    return table.values.size() <= most_cells ? std::vector<std::string>{to_text(table, '\t')}
                                             : rows_in_short(context.text, table);
}

std::vector<std::string> changes_in(const AppContext& context, const InView& shown) {
    if (const auto own = answers_of(context.state.room).teaching.changes; own != nullptr) return own(shown);
    std::vector<std::string> names;
    for (const Intervention& change : context.result()->experiment.what_ifs)
        names.push_back(change_name(shown.ui, context.result()->model->config, change));
    return names;
}

std::optional<Predicted> predicted(const AppContext& context, const InView& shown) {
    const auto own = answers_of(context.state.room).teaching.predicted;
    return own != nullptr ? own(shown) : predicted_by_run(shown);
}

/// The prediction, before → after if something is changed, and the change's other effects on it.
std::vector<std::string> prediction_of(const AppContext& context, const InView& shown) {
    const auto own = answers_of(context.state.room).teaching.predicted;
    const std::optional<Predicted> prediction = predicted(context, shown);
    if (!prediction) return {};
    std::vector<std::string> lines = {prediction->changed ? prediction->before + " → " + prediction->now
                                                          : prediction->now};
    if (own != nullptr && prediction->probability == 0) return lines;  // a text
    if (const auto change = change_of(*context.result())) lines.push_back(change_words(shown.ui, *change));
    return lines;
}

/// The view of the current state, for making words outside a frame.
struct Shown {
    Probe probe;
    TextureCache textures;
    Ui ui;
    InView shown;

    explicit Shown(const AppContext& context)
        : ui{context.theme, context.text, probe, textures},
          shown{ui, context.workspace(), context.workspace().selection} {
        ui.counted_from = context.state.settings.count_from;
    }
};

PlaceWords words_of_stage(const AppContext& context) {
    const RoomAnswers& room = answers_of(context.state.room);
    return words_in_view(room, room.places.here(context.focus()),
                         {context.focus(), context.workspace().text_experiment});
}

}  // namespace

std::string stage_caption(const AppContext& context) {
    const auto caption = answers_of(context.state.room).taking.caption;
    if (!has_stage_text(context) || caption == nullptr) return {};
    const Shown of_stage(context);
    std::string all =
        context.text(key_for(context.text, words_of_stage(context).title, context.result()->model->config));
    for (const std::string& words : caption(of_stage.shown)) all += " · " + words;
    return without_markup(all);
}

std::vector<std::string> changed_prediction(const AppContext& context, const InView& shown) {
    if (answers_of(context.state.room).teaching.draw_whole_answer == nullptr) return {};
    const std::optional<Predicted> prediction = predicted(context, shown);
    return prediction && prediction->changed ? prediction_of(context, shown) : std::vector<std::string>();
}

bool has_numbers(const AppContext& context) {
    const RoomAnswers& room = answers_of(context.state.room);
    const auto there = room.teaching.asks;
    return context.result() != nullptr && room.taking.shown != nullptr && looks_ready(context) &&
           (there == nullptr || there(context.workspace()));
}

bool has_stage_text(const AppContext& context) {
    const RoomAnswers& room = answers_of(context.state.room);
    const Teaching& teaching = room.teaching;
    return context.result() != nullptr && teaching.words != nullptr && room.places.here != nullptr &&
           looks_ready(context) && (teaching.asks == nullptr || teaching.asks(context.workspace()));
}

std::string stage_text(const AppContext& context) {
    if (!has_stage_text(context)) return {};
    const Shown of_stage(context);
    const InView& shown = of_stage.shown;
    const Ui& ui = shown.ui;
    const RoomAnswers& room = answers_of(context.state.room);
    PlaceWords words = words_of_stage(context);
    const Config& config = context.result()->model->config;
    if (room.places.step != nullptr)
        words.sentence = key_of_sentence(config, context.result()->experiment.what_ifs, context.focus());
    std::string all;
    for (const std::string& key : {words.title, words.sentence}) add_line(all, ui.text(key_for(ui.text, key, config)));
    if (room.teaching.formula != nullptr)
        if (const auto formula = room.teaching.formula(shown))
            add_part(all, ui.text("section.equation"), {formula->words});
    add_part(all, ui.text("section.numbers"), numbers_of(context, shown));
    add_part(all, ui.text("removals.title"), changes_in(context, shown));
    add_part(all, ui.text("prediction.title"), prediction_of(context, shown));
    return all;
}

void copy_stage_text(AppContext& context) {
    ImGui::SetClipboardText(stage_text(context).c_str());
    notify(context, context.text("export.text_copied"));
}

}  // namespace vitrine
