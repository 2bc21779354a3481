#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/choices.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_difference.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/probability.h"
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
struct Asked {
    int row = 0, word = 0;
};
Asked asked_in(const TextResult& now, const Selection& selection) {
    Asked asked{speaking_row(now, selection), 0};
    asked.word = now.measures.said[static_cast<std::size_t>(asked.row)];
    const std::string& wanted = selection.focus.text.lab.word;
    const auto count = static_cast<int>(now.measures.ledgers[0].contributions.shape()[1]);
    for (int i = 0; i < count && !wanted.empty(); ++i)
        if (said_word(now, i) == wanted) asked.word = i;
    return asked;
}

std::string part_name(const Ui& ui, const TextLedgerEntry& e) {
    const std::string attention = ui.text("text.lab.kind." + std::string(name_of(e.attention)));
    const std::string layer = ui.text("text.layer", {{"block", ui.ordinal(e.block - 1)}});
    switch (e.part) {
        case Part::word: return ui.text("text.lab.part.word");
        case Part::position: return ui.text("text.lab.part.position");
        case Part::head:
            return layer + " · " + attention + " · " + ui.text("text.head", {{"head", ui.ordinal(e.head)}});
        case Part::projection_bias: return layer + " · " + attention + " · " + ui.text("text.lab.part.bias");
        case Part::mlp: return layer + " · MLP";
        case Part::norms: return ui.text("text.lab.part.norms");
        case Part::generator_bias: return ui.text("text.lab.part.generator");
        case Part::rest: return ui.text("text.lab.part.rest");
    }
    return "";
}

Color colour_of(const Palette& p, const TextLedgerEntry& e) {
    switch (e.part) {
        case Part::head: return e.attention == TextAttention::cross ? p.key : p.query;
        case Part::mlp: return p.mlp;
        case Part::norms: return p.norm;
        case Part::word:
        case Part::position: return p.residual;
        case Part::projection_bias:
        case Part::generator_bias:
        case Part::rest: return p.muted;
    }
    return p.muted;
}

/// Position of the bars between names and numbers.
struct Bars {
    float zero, unit;  // `unit`: pixels for 1
};

/// An entry: name, bar around 0, number.
void draw_entry(const TextScene& scene, const Bars& bars, const TextLedgerEntry& e, double value) {
    const Palette& p = scene.palette();
    const Rect& a = scene.area;
    const std::string id = "text.lab.part." + name_of(e), name = part_name(scene.ui, e), number = signed_text(value);
    const Hit hit = hot_area(scene.ui, id, a, name);
    if (hit.at) {
        scene.canvas.fill(a, p.raised, scene.px(4));
        readout(scene.ui, std::vector<std::string>{name, full_text(value)});
    }
    const float line = scene.canvas.measure("", Font::caption).y, y = a.centre().y - line / 2;
    scene.canvas.text({a.x0 + scene.px(4), y}, name, {Font::caption, p.text, Align::left});
    const float end = bars.zero + bars.unit * static_cast<float>(value);
    const float half = std::min(a.height() * 0.32F, scene.px(8));
    scene.canvas.fill({std::min(bars.zero, end), a.centre().y - half, std::max(bars.zero, end), a.centre().y + half},
                      colour_of(p, e), scene.px(2));
    scene.canvas.text({a.x1 - scene.px(4), y}, number, {Font::caption, p.text, Align::right});
    scene.ui.probe.mark(id + ".value", a, value, number);
    if (hit.clicked && e.part == Part::head) {
        scene.look().lab.kind = e.attention;
        open_head(scene.draft(), scene.now, e.block, e.head);
    }
}

void ledger_view(const TextScene& scene) {
    const Palette& p = scene.palette();
    const Asked asked = asked_in(scene.now, scene.selection);
    const TextLedger& ledger = scene.now.measures.ledgers[static_cast<std::size_t>(asked.row)];
    const auto word = static_cast<std::size_t>(asked.word);
    const std::string name = said_name(scene.ui, scene.now, asked.word);
    float most = 0, least = 0, widest = 0;
    double sum = 0;
    for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
        most = std::max(most, ledger.contributions(i, word));
        least = std::min(least, ledger.contributions(i, word));
        sum += static_cast<double>(ledger.contributions(i, word));
        widest = std::max(widest, scene.canvas.measure(part_name(scene.ui, ledger.entries[i]), Font::caption).x);
    }
    const Tensor2& probabilities = scene.now.run.trace.generator->probabilities;
    const std::string total =
        scene.ui.text("text.lab.ledger.sum", {{"word", in_quotes(name)},
                                              {"logit", number_text(sum)},
                                              {"probability", probability_text(static_cast<double>(probabilities(
                                                                  static_cast<std::size_t>(asked.row), word)))}});
    const float head = text_caption(scene, {scene.area.x0, scene.area.y0}, total, p.text) + scene.px(10);
    scene.ui.probe.mark("text.lab.sum", scene.area, sum, name);
    const float numbers = scene.canvas.measure("+0.0000", Font::caption).x + scene.px(14);
    const float left = scene.area.x0 + widest + scene.px(20), right = scene.area.x1 - numbers;
    const float unit = most > least ? (right - left) / (most - least) : 0;
    const Bars bars{left - unit * least, unit};
    const float step = std::min(scene.px(34), (scene.area.height() - head) / static_cast<float>(ledger.entries.size()));
    scene.canvas.line({bars.zero, scene.area.y0 + head},
                      {bars.zero, scene.area.y0 + head + step * static_cast<float>(ledger.entries.size())}, p.line,
                      scene.px(1));
    for (std::size_t i = 0; i < ledger.entries.size(); ++i) {
        const float y = scene.area.y0 + head + step * static_cast<float>(i);
        draw_entry(scene.in({scene.area.x0, y, scene.area.x1, y + step}), bars, ledger.entries[i],
                   static_cast<double>(ledger.contributions(i, word)));
    }
}

/// Choice of the word among the best candidates.
void ledger_controls(const TextScene& scene) {
    constexpr int offered = 5;
    const Ui& ui = scene.ui;
    const Asked asked = asked_in(scene.now, scene.selection);
    const Tensor2& p = scene.now.run.trace.generator->probabilities;
    const float* const row = &p(static_cast<std::size_t>(asked.row), 0);
    std::vector<WordCandidate> all;
    for (int i = 0; i < static_cast<int>(p.shape()[1]); ++i) all.push_back({i, static_cast<double>(row[i])});
    std::ranges::stable_sort(all, std::ranges::greater(), &WordCandidate::probability);
    if (all.size() > offered) all.resize(offered);
    control_label(ui, ui.text("text.lab.which_word"));
    std::string& chosen = scene.look().lab.word;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::string words = said_name(ui, scene.now, all[i].word) + "   " + probability_text(all[i].probability);
        if (button(ui, {"text.lab.word." + std::to_string(i), words, ui.text("text.lab.which_word_tip"), {}},
                   {all[i].word == asked.word ? Emphasis::primary : Emphasis::quiet, {}, -1, true}))
            chosen = said_word(scene.now, all[i].word);
    }
    if (!chosen.empty() &&
        button(ui, {"text.lab.word.said", ui.text("text.lab.word_said"), ui.text("text.lab.word_said_tip"), {}},
               {Emphasis::plain, {}, -1}))
        chosen.clear();
}

Table ledger_table(const TextResult& now, const Selection& selection) {
    const TextLedger& ledger = now.measures.ledgers[static_cast<std::size_t>(asked_in(now, selection).row)];
    std::vector<std::string> rows, columns;
    for (const TextLedgerEntry& e : ledger.entries) rows.push_back(name_of(e));
    for (int i = 0; i < static_cast<int>(ledger.contributions.shape()[1]); ++i) columns.push_back(said_word(now, i));
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
    const Asked asked = asked_in(pair.a.now, pair.a.selection);
    const auto of = [](const TextLooked& run, int row) -> const TextLedger& {
        return run.now.measures.ledgers[static_cast<std::size_t>(row)];
    };
    const std::string word = said_name(pair.ui, pair.a.now, asked.word);
    add_both(pair, all,
             {.id = "difference.text_ledger",
              .title = pair.ui.text("difference.text_ledger", {{"word", in_quotes(word)}}),
              .name = [&ui = pair.ui, &entries = of(pair.a, asked.row).entries](
                          int i) { return part_name(ui, entries[static_cast<std::size_t>(i)]); }},
             [&](const TextLooked& run) {
                 std::vector<float> parts;
                 const TextLedger& ledger = of(run, speaking_row(run.now, run.selection));
                 const bool fits = same_vocabulary(pair) && ledger.entries == of(pair.a, asked.row).entries;
                 for (std::size_t i = 0; fits && i < ledger.entries.size(); ++i)
                     parts.push_back(ledger.contributions(i, static_cast<std::size_t>(asked.word)));
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
