#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/change_rows.h"
#include "app/rooms/panels/chapter_parts.h"
#include "app/rooms/panels/linked_words.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/panels/reference_rows.h"
#include "app/rooms/panels/scrolling_parts.h"
#include "app/rooms/panels/steady_foot.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/rooms/text/change_place.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/nearest_words.h"
#include "app/rooms/text/text_scene.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/glyphs.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/bars.h"
#include "app/ui/widgets/cards.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "app/workspace/workspace.h"
#include "core/text/text_model.h"
#include "core/text/text_samples.h"
#include "core/text/text_what_ifs.h"
#include "core/text/typed_words.h"
#include "core/text/words_between.h"
#include "core/training/text/text_score.h"

namespace vitrine {

namespace {

constexpr std::size_t most_swaps = 6;

/// Replacements for a word: from samples that differ only there, then words between the same neighbours in other
/// sentences; if there are none, the most similar ones by the model's embedding.
std::vector<std::string> swaps_for(const TextResult& now, int place) {
    const TextModel& model = *now.model;
    const bool encoder = model.config.has_encoder();
    const Vocabulary& vocabulary = encoder ? model.source : model.target;
    const TextLanguage language = source_language(model.task, model.to);
    const auto at = static_cast<std::size_t>(place);
    std::vector<std::string> found;
    const auto offer = [&](const std::string& word) {
        const bool known = std::ranges::find(found, word) != found.end();
        if (!known && word != now.words[at] && vocabulary.knows(word) && found.size() < most_swaps)
            found.push_back(word);
    };
    for (const TextSample& sample : text_samples(model.task, model.to)) {
        std::vector<std::string> words = split_words(sample.source, language, vocabulary);
        if (model.task != TextTask::story) words = as_sentence(std::move(words), language);
        if (words.size() != now.words.size()) continue;
        std::vector<std::string> same = now.words;
        same[at] = words[at];
        if (same == words) offer(words[at]);
    }
    const Neighbours beside{at > 0 ? now.words[at - 1] : "", at + 1 < now.words.size() ? now.words[at + 1] : ""};
    for (const std::string& word : words_between(model.task, model.to, beside)) offer(word);
    const int id = vocabulary.id(now.words[at]);
    if (!found.empty() || id < static_cast<int>(special_words.size())) return found;
    const Parameter& table = encoder ? model.weights.source_embedding : model.weights.target_embedding;
    const std::vector<WordCandidate> near = nearest_words(table, model.config.embedding_dim, id);
    for (const WordCandidate& c : near) offer(vocabulary.word(c.word));
    return found;
}

/// Index of the word to replace: the chosen one, else the first one whose replacement gives another sample, else 0.
int word_to_swap(const TextResult& now, const TextLook& look) {
    const int before = now.model->config.shape == TextShape::encoder_decoder ? 0 : 1;
    if (look.source >= before) return look.source - before;
    const TextLanguage language = source_language(now.model->task, now.model->to);
    for (const TextSample& sample : text_samples(now.model->task, now.model->to)) {
        const std::vector<std::string> words =
            as_sentence(split_words(sample.source, language, now.model->source), language);
        if (words.size() != now.words.size()) continue;
        int differ = 0, place = 0;
        for (std::size_t i = 0; i < words.size(); ++i)
            if (words[i] != now.words[i]) ++differ, place = static_cast<int>(i);
        if (differ == 1) return place;
    }
    return 0;
}

/// Buttons with replacements for the chosen word; both runs are then shown.
void swap_part(const Frame& frame, const TextResult& now) {
    const Ui& ui = frame.ui;
    const auto& [experiment, look] = frame.text();
    const bool encoder = now.model->config.has_encoder();
    const int before = now.model->config.shape == TextShape::encoder_decoder ? 0 : 1;
    const int row = experiment.swap.place >= 0 ? experiment.swap.place + before
                    : encoder                  ? word_to_swap(now, look) + before
                              : std::min(look.target < 0 ? static_cast<int>(now.words.size()) - 1 : look.target,
                                         static_cast<int>(now.words.size()) - 1) +
                                    before;
    const int place = std::clamp(row - before, 0, static_cast<int>(now.words.size()) - 1);
    const std::string& word = now.words[static_cast<std::size_t>(place)];
    paragraph(ui, ui.text("text.swap", {{"word", in_quotes(word)}}));
    WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    int number = 0;
    for (const std::string& other : swaps_for(now, place)) {
        const float width = canvas.measure(other, Font::body).x + ui.theme.px(30);
        if (number > 0) {
            ImGui::SameLine(0, ui.theme.px(6));
            if (ImGui::GetCursorScreenPos().x + width > right) ImGui::NewLine();
        }
        const bool on = experiment.swap.place == place && experiment.swap.word == other;
        if (button(ui, {"text.swap." + std::to_string(number), other, ui.text("text.swap_tip"), {}},
                   {on ? Emphasis::primary : Emphasis::plain, {}, 0}))
            experiment.swap = on ? WordSwap{} : WordSwap{place, other};
        ++number;
    }
}

bool model_has(const TextResult& now, const std::string& word) {
    const std::string list[] = {word};
    return !text_interventions(list, now.model->config).empty();
}

void temperature_slider(const Ui& ui, TextExperiment& experiment) {
    float value = 1;
    for (const std::string& word : experiment.what_ifs)
        if (const auto known = known_text_what_if(word); known && known->row->argument == Argument::number)
            value = known->value.number;
    const SliderRange range{0.25F, 4, 0.25F, [](float t) { return "τ = " + number_text(static_cast<double>(t)); }};
    const Control control{
        "text.switch.temperature", ui.text("text.scores_temperature"), ui.text("text.scores_temperature_tip"), {}};
    if (!slider(ui, control, range, value)) return;
    std::erase_if(experiment.what_ifs, [](const std::string& w) { return w.starts_with("temperature:"); });
    value = std::round(value * 4) / 4;
    if (value != 1.0F) experiment.what_ifs.push_back("temperature:" + fixed_text(static_cast<double>(value), 2));
}

/// A scrolling list of all changes, in whole rows: a click on a name opens the change's chapter, a click on its symbol
/// undoes it. Without changes a hint takes the place of one row, so that the first change moves nothing.
void changes_part(const Frame& frame, const TextResult& now) {
    const Ui& ui = frame.ui;
    TextExperiment& experiment = frame.text_experiment;
    TextLook& look = frame.text().look;
    const TextTold told{ui, now, frame.selection, frame.workspace, experiment};
    const std::size_t changes = text_changes(ui, experiment).size();
    ChangeRows rows(ui, "text.rows", changes);
    if (changes == 0 && frame.state().lecture.on) return;
    if (changes == 0) {
        const float end = ImGui::GetCursorPosY() + measure_text(ui.theme, "", Font::strong).y +
                          ImGui::GetStyle().ItemSpacing.y + changes_height(ui, 1);
        paragraph(ui, {ui.text("text.no_changes"), Font::caption, ui.theme.palette.muted, Align::left});
        ui.probe.mark_item("text.no_changes", 0, ui.text("text.no_changes"));
        ImGui::SetCursorPosY(end);
        ImGui::Dummy({1, 0});
        return;
    }
    heading(ui, ui.text("removals.title"));
    ui.probe.mark_item("text.changed", static_cast<double>(changes), ui.text("removals.title"));
    begin_child({"text.changes", 0, changes_height(ui, rows.rows()), false, false, 0});
    // Adds a row; true if the user undoes its change.
    const auto undone = [&](const std::string& id, const std::string& words, TextChapter chapter,
                            const std::string& what_if) {
        const std::string title = ui.text("text." + std::string(name_of(chapter)) + ".title");
        const ChipClick click =
            rows.row({"text.change." + id, words, ui.text("changes.show_tip", {{"chapter", title}}), {}},
                     {ui.theme.palette.danger});
        if (click == ChipClick::chosen) show_change(look, chapter, what_if);
        return click == ChipClick::switched;
    };
    std::optional<std::string> back;
    for (std::size_t i = 0; i < experiment.what_ifs.size(); ++i) {
        const std::string word = experiment.what_ifs[i];
        if (undone(std::to_string(i), what_if_name(ui, word), chapter_of_change(told, word), word)) back = word;
    }
    const bool swapped = experiment.swap.place >= 0, forced = !experiment.forced.empty();
    if (swapped && undone("swap", ui.text("text.swapped", {{"word", experiment.swap.word}}), chapter_of_swap(told), {}))
        experiment.swap = {};
    if (forced &&
        undone("forced", ui.text("text.taken", {{"word", experiment.forced.back()}}), chapter_of_forced(look), {}))
        experiment.forced.clear();
    if (back) switch_what_if(experiment, *back);
    rows.end();
    ImGui::EndChild();
}

bool differs_from_plain(const TextResult& now) {
    return !now.request.what_ifs.empty() || !now.request.forced.empty() || now.request.method != DecodingMethod::greedy;
}

std::string plain_words(const Ui& ui, const TextResult& now) {
    const std::string plain = output_text(ui, now, now.plain);
    const bool same = output_text(ui, now, now.run) == plain;
    const bool decodes_otherwise = now.request.what_ifs.empty() && now.request.forced.empty();
    const char* const key = decodes_otherwise ? (same ? "text.unchanged_greedy" : "text.before_greedy")
                                              : (same ? "text.unchanged" : "text.before");
    return ui.text(key, {{"words", plain}});
}

std::string swapped_words(const Ui& ui, const TextResult& now) {
    return ui.text("text.with_swap",
                   {{"word", in_quotes(now.request.swap.word)}, {"words", output_text(ui, now, *now.swapped)}});
}

/// A story in markup, with the continuation in another colour.
std::string story_markup(const TextResult& now) {
    const TextLanguage language = target_language(now.model->task, now.model->to);
    std::vector<std::string> all = now.words;
    all.insert(all.end(), now.run.output.begin(), now.run.output.end());
    const std::string begun = join_words(now.words, language), told = join_words(all, language);
    std::size_t same = 0;
    while (same < begun.size() && same < told.size() && begun[same] == told[same]) ++same;
    return told.substr(0, same) + "{accent|" + told.substr(same) + "}";
}

/// Why a text stopped other than at [EOS]: the positions ran out, or a story reached its maximum number of words.
struct CutShort {
    const char* key;
    int count;
};
std::optional<CutShort> cut_short(const TextResult& now) {
    const DecodedText& d = now.run.decoded;
    const TextConfig& c = now.model->config;
    if (!c.has_decoder() || d.ended || d.words.empty()) return {};
    const bool story = c.shape == TextShape::language_model;
    if (story && static_cast<int>(d.words.size()) == most_words_of_story)
        return CutShort{"text.cut_story", most_words_of_story};
    return CutShort{"text.cut_short", c.longest};
}

/// Reasons to doubt the output, in the colour of warnings, and its probability.
void sureness_part(const Ui& ui, const TextResult& now) {
    const Sureness told = sureness_of(ui, now);
    int number = 0;
    for (const std::string& warning : told.warnings) {
        paragraph(ui, RichText{warning, Font::caption, ui.theme.palette.danger, Align::left});
        ui.probe.mark_item("text.unseen." + std::to_string(number++), 0, warning);
    }
    if (told.sure.empty()) return;
    const Color ink = told.unsure ? ui.theme.palette.danger : ui.theme.palette.muted;
    paragraph(ui, RichText{told.sure, Font::caption, ink, Align::left});
    ui.probe.mark_item("text.sure", told.unsure ? 1 : 0, told.sure);
}

/// The model's output, the output without the changes, and the one with the replaced word.
void said_part(const Frame& frame, const TextResult& now) {
    const Ui& ui = frame.ui;
    const Palette& p = ui.theme.palette;
    heading(ui, ui.text("text.says." + std::string(name_of(now.model->task))));
    const std::string said = output_text(ui, now, now.run), plain = output_text(ui, now, now.plain);
    if (now.model->config.shape == TextShape::language_model)
        paragraph(ui, RichText{story_markup(now), Font::body, p.muted, Align::left});
    else
        paragraph(ui, RichText{said, Font::heading, p.text, Align::left});
    ui.probe.mark_item("text.said", now.run.label, said);
    if (differs_from_plain(now)) {
        const std::string words = plain_words(ui, now);
        paragraph(ui, RichText{words, Font::body, p.muted, Align::left});
        ui.probe.mark_item("text.said.plain", said == plain ? 1 : 0, plain);
    }
    if (now.swapped) {
        const std::string words = swapped_words(ui, now);
        paragraph(ui, RichText{words, Font::body, p.accent, Align::left});
        ui.probe.mark_item("text.said.swapped", 0, output_text(ui, now, *now.swapped));
    }
    sureness_part(ui, now);
    if (const auto cut = cut_short(now)) {
        const std::string words = ui.text(cut->key, {{"count", count_text(cut->count)}});
        const Color ink = now.model->config.shape == TextShape::language_model ? p.muted : p.danger;
        paragraph(ui, RichText{words, Font::caption, ink, Align::left});
        ui.probe.mark_item(cut->key, static_cast<double>(now.run.output.size()), words);
    }
    if (now.left_out > 0) {
        const std::string words = ui.text("text.left_out", {{"count", std::to_string(now.left_out)}});
        paragraph(ui, RichText{words, Font::caption, p.danger, Align::left});
        ui.probe.mark_item("text.left_out", now.left_out, words);
    }
}

/// The papers on which a chapter or an instrument is based.
void references_part(const Frame& frame, const std::string& place) {
    if (!references_of(place).empty() && foldable(frame.ui, "references", frame.panel))
        reference_rows(frame.ui, place, frame.commands());
}

/// An instrument: equation, controls, explanation and source.
void instrument_part(const Frame& frame, const TextResult& now) {
    const Ui& ui = frame.ui;
    const TextInstrumentRow& row = instrument_of(frame.selection.focus.text);
    const auto words = [&](const char* key) { return instrument_text(ui, row.instrument, key); };
    begin_part("controls");
    equation_item(ui, frame.selection, {"text_lab_" + std::string(name_of(row.instrument)), words("formula")});
    if (row.controls != nullptr && has_shown_measures(now, frame.selection.focus.text)) {
        WindowCanvas canvas(ImGui::GetWindowDrawList(), ui);
        row.controls({ui, frame, now, canvas, {}, frame.selection});
    }
    ImGui::Dummy({1, ui.theme.px(6)});
    begin_part("words");
    linked_paragraph(ui, "words", words("words"), frame.commands());
    const RichText source{words("source"), Font::caption, ui.theme.palette.muted, Align::left};
    linked_paragraph(ui, {"source", source, false}, frame.commands());
    references_part(frame, "text.lab." + std::string(name_of(row.instrument)));
}

/// A number that identifies the shown chapter or instrument.
int subject_of(const TextLook& look) {
    constexpr int instruments = 1000;  // offset for instruments
    return look.lab.open ? instruments + place_of(look.lab.instrument) : place_of(look.chapter);
}

}  // namespace

std::string output_text(const Ui& ui, const TextResult& now, const TextRun& run) {
    const TextLanguage language = target_language(now.model->task, now.model->to);
    if (now.model->config.shape == TextShape::language_model) return join_after(run.input, run.output, language);
    if (now.model->config.shape != TextShape::classifier) return join_words(run.output, language);
    const std::string key = "text.label." + (run.output.empty() ? std::string() : run.output.front());
    return ui.text.has(key) ? ui.text(key) : run.output.empty() ? "" : run.output.front();
}

std::vector<std::string> differing_words(const Ui& ui, const TextResult& now) {
    std::vector<std::string> lines;
    if (differs_from_plain(now)) lines.push_back(plain_words(ui, now));
    if (now.swapped) lines.push_back(swapped_words(ui, now));
    return lines;
}

void text_switches(const Frame& frame, const TextTold& told) {
    const Ui& ui = frame.ui;
    TextExperiment& experiment = frame.text_experiment;
    const TextChapterRow& row = chapter_of(told.look());
    if (!row.sliders.empty()) temperature_slider(ui, experiment);  // the only slider that texts have
    if (row.switches != nullptr)
        for (const std::string& word : row.switches(told)) {
            if (!model_has(told.now, word)) continue;
            bool on = is_on(experiment, word);
            if (toggle(ui, {"text.switch." + word, what_if_name(ui, word), {}, {}}, on))
                switch_what_if(experiment, word);
            const std::string note = "text.what_if." + word + "_note";
            if (!ui.text.has(note)) continue;
            paragraph(ui, RichText{ui.text(note), Font::caption, ui.theme.palette.muted});
            ui.probe.mark_item("text.note." + word, 0, ui.text(note));
        }
    if (row.own.swaps) swap_part(frame, told.now);
}

std::vector<Fact> text_facts(const TextTold& told) {
    std::vector<Fact> facts = chapter_of(told.look()).facts(told);
    if (told.now.swapped)
        facts.insert(facts.begin(), {told.ui.text("text.fact.run"), told.ui.text("text.fact.own_run"), {}});
    return facts;
}

void text_said(const Frame& frame, const TextResult& now) {
    changes_part(frame, now);  // first: the foot keeps its height and may cut off its end
    said_part(frame, now);
}

void text_panel(const Frame& frame) {
    const TextLook& look = frame.selection.focus.text;
    const TextResult* const now = frame.workspace.text_to_explain(frame.text_experiment, look.chapter);
    if (now == nullptr) return;
    const Ui& ui = frame.ui;
    const float available = ImGui::GetContentRegionAvail().y;
    SteadyFoot kept("said");
    kept.note_changes(text_changes(ui, frame.text_experiment).size());
    const float said = kept[SteadyFoot::details] > 0 ? kept[SteadyFoot::details] : ui.theme.px(120);
    const float bottom = kept.height(std::min(said, available * 0.42F), ui, true);
    kept.keep(SteadyFoot::foot, bottom);
    kept.keep(SteadyFoot::measured, now->request.what_ifs == frame.text_experiment.what_ifs ? 1.0F : 0.0F);
    const PartToShow& part = frame.state().part;
    scrolling_parts(ui,
                    {"text.panel.scroll", available - bottom - ui.theme.px(10), subject_of(look),
                     !frame.state().transparent, static_cast<int>(frame.text_experiment.what_ifs.size()), part.part,
                     part.place == place_in(frame.state(), frame.selection.focus) ? part.request : 0},
                    [&] { look.lab.open ? instrument_part(frame, *now) : chapter_parts(frame); });
    ImGui::Separator();
    begin_child({"text.panel.bottom", 0, 0, false, false, 0});
    const float top = ImGui::GetCursorPosY();
    text_said(frame, *now);
    kept.keep(SteadyFoot::details, ImGui::GetCursorPosY() - top + ui.theme.px(14));
    ImGui::EndChild();
}

namespace {

constexpr std::size_t most_named = 3;  // words or pairs in a line

std::string listed_in_quotes(const std::vector<std::string>& all) {
    std::string words;
    for (std::size_t i = 0; i < std::min(all.size(), most_named); ++i) words += (i > 0 ? ", " : "") + in_quotes(all[i]);
    return all.size() > most_named ? words + ", …" : words;
}

/// Pairs of neighbouring words as text: "street was", どの猫. "…" stands for the start or end of the text.
std::vector<std::string> pairs_in_words(const Familiarity& familiar, TextLanguage language) {
    std::vector<std::string> pairs;
    for (const auto& [first, second] : familiar.apart) {
        const std::string blank = language == TextLanguage::english ? " " : "";
        pairs.push_back((first.empty() ? "…" : first) + blank + (second.empty() ? "…" : second));
    }
    return pairs;
}

/// The step with the smallest probability of its word; null if all words were forced.
const DecodingStep* least_sure(const DecodedText& written) {
    const DecodingStep* least = nullptr;
    for (const DecodingStep& step : written.steps)
        if (!step.forced && (least == nullptr || step.taken.probability < least->taken.probability)) least = &step;
    return least;
}

/// A sentence with the output's probability and its least probable word; for a review, with the label's probability.
std::string sure_words(const Ui& ui, const TextResult& now) {
    const DecodedText& d = now.run.decoded;
    if (now.model->config.shape == TextShape::classifier) {
        const Tensor2& p = now.run.trace.generator->probabilities;
        return ui.text(
            "text.sure.label",
            {{"value", probability_text(static_cast<double>(p(0, static_cast<std::size_t>(now.run.label))))}});
    }
    const DecodingStep* const least = least_sure(d);
    if (least == nullptr) return {};
    const std::string word = in_quotes(now.model->target.word(least->taken.word)),
                      low = probability_text(least->taken.probability);
    if (now.model->config.shape == TextShape::language_model || !d.ended)
        return ui.text("text.sure.word", {{"word", word}, {"low", low}});
    const std::string whole = probability_text(std::exp(d.log_probability));
    return ui.text(whole == low ? "text.sure.whole" : "text.sure.all",
                   {{"value", whole}, {"word", word}, {"low", low}});
}

/// True for a word with Latin letters where Japanese is read, or with kana, kanji or Hangul where English is read.
bool is_of_other_script(const std::string& word, TextLanguage read) {
    if (read == TextLanguage::english) return has_cjk(word);
    return std::ranges::any_of(word, [](unsigned char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; });
}

}  // namespace

Sureness sureness_of(const Ui& ui, const TextResult& now) {
    const Familiarity& f = now.familiarity;
    const TextLanguage language = source_language(now.request.task, now.request.to);
    Sureness told;
    std::vector<std::string> unknown = f.unknown;
    const auto own = std::stable_partition(unknown.begin(), unknown.end(),
                                           [&](const std::string& word) { return is_of_other_script(word, language); });
    if (const std::vector<std::string> foreign(unknown.begin(), own); !foreign.empty())
        told.warnings.push_back(
            ui.text("text.unseen.script." + std::string(name_of(language)), {{"words", listed_in_quotes(foreign)}}));
    unknown.erase(unknown.begin(), own);
    if (!unknown.empty())
        told.warnings.push_back(
            ui.text("text.unseen.words",
                    {{"words", listed_in_quotes(unknown)}, {"count", count_text(static_cast<std::size_t>(f.drawn))}}));
    if (!f.apart.empty())
        told.warnings.push_back(
            ui.text("text.unseen.pairs", {{"pairs", listed_in_quotes(pairs_in_words(f, language))},
                                          {"count", count_text(static_cast<std::size_t>(f.drawn))}}));
    if (f.longer())
        told.warnings.push_back(ui.text("text.unseen.length",
                                        {{"words", std::to_string(f.words)}, {"longest", std::to_string(f.longest)}}));
    told.sure = sure_words(ui, now);
    // A translator is sure of every word in sentences like those of its training; a story has many possible
    // continuations.
    constexpr double sure = 0.95;
    const DecodingStep* const least = least_sure(now.run.decoded);
    told.unsure =
        now.model->config.shape == TextShape::encoder_decoder && least != nullptr && least->taken.probability < sure;
    if (told.unsure) told.sure = ui.text("text.sure.unsure", {{"words", told.sure}});
    return told;
}

}  // namespace vitrine
