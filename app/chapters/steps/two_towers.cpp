#include <cmath>

#include "app/chapters/step.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/words_beside.h"
#include "core/files/table.h"
#include "core/words/text_tower.h"

namespace vitrine {

namespace two_towers_parts {

std::vector<Fact> facts(const Ui& ui, const Result& now, const Selection& selection) {
    const WordsBeside& w = *now.words;
    if (!w.tower) return {{ui.text("fact.text_tower"), ui.text("fact.none"), {}}};
    const int power = selection.focus.dials.temperature, count = static_cast<int>(w.batch->names.size());
    const auto scale = static_cast<double>(at_temperature(w.learned, power).scale);
    std::vector<Fact> list = {
        {ui.text("fact.text_tower"),
         ui.text("two_towers.blocks", {{"blocks", count_text(w.tower->config.blocks)},
                                       {"width", count_text(w.tower->config.embedding_dim)}}),
         {}},
        shape_fact("f, g", {1, w.tower->features}),
        number_fact(ui.text("fact.learned_temperature"), 1 / static_cast<double>(w.learned.scale)),
        number_fact("τ", 1 / scale),
        number_fact("1 / τ", scale)};
    if (w.learned.bias) list.push_back(number_fact("b", static_cast<double>(*w.learned.bias)));
    list.push_back(shape_fact("S", {count, count}));
    list.push_back(number_fact(ui.text("fact.loss"), w.contrast_at(power).loss));
    if (!w.each_alone()) list.push_back(number_fact(ui.text("fact.guessed_pairs"), std::log(count)));
    return list;
}

std::string answer(const Ui& ui, const Result& now, const Selection&) {
    const WordsBeside& w = *now.words;
    if (!w.tower) return ui.text("step.two_towers.answer.no_tower");
    const int best = w.best_temperature();
    const auto temperature = [&](int power) {
        return number_text(1 / static_cast<double>(at_temperature(w.learned, power).scale));
    };
    return ui.text("step.two_towers.answer", {{"best", temperature(best)},
                                              {"least", number_text(w.contrast_at(best).loss)},
                                              {"learned", temperature(0)},
                                              {"loss", number_text(w.contrast_at(0).loss)}});
}

bool answered(const Result& now, const Selection& selection, const WhatIfs&) {
    return now.words->tower && selection.focus.dials.temperature == now.words->best_temperature();
}

std::string equation(const Result& now, const Focus&) {
    return now.words && now.words->each_alone() ? "two_towers_sigmoid" : "two_towers";
}

/// Each text's cosine with the image and its probability.
Table table(const Result& now, const Selection& selection) {
    const WordsBeside& w = *now.words;
    if (!w.tower || w.texts.empty()) return {};
    Table table =
        table_of_columns("words", "text",
                         {{"cosine", w.cosine},
                          {"probability", w.probability[place_of_temperature(selection.focus.dials.temperature)]}});
    table.labels.front() = w.texts;
    return table;
}

}  // namespace two_towers_parts

Step two_towers_step() {
    return {.id = "two_towers",
            .own = {.node = Node::nowhere, .beside = {.words = true}, .table = two_towers_parts::table},
            .facts = two_towers_parts::facts,
            .answer = two_towers_parts::answer,
            .answered = two_towers_parts::answered,
            .equation = two_towers_parts::equation};
}

}  // namespace vitrine
