#include <algorithm>
#include <iterator>
#include <utility>

#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/rooms/app_context.h"
#include "app/rooms/explore/panels/explore_panels.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/panels/chapter_parts.h"
#include "app/rooms/panels/code_listing.h"
#include "app/rooms/panels/figure_caption.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/what_ifs_panel.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/controls.h"
#include "app/workspace/block_parts.h"
#include "app/workspace/looked_at.h"
#include "app/workspace/result.h"
#include "app/workspace/shown_table.h"
#include "core/measures/catalogue.h"
#include "core/vit/provenance.h"

// The chapters' room: its entries of `RoomAnswers`.

namespace vitrine {

namespace {

const Step* step_here(const Focus& focus) { return &step_at(focus); }
const Step& step_in(const Frame& frame) { return step_at(frame.selection.focus); }

std::string id_here(const Focus& focus) { return std::string(step_at(focus).id); }

std::vector<std::string> all_steps() {
    std::vector<std::string> ids;
    for (const Step& step : curriculum()) ids.emplace_back(step.id);
    return ids;
}

void look_at_step(const std::string& id, const MutableView& view) { view.focus.step = step_index(id); }

PlaceOptions step_options(const View& view) { return {{{"--step", id_here(view.focus)}}, {}}; }

bool step_takes_guess(const Focus& focus) { return step_at(focus).own.guesses_patch; }

PlaceWords words_of_step(const std::string& id) { return words_under(std::string(OfPictures::words) + id); }
PlaceWords words_of_view(const View& view) {
    const Focus& focus = view.focus;
    PlaceWords words = words_of_step(id_here(focus));
    words.sentence = key_of_aspect(step_at(focus), "sentence", focus);
    if (step_takes_guess(focus)) words.question = key_of_aspect(step_at(focus), "question", focus);
    return words;
}

std::vector<std::string> caption_of_step(const InView& shown) {
    std::vector<std::string> words = chosen_parts(shown, step_at(shown.selection.focus).own.depends);
    std::ranges::move(run_in_words(shown), std::back_inserter(words));
    return words;
}

std::string changed_equation_of_step(const InView& shown) {
    const Focus& focus = shown.selection.focus;
    return words_of_changed_equation(shown.ui, step_at(focus), *shown.workspace.shown.result, focus.block);
}
std::optional<Formula> formula_of_step(const InView& shown) {
    const Result* const now = shown.workspace.shown.result.get();
    const Focus& focus = shown.selection.focus;
    return now == nullptr ? std::nullopt : std::optional(formula_of(shown.ui, step_at(focus), *now, focus));
}
std::string answer_of_step(const InView& shown) {
    return answer_text(shown.ui, step_at(shown.selection.focus), *shown.workspace.shown.result, shown.selection);
}

std::vector<std::string> words_of_model(const InView& shown) {
    const Step& step = step_at(shown.selection.focus);
    const Config& config = shown.workspace.shown.result->model->config;
    std::vector<std::string> words;
    for (const std::string& part :
         step.own.of_model != nullptr ? step.own.of_model(config) : words_of_block_parts(step.id, config))
        words.push_back(shown.ui.text(key_of(step, part)));
    return words;
}

bool step_asks(const Workspace& now) { return now.shown.result != nullptr; }

/// Whether the question is answered; false until the learner has changed something here.
bool step_is_answered(const Workspace& now) {
    const Step& step = step_at(now.selection.focus);
    if (!now.shown.result || !now.shown.result->has(step.own.beside) || step.answered == nullptr ||
        (now.entered.same_as(now.moment({})) && !now.selection.guess().token))
        return false;
    Selection selection = now.selection;
    selection.clamp_to(now.shown.result->model->config);  // a command may name a block that this model does not have
    return step.answered(*now.shown.result, selection, now.experiment.what_ifs);
}

bool has_result(const Frame& frame) { return frame.shown().result != nullptr; }
bool offers_switches(const Frame& frame) {
    return has_result(frame) && (has_switches(step_in(frame)) || offers_brush(frame));
}
void draw_switches(const Frame& frame) { switches_part(explanation_of(frame), frame); }
std::vector<Fact> facts_in(const InView& shown) {
    const Result* const now = shown.workspace.shown.result.get();
    if (now == nullptr) return {};
    return facts_of(shown.ui, step_at(shown.selection.focus), *now, shown.selection);
}
void draw_numbers(const Frame& frame) { fact_rows(frame.ui, facts_in({frame.ui, frame.workspace, frame.selection})); }
std::string listing_of_step(const Workspace& workspace, const Focus& focus) {
    if (workspace.shown.result == nullptr) return {};  // a half that has just been opened
    const Config& config = workspace.shown.result->model->config;
    const std::string id = id_here(focus);
    std::string listing =
        with_block_parts(id, config, code_listing(code_file(id, config), letter_values(config, focus.block)));
    return id == "models" ? with_uncounted_parameters(config, std::move(listing)) : listing;
}
const char* runs_of_step(const Frame& frame) { return has_result(frame) ? step_in(frame).learn : nullptr; }

/// The learner's guess; none while the view is still the one with which the step or stop was entered.
std::optional<GuessTold> guess_here(const Frame& frame) {
    const Step& step = step_in(frame);
    const Workspace& now = frame.workspace;
    if (step.own.guessed == nullptr || !has_result(frame) || !frame.shown().result->has(step.own.beside))
        return std::nullopt;
    if (!step.own.guesses_patch && now.entered.same_as(now.moment({}))) return std::nullopt;
    const std::optional<Guessed> guess = step.own.guessed(frame.ui, *frame.shown().result, frame.selection);
    const auto chosen = step.own.guess_in;
    const bool chose = chosen == nullptr || chosen(now.entered.focus) != chosen(frame.selection.focus);
    if (!guess || !(chose || guess->right)) return std::nullopt;
    return GuessTold{guess->right,
                     frame.ui.text(guess->right ? "guess.right" : "guess.wrong", {{"value", guess->value}})};
}

/// Draws the switch that makes a click on a patch a guess, and the outcome of the guess.
void draw_guess_result(const Frame& frame) {
    const Ui& ui = frame.ui;
    if (step_in(frame).own.guesses_patch) {
        int chosen = frame.selection.guess().open ? 0 : 1;
        const Control choices[] = {{"guess.open", ui.text("guess.open"), ui.text("guess.open_tip"), {}},
                                   {"guess.query", ui.text("guess.query"), ui.text("guess.query_tip"), {}}};
        if (segmented(ui, choices, chosen)) frame.selection.open_guess(chosen == 0);
    }
    const std::optional<GuessTold> guess = guess_here(frame);
    if (!guess) return;
    const Palette& palette = ui.theme.palette;
    paragraph(ui, RichText{guess->words, Font::strong, guess->right ? palette.value : palette.danger, Align::left});
    ui.probe.mark_item("guess.told", guess->right ? 1 : 0, guess->words);
}

bool step_moves(const Focus& focus) { return step_at(focus).own.moves; }
Play motion_here(const Frame& frame) {
    if (!step_in(frame).own.moves) return Play::nothing;
    return frame.motion.waits ? Play::waits : Play::again;
}
bool is_moving(const State&, const Motion& motion) { return motion.playing; }

std::string file_of_step(const std::string& image, const Focus& focus) { return image + "-" + id_here(focus); }
/// A number of the chapter's tensor: the one that it writes out, else the first pixel in the chapters of the image,
/// else the first attention weight of the head in view.
Cell cell_in_view(const AppContext& context) {
    const Step& step = step_at(context.focus());
    if (step.own.cell != nullptr)
        if (const auto cell = step.own.cell(*context.result(), context.workspace().selection)) return *cell;
    if (step.id == std::string_view("image") || step.id == std::string_view("patches")) return {};
    return {Quantity::attention, context.focus().block, context.focus().head};
}

/// The tensors in view, the chapter's own first.
std::vector<std::string> measures_here(const AppContext& context) {
    std::vector<std::string> names = tensors_in_view(context.result()->model->config, context.focus());
    const Cell cell = cell_in_view(context);
    const std::string own = name_of(cell.quantity, cell.block);
    if (const auto at = std::ranges::find(names, own); at != names.end()) std::rotate(names.begin(), at, at + 1);
    return names;
}

/// Logits and probabilities of all classes, a row each.
Table table_of_classes(const Result& now) {
    const HeadTrace& head = *now.trace.head;
    Table table{name_of(Quantity::logits, 0), {"class", "number"}, {head.logits.size(), 2}, {}, {}};
    for (std::size_t i = 0; i < head.logits.size(); ++i)
        table.values.insert(table.values.end(), {head.logits(0, i), head.probabilities(0, i)});
    table.labels = {class_labels(now.model->config), {"logit", "probability"}};
    return table;
}

/// The pixels that the model is given: a row for each row of each channel.
Table table_of_pixels(const Result& now) {
    const auto& pixels = now.trace.embedding->pixels();
    const auto& s = pixels.shape();
    Table table{name_of(Quantity::image, 0), {"channel", "row", "column"}, {s[0], s[1], s[2]}, {}, {{}, {}, {}}};
    table.values.assign(pixels.data(), pixels.data() + pixels.size());
    if (s[0] == 3) table.labels.front() = {"R", "G", "B"};
    return table;
}

/// The numbers drawn by the chapter's figure; without these, the chapter's tensor: of one head if it has heads; for
/// attention, the chosen token's row in every head; for logits, all classes.
Table numbers_here(const AppContext& context) {
    const Result& now = *context.result();
    const Step& step = step_at(context.focus());
    if (step.own.table != nullptr)
        return now.has(step.own.beside) ? step.own.table(now, context.workspace().selection) : Table{};
    const Cell cell = cell_in_view(context);
    if (cell.quantity == Quantity::logits && now.model->config.classes > 0) return table_of_classes(now);
    const Record record{*now.model, now.trace, now.experiment.what_ifs};
    if (cell.quantity == Quantity::image) return table_of_pixels(now);
    if (cell.quantity == Quantity::attention) return attention_in_view(context);
    const CellMatrix matrix = matrix_of(record, cell.quantity, cell.block, cell.head);
    if (matrix.data == nullptr) return attention_in_view(context);
    const auto rows = static_cast<std::size_t>(matrix.rows), columns = static_cast<std::size_t>(matrix.columns);
    Table table{name_of(cell.quantity, cell.block), {"row", "column"}, {rows, columns}, {}, {}};
    table.values.assign(matrix.data, matrix.data + rows * columns);
    if (cell.quantity == Quantity::patch_embedding) {
        table.axes = {"patch", "column"};
    } else if (matrix.rows == now.model->config.tokens()) {
        const std::vector<std::string> tokens = token_labels(now.model->config);
        const bool of_pairs = cell.quantity == Quantity::scores;
        table.axes = of_pairs ? std::vector<std::string>{"query", "key"} : std::vector<std::string>{"token", "column"};
        table.labels = {tokens, of_pairs ? tokens : std::vector<std::string>()};
    }
    return table;
}

}  // namespace

Table attention_in_view(const AppContext& context) { return shown_table(*context.result(), context.focus(), nullptr); }

/// The result and the blocks in view: the focused one and that of a pinned number. The chapter on the prediction needs
/// the last block instead, since its answer names a head there.
LookedAt looks_of_step(const Workspace& now, const Selection& at) {
    if (!now.shown.result) return {};
    const Focus& focus = at.focus;
    const std::string_view step = step_at(focus).id;
    LookedAt looked{now.shown.result, {step == "prediction" ? now.config().blocks : focus.block}, {}};
    if (const std::optional<Cell> cell = at.cell_in_view()) looked.blocks.insert(cell->block);
    if (step == "attention" && focus.scope == Scope::model) looked.weights.insert({focus.token, focus.looked_at});
    return looked;
}

const RoomAnswers& explore_answers() {
    static const RoomAnswers answers{.places = {.word = "step",
                                                .what = "step",
                                                .all = all_steps,
                                                .here = id_here,
                                                .look = look_at_step,
                                                .step = step_here,
                                                .options = step_options},
                                     .teaching = {.words = words_of_step,
                                                  .seen = words_of_view,
                                                  .chapter = id_here,
                                                  .formula = formula_of_step,
                                                  .changed_equation = changed_equation_of_step,
                                                  .answer = answer_of_step,
                                                  .asks = step_asks,
                                                  .answered = step_is_answered,
                                                  .guess = guess_here,
                                                  .draw_guess_result = draw_guess_result,
                                                  .takes_guess = step_takes_guess,
                                                  .of_model = words_of_model,
                                                  .switches = {offers_switches, draw_switches},
                                                  .numbers = {has_result, draw_numbers},
                                                  .facts = facts_in,
                                                  .predicted = predicted_by_run,
                                                  .draw_whole_answer = draw_predicted_run,
                                                  .written_out = number_written_out,
                                                  .listing = listing_of_step,
                                                  .runs = runs_of_step},
                                     .player = {.here = motion_here, .can_play = step_moves, .playing = is_moving},
                                     .work = {.run = run_in_view, .looks = looks_of_step},
                                     .taking = {.file_name = file_of_step,
                                                .measures = measures_here,
                                                .shown = numbers_here,
                                                .caption = caption_of_step},
                                     .around = {.halves = true}};
    return answers;
}

}  // namespace vitrine
