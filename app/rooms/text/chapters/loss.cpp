#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/measures/analysis.h"
#include "core/text/text_trace.h"

// Training: the right words go in, and at every position the next one should come out.

namespace vitrine {

namespace text_loss_parts {

/// A position of the gold text.
struct Place {
    std::string reads, wanted;
    int id = 0;
    double probability = 0, loss = 0;  // loss in nats: −Σ q log p, q the smoothed target
};
std::vector<Place> places_of(const TextResult& now, float smoothing) {
    std::vector<Place> places;
    if (!now.taught) return places;
    const TextTrace& trace = now.taught->trace;
    const GeneratorTrace& said = *trace.generator;
    const auto epsilon = static_cast<double>(smoothing);
    for (std::size_t row = 0; row < now.taught->wanted.size(); ++row) {
        const int id = trace.batch->gold[row];
        const auto gold = static_cast<std::size_t>(id);
        const std::span<const float> logits(&said.logits(row, 0), said.logits.shape()[1]);
        const double above_mean = static_cast<double>(logits[gold]) - static_cast<double>(summarise(logits).mean);
        places.push_back({now.model->target.word(trace.batch->target.ids[row]), now.taught->wanted[row], id,
                          static_cast<double>(said.probabilities(row, gold)),
                          cross_entropy(logits, id) + epsilon * above_mean});  // log Σ exp cancels
    }
    return places;
}

double mean_loss(const std::vector<Place>& places) {
    double sum = 0;
    for (const Place& place : places) sum += place.loss;
    return places.empty() ? 0 : sum / static_cast<double>(places.size());
}

/// A loss with enough digits that its exponential rounds to the perplexity shown.
std::string nats_of_perplexity(double loss) {
    return digits_text(loss, digits_for(
                                 std::exp(loss), [](double x) { return std::exp(x); }, loss));
}

/// A table of all positions: input word, gold word, its probability and its loss.
void draw_costs(const TextScene& scene, const std::vector<Place>& places) {
    const Palette& p = scene.palette();
    const Text& text = scene.ui.text;
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    begin_child({"text.places_of_loss", scene.area.width(), scene.area.height(), false, false, 0});
    WindowCanvas canvas(ImGui::GetWindowDrawList(), scene.ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, line = canvas.measure("", Font::body).y;
    const float height =
        std::max(line + scene.px(6),
                 std::min(scene.px(38), (scene.area.height() - scene.px(30)) / static_cast<float>(places.size() + 1)));
    float words = scene.px(90);
    for (const Place& place : places)
        words = std::max({words, canvas.measure(place.reads, Font::body).x + scene.px(26),
                          canvas.measure(place.wanted, Font::body).x + scene.px(26)});
    const float number =
        std::max(canvas.measure("100.0 %", Font::mono).x, canvas.measure(text("text.loss.p"), Font::caption).x) +
        scene.px(20);
    const float columns[] = {0, words, 2 * words, 2 * words + number};
    const char* const heads[] = {"text.loss.reads", "text.loss.wanted"};
    for (int i = 0; i < 2; ++i)
        canvas.text({at.x + columns[i], at.y}, text(heads[i]), {Font::caption, p.muted, Align::left});
    canvas.text({at.x + columns[3] - scene.px(20), at.y}, text("text.loss.p"), {Font::caption, p.muted, Align::right});
    canvas.text({at.x + columns[3], at.y}, text("text.loss.cost"), {Font::caption, p.muted, Align::left});
    float cost = 0;
    for (const Place& place : places)
        cost = std::max(cost, canvas.measure(number_text(place.loss), Font::mono).x + scene.px(14));
    double high = 1;
    for (const Place& place : places) high = std::max(high, place.loss);
    float y = at.y + scene.px(28);
    for (std::size_t i = 0; i < places.size(); ++i, y += height) {
        const Place& place = places[i];
        const Rect row{at.x, y, at.x + width, y + height - scene.px(2)};
        const std::string id = "text.loss." + std::to_string(i);
        const Hit hit = hot_area(scene.ui, id, row, place.wanted);
        const bool chosen = static_cast<int>(i) == target_in_view(scene.now, scene.selection);
        if (chosen || hit.at) canvas.fill(row, p.raised, scene.px(5));
        if (hit.at) scene.selection.hover_target(static_cast<int>(i));
        if (hit.clicked) scene.look().target = static_cast<int>(i);
        const float top = row.centre().y - line / 2;
        canvas.text({at.x + scene.px(6), top}, place.reads, {Font::body, p.text, Align::left});
        canvas.text({at.x + columns[1] - scene.px(18), top}, "→", {Font::body, p.muted, Align::left});
        canvas.text({at.x + columns[1] + scene.px(6), top}, place.wanted, {Font::body, p.accent, Align::left});
        canvas.text({at.x + columns[3] - scene.px(20), top}, probability_text(place.probability),
                    {Font::mono, p.text, Align::right});
        const Rect track{at.x + columns[3], row.y0 + scene.px(8), row.x1 - cost, row.y1 - scene.px(8)};
        if (!track.empty()) {
            canvas.fill(track, p.line.with_alpha(0.4F), scene.px(3));
            const float part = static_cast<float>(std::clamp(place.loss / high, 0.0, 1.0));
            if (part > 0)
                canvas.fill({track.x0, track.y0, track.x0 + part * track.width(), track.y1}, p.negative, scene.px(3));
        }
        canvas.text({row.x1 - scene.px(4), top}, number_text(place.loss), {Font::mono, p.muted, Align::right});
        scene.ui.probe.mark("text.loss.value." + std::to_string(i), row, place.loss, place.wanted);
    }
    ImGui::SetCursorScreenPos({at.x, y});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

void view(const TextScene& scene) {
    const std::vector<Place> places = places_of(scene.now, scene.look().smoothing);
    if (places.empty()) return;
    const float foot = scene.px(104);
    float y = scene.area.y0;
    if (scene.now.model->task == TextTask::translate)
        y += text_note(scene, scene.ui.text(scene.now.taught->own ? "text.loss.own" : "text.loss.right"), Font::body) +
             scene.px(10);
    draw_costs(scene.in({scene.area.x0, y, scene.area.x1, scene.area.y1 - foot}), places);
    const double loss = mean_loss(places), plain = mean_loss(places_of(scene.now, 0));
    const Rect below{scene.area.x0, scene.area.y1 - foot + scene.px(12), scene.area.x1, scene.area.y1};
    float& smoothing = scene.look().smoothing;
    stage_slider(
        scene.in({below.x0, below.y0, below.x0 + below.width() * 0.40F, below.y1}),
        {"text.smoothing", {0, 0.5F, 0.05F, [](float e) { return "ε = " + number_text(static_cast<double>(e)); }}},
        smoothing);
    const std::string told = scene.ui.text("text.loss.told", {{"loss", number_text(loss)},
                                                              {"plain", nats_of_perplexity(plain)},
                                                              {"perplexity", number_text(std::exp(plain))}});
    const Rect words{below.x0 + below.width() * 0.44F, below.y0, below.x1, below.y1};
    text_note(scene.in(words), told, Font::body);
    scene.ui.probe.mark("text.loss.mean", words, loss, told);
    scene.ui.probe.mark("text.perplexity", words, std::exp(plain));
}

std::vector<Fact> facts(const TextTold& told) {
    const std::vector<Place> plain = places_of(told.now, 0);
    const auto right = std::ranges::count_if(plain, [&](const Place& p) { return p.probability > 0.5; });
    const bool smooth = told.look().smoothing > 0;  // the numbers below are without label smoothing
    return {number_fact(told.ui.text(smooth ? "text.fact.loss_plain" : "text.fact.loss"), mean_loss(plain)),
            number_fact(told.ui.text("text.fact.perplexity"), std::exp(mean_loss(plain))),
            {told.ui.text("text.fact.sure"), std::to_string(right) + " / " + std::to_string(plain.size()), {}},
            number_fact("log V", std::log(static_cast<double>(told.now.model->target.size())))};
}

std::string answer(const TextTold& told) {
    const std::vector<Place> plain = places_of(told.now, 0);
    const int words = told.now.model->target.size();
    return told.ui.text("text.loss.answer", {{"count", count_text(words)},
                                             {"guess", number_text(std::log(static_cast<double>(words)))},
                                             {"loss", nats_of_perplexity(mean_loss(plain))},
                                             {"perplexity", number_text(std::exp(mean_loss(plain)))}});
}

bool answered(const TextTried& tried) { return tried.look.smoothing > 0; }

std::vector<std::string> switches(const TextTold&) { return {"no-mask"}; }

}  // namespace text_loss_parts

TextChapterRow loss_chapter() {
    return {.id = name_of(TextChapter::loss),
            .own = {.view = text_loss_parts::view},
            .facts = text_loss_parts::facts,
            .switches = text_loss_parts::switches,
            .answer = text_loss_parts::answer,
            .answered = text_loss_parts::answered};
}

}  // namespace vitrine
