#include <imgui.h>

#include <algorithm>

#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/waterfall.h"
#include "app/rooms/panels/choices.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_difference.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_look.h"
#include "app/workspace/text_result.h"
#include "core/files/image.h"
#include "core/measures/text/text_ledger.h"
#include "core/text/decoded_text.h"
#include "core/vit/provenance.h"

// Contributions to the logit of a word, by part.

namespace vitrine {

namespace {

using Part = TextLedgerEntry::Part;

/// The subject: a row of the last stack, and a word or a class.
struct Subject {
    int row = 0, word = 0;
};
Subject subject_in(const TextResult& now, const Selection& selection) {
    Subject subject{speaking_row(now, selection), 0};
    subject.word = now.measures.said[static_cast<std::size_t>(subject.row)];
    const std::string& wanted = selection.focus.text.lab.word;
    const auto count = static_cast<int>(now.measures.ledgers[0].contributions.shape()[1]);
    for (int i = 0; i < count && !wanted.empty(); ++i)
        if (output_word(now, i) == wanted) subject.word = i;
    return subject;
}

/// Name of an entry within its block.
std::string part_name(const Ui& ui, const TextLedgerEntry& e) {
    const std::string attention = ui.text("text.lab.kind." + std::string(name_of(e.attention)));
    switch (e.part) {
        case Part::word: return ui.text("text.lab.part.word");
        case Part::position: return ui.text("text.lab.part.position");
        case Part::head: return attention + " · " + ui.text("text.head", {{"head", ui.ordinal(e.head)}});
        case Part::projection_bias: return attention + " · " + ui.text("text.lab.part.bias");
        case Part::mlp: return "MLP";
        case Part::norms: return ui.text("text.lab.part.norms");
        case Part::generator_bias: return ui.text("text.lab.part.generator");
        case Part::rest: return ui.text("text.lab.part.rest");
    }
    return "";
}

/// The entries outside the blocks, one line per block, and the parts of the unfolded one.
std::vector<WaterfallLine> lines_of(const TextScene& scene, const TextLedger& ledger, int word) {
    const Ui& ui = scene.ui;
    std::vector<WaterfallLine> lines;
    std::size_t header = 0;  // index of the line of the entry's block
    for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
        const TextLedgerEntry& e = ledger.entries[i];
        const auto amount = static_cast<double>(ledger.contributions(i, static_cast<std::size_t>(word)));
        if (e.block == 0) {
            lines.push_back({name_of(e), part_name(ui, e), amount});
            continue;
        }
        if (lines.empty() || lines.back().block != e.block)
            lines.push_back({"block." + std::to_string(e.block),
                             ui.text("text.layer", {{"block", ui.ordinal(e.block - 1)}}), 0, e.block});
        if (lines.back().is_block()) header = lines.size() - 1;
        lines[header].amount += amount;
        lines[header].open = e.block == scene.selection.focus.lab.unfolded;
        if (lines[header].open)
            lines.push_back(
                {name_of(e), part_name(ui, e), amount, e.block, e.part == Part::head ? static_cast<int>(i) : -1, true});
    }
    return lines;
}

/// A click on a head opens its chapter; a click on a block unfolds or folds its parts.
void click_line(const TextScene& scene, const TextLedger& ledger, const WaterfallLine& line) {
    if (line.part >= 0) {
        const TextLedgerEntry& e = ledger.entries[static_cast<std::size_t>(line.part)];
        scene.look().lab.kind = e.attention;
        open_head(scene.draft(), scene.now, e.block, e.head);
    } else if (line.is_block()) {
        int& unfolded = scene.selection.focus.lab.unfolded;
        unfolded = unfolded == line.block ? 0 : line.block;
    }
}

void ledger_view(const TextScene& scene) {
    const Subject subject = subject_in(scene.now, scene.selection);
    const TextLedger& ledger = scene.now.measures.ledgers[static_cast<std::size_t>(subject.row)];
    const std::string name = output_name(scene.ui, scene.now, subject.word);
    const std::vector<WaterfallLine> lines = lines_of(scene, ledger, subject.word);
    double sum = 0;
    for (const WaterfallLine& line : lines) sum += line.added();
    const Tensor2& probabilities = scene.now.run.trace.generator->probabilities;
    const std::string total = scene.ui.text(
        "text.lab.ledger.sum",
        {{"word", in_quotes(name)},
         {"logit", number_text(sum)},
         {"probability", probability_text(static_cast<double>(probabilities(
                             static_cast<std::size_t>(subject.row), static_cast<std::size_t>(subject.word))))}});
    const Rect& a = scene.area;
    const float head = text_caption(scene, {a.x0, a.y0}, total, scene.palette().text) + scene.px(10);
    scene.ui.probe.mark("text.lab.sum", a, sum, name);
    const int clicked = waterfall_figure(scene.canvas, scene.ui, {a.x0, a.y0 + head, a.x1, a.y1},
                                         {"text.lab.part", lines}, scene.selection);
    if (clicked >= 0) click_line(scene, ledger, lines[static_cast<std::size_t>(clicked)]);
}

/// Choice of the word among the best candidates.
void ledger_controls(const TextScene& scene) {
    constexpr int offered = 5;
    const Ui& ui = scene.ui;
    const Subject subject = subject_in(scene.now, scene.selection);
    const std::vector<WordCandidate> all =
        likely_outputs(scene.now, scene.now.run.trace.generator->probabilities, subject.row, offered);
    control_label(ui, ui.text("text.lab.which_word"));
    std::string& chosen = scene.look().lab.word;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string words =
            output_name(ui, scene.now, all[i].word) + "   " + probability_text(all[i].probability);
        if (button(ui, {"text.lab.word." + std::to_string(i), words, ui.text("text.lab.which_word_tip"), {}},
                   {all[i].word == subject.word ? Emphasis::primary : Emphasis::quiet, {}, -1, true}))
            chosen = output_word(scene.now, all[i].word);
    }
    if (!chosen.empty() &&
        button(ui, {"text.lab.word.said", ui.text("text.lab.word_said"), ui.text("text.lab.word_said_tip"), {}},
               {Emphasis::plain, {}, -1}))
        chosen.clear();
}

Table ledger_table(const TextResult& now, const Selection& selection) {
    const TextLedger& ledger = now.measures.ledgers[static_cast<std::size_t>(subject_in(now, selection).row)];
    std::vector<std::string> rows, columns;
    for (const TextLedgerEntry& e : ledger.entries) rows.push_back(name_of(e));
    for (int i = 0; i < static_cast<int>(ledger.contributions.shape()[1]); ++i) columns.push_back(output_word(now, i));
    Table t = table_of("ledger", std::move(rows), std::move(columns));
    t.values.assign(ledger.contributions.begin(), ledger.contributions.end());
    return t;
}

TextChapter ledger_chapter(const TextResult& now, const TextLook&) {
    return now.model->config.has_decoder() ? TextChapter::generator : TextChapter::cls;
}

/// Contributions to the logit of A's word.
Comparison ledger_compared(const TextPair& pair) {
    Comparison all;
    const Subject subject = subject_in(pair.a.now, pair.a.selection);
    const auto of = [](const TextLooked& run, int row) -> const TextLedger& {
        return run.now.measures.ledgers[static_cast<std::size_t>(row)];
    };
    const std::string word = output_name(pair.ui, pair.a.now, subject.word);
    add_both(pair, all,
             {.id = "difference.text_ledger",
              .title = pair.ui.text("difference.text_ledger", {{"word", in_quotes(word)}}),
              .name =
                  [&ui = pair.ui, &entries = of(pair.a, subject.row).entries](int i) {
                      const TextLedgerEntry& e = entries[static_cast<std::size_t>(i)];
                      const std::string block =
                          e.block == 0 ? "" : ui.text("text.layer", {{"block", ui.ordinal(e.block - 1)}}) + " · ";
                      return block + part_name(ui, e);
                  }},
             [&](const TextLooked& run) {
                 std::vector<float> parts;
                 const TextLedger& ledger = of(run, speaking_row(run.now, run.selection));
                 const bool fits = same_vocabulary(pair) && ledger.entries == of(pair.a, subject.row).entries;
                 for (std::size_t i = 0; fits && i < ledger.entries.size(); ++i)
                     parts.push_back(ledger.contributions(i, static_cast<std::size_t>(subject.word)));
                 return parts;
             });
    return all;
}

}  // namespace

TextInstrumentRow text_ledger_instrument() {
    return {.instrument = TextInstrument::ledger,
            .view = ledger_view,
            .narrow = true,
            .controls = ledger_controls,
            .chapter = ledger_chapter,
            .table = ledger_table,
            .compared = ledger_compared};
}

}  // namespace vitrine
