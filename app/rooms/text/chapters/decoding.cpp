#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/platform/imgui_compat.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/room.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/text_result.h"
#include "core/text/decoded_text.h"
#include "core/text/text_config.h"
#include "core/text/vocabulary.h"

// Decoding word by word: the chosen word, its alternatives, and the consequences of another choice.

namespace vitrine {

namespace text_decoding_parts {

int first_row(const TextResult& now) {
    return now.model->config.shape == TextShape::language_model ? static_cast<int>(now.words.size()) : 0;
}

void draw_method(const TextScene& scene) {
    const Text& text = scene.ui.text;
    std::vector<Control> controls;
    int chosen = 0;
    for (const Named<DecodingMethod>& row : decoding_methods) {
        const std::string id = "text.method." + std::string(row.name);
        if (row.value == scene.experiment().method) chosen = static_cast<int>(controls.size());
        controls.push_back({id, text(id), text(id + "_tip"), {}});
    }
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    if (segmented(scene.ui, controls, chosen)) scene.experiment().method = decoding_methods[chosen].value;
    if (scene.experiment().forced.empty()) return;
    ImGui::SameLine(0, scene.px(18));
    if (button(scene.ui, {"text.free", text("text.free"), text("text.free_tip"), scene.frame.key_of("text.back")}))
        scene.experiment().forced.clear();
}

std::string whole(float x) { return std::to_string(std::lround(x)); }

/// Draws the sliders of the chosen method; returns their height.
float draw_dials(const TextScene& scene) {
    TextExperiment& experiment = scene.experiment();
    std::vector<std::pair<StageSlider, float>> dials;
    const auto number = [](float x) { return number_text(static_cast<double>(x)); };
    if (experiment.method == DecodingMethod::beam)
        dials.push_back({{"text.width", {1, 8, 1, whole}}, static_cast<float>(experiment.width)});
    if (experiment.method == DecodingMethod::sample) {
        dials.push_back({{"text.temperature", {0.1F, 3, 0.1F, number}}, experiment.temperature});
        dials.push_back(
            {{"text.top_k", {0, 20, 1, [&](float x) { return x < 0.5F ? scene.ui.text("text.all_words") : whole(x); }}},
             static_cast<float>(experiment.top_k)});
        dials.push_back({{"text.top_p", {0.1F, 1, 0.05F, number}}, experiment.top_p});
        dials.push_back({{"text.seed", {1, 50, 1, whole}}, static_cast<float>(experiment.seed)});
    }
    if (dials.empty()) return 0;
    const float height = scene.px(64), gap = scene.px(24);
    const float width = std::min(scene.px(300), (scene.area.width() - gap * static_cast<float>(dials.size() - 1)) /
                                                    static_cast<float>(dials.size()));
    float x = scene.area.x0;
    for (auto& [dial, value] : dials) {
        if (stage_slider(scene.in({x, scene.area.y0, x + width, scene.area.y0 + height}), dial, value)) {
            const std::string_view id = dial.id;
            if (id == "text.width") experiment.width = static_cast<int>(std::lround(value));
            if (id == "text.temperature") experiment.temperature = value;
            if (id == "text.top_k") experiment.top_k = static_cast<int>(std::lround(value));
            if (id == "text.top_p") experiment.top_p = value;
            if (id == "text.seed") experiment.seed = static_cast<int>(std::lround(value));
        }
        x += width + gap;
    }
    return height + scene.px(6);
}

/// A row for each decoding step: the chosen word, then the next most probable ones; a click forces a word.
void draw_steps(const TextScene& scene) {
    const Palette& p = scene.palette();
    const Vocabulary& words = scene.now.model->target;
    const auto& steps = scene.now.run.decoded.steps;
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    begin_child({"text.steps", scene.area.width(), scene.area.height(), false, false, 0});
    WindowCanvas canvas(ImGui::GetWindowDrawList(), scene.ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float right = at.x + ImGui::GetContentRegionAvail().x, line = canvas.measure("", Font::body).y;
    const float height =
        std::max(line + scene.px(10), std::min(scene.px(44), scene.area.height() / static_cast<float>(steps.size())));
    float y = at.y;
    for (std::size_t i = 0; i < steps.size(); ++i, y += height) {
        const DecodingStep& step = steps[i];
        const int row = first_row(scene.now) + static_cast<int>(i);
        const Rect whole_row{at.x, y, right, y + height - scene.px(3)};
        const bool chosen = row == target_in_view(scene.now, scene.selection);
        const float label = canvas.measure("00", Font::mono).x + scene.px(14);
        const Hit hit =
            hot_area(scene.ui, "text.step." + std::to_string(i),
                     {whole_row.x0, whole_row.y0, whole_row.x0 + label, whole_row.y1}, words.word(step.taken.word));
        if (hit.clicked) scene.look().target = row;
        if (chosen) canvas.fill(whole_row, p.raised, scene.px(5));
        const float top = whole_row.centre().y - line / 2;
        canvas.text({at.x + label - scene.px(8), top}, std::to_string(i + 1), {Font::mono, p.muted, Align::right});
        float x = at.x + label;
        std::vector<WordCandidate> shown = {step.taken};
        for (const WordCandidate& c : step.candidates)
            if (c.word != step.taken.word) shown.push_back(c);
        for (std::size_t c = 0; c < shown.size(); ++c) {
            const std::string& word = words.word(shown[c].word);
            const std::string share = probability_text(shown[c].probability);
            const float width =
                canvas.measure(word, Font::body).x + canvas.measure(share, Font::caption).x + scene.px(28);
            if (x + width > right) break;
            const Rect box{x, whole_row.y0 + scene.px(2), x + width, whole_row.y1 - scene.px(2)};
            const std::string id = "text.option." + std::to_string(i) + "." + std::to_string(c);
            const Hit option = hot_area(scene.ui, id, box, word);
            tooltip(scene.ui, scene.ui.text(c == 0 ? "text.taken_tip" : "text.take_tip", {{"word", word}}));
            canvas.fill(box, c == 0 ? p.accent.with_alpha(0.30F) : p.raised, scene.px(6));
            if (option.at || (c == 0 && step.forced)) canvas.stroke(box, p.accent, scene.px(2), scene.px(6));
            canvas.text({box.x0 + scene.px(8), top}, word, {Font::body, c == 0 ? p.text : p.muted, Align::left});
            canvas.text({box.x1 - scene.px(8), top + scene.px(2)}, share,
                        {Font::caption, c == 0 ? p.text : p.muted, Align::right});
            scene.ui.probe.mark(id + ".value", box, shown[c].probability, word);
            if (option.clicked) {
                if (c == 0)
                    scene.look().target = row;
                else
                    take_word(scene, row, shown[c].word);
            }
            x += width + scene.px(6);
        }
    }
    ImGui::SetCursorScreenPos({at.x, y});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

/// The tree of beam search from [BOS], with its extended, dropped and chosen nodes.
void draw_tree(const TextScene& scene) {
    const Palette& p = scene.palette();
    const auto& tree = scene.now.run.decoded.tree;
    const Vocabulary& words = scene.now.model->target;
    ImGui::SetCursorScreenPos({scene.area.x0, scene.area.y0});
    begin_child(
        {"text.tree", scene.area.width(), scene.area.height(), false, false, ImGuiWindowFlags_HorizontalScrollbar});
    WindowCanvas canvas(ImGui::GetWindowDrawList(), scene.ui);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    int depth = 0;
    for (const BeamNode& node : tree) depth = std::max(depth, node.depth);
    std::vector<float> widths(static_cast<std::size_t>(depth) + 1, 0.0F);
    std::vector<int> counts(static_cast<std::size_t>(depth) + 1, 0);
    for (const BeamNode& node : tree) {
        float& width = widths[static_cast<std::size_t>(node.depth)];
        width = std::max(width, canvas.measure(words.word(node.word), Font::caption).x + scene.px(14));
        ++counts[static_cast<std::size_t>(node.depth)];
    }
    std::vector<float> left(widths.size(), at.x);
    for (std::size_t i = 1; i < widths.size(); ++i) left[i] = left[i - 1] + widths[i - 1] + scene.px(26);
    const int most = std::max(1, *std::ranges::max_element(counts));
    const float line = canvas.measure("", Font::caption).y;
    const float step =
        std::max(line + scene.px(8), std::min(scene.px(40), scene.area.height() / static_cast<float>(most)));
    std::vector<Rect> boxes;
    std::vector<int> placed(widths.size(), 0);
    for (const BeamNode& node : tree) {
        const auto d = static_cast<std::size_t>(node.depth);
        const float y = at.y + step * static_cast<float>(placed[d]++);
        boxes.push_back({left[d], y, left[d] + canvas.measure(words.word(node.word), Font::caption).x + scene.px(12),
                         y + line + scene.px(4)});
    }
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const BeamNode& node = tree[i];
        if (node.parent < 0) continue;
        const Rect& from = boxes[static_cast<std::size_t>(node.parent)];
        canvas.line({from.x1, from.centre().y}, {boxes[i].x0, boxes[i].centre().y}, node.best ? p.accent : p.line,
                    scene.px(node.best ? 3 : 1));
    }
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const BeamNode& node = tree[i];
        const std::string& word = words.word(node.word);
        const Hit hit = hot_area(scene.ui, "text.beam." + std::to_string(i), boxes[i], word);
        canvas.fill(boxes[i], node.best ? p.accent.with_alpha(0.35F) : p.raised, scene.px(5));
        if (!node.kept && !node.best) hatch(canvas, boxes[i], p.muted.with_alpha(0.4F), scene.px(6));
        canvas.text({boxes[i].x0 + scene.px(6), boxes[i].y0 + scene.px(2)}, word, {Font::caption, p.text, Align::left});
        scene.ui.probe.mark("text.beam.value." + std::to_string(i), boxes[i], node.log_probability, word);
        if (hit.at)
            readout(scene.ui, std::vector<std::string>{
                                  word, scene.ui.text("text.beam.told", {{"p", probability_text(node.probability)},
                                                                         {"sum", number_text(node.log_probability)}})});
    }
    ImGui::SetCursorScreenPos({left.back() + widths.back(), at.y + step * static_cast<float>(most)});
    ImGui::Dummy({1, 1});
    ImGui::EndChild();
}

/// The number of rows that the decoder's blocks process: with the cache one per step, without it all words so far.
std::string cache_words(const Ui& ui, const TextResult& now) {
    const DecodedText& d = now.run.decoded;
    if (d.rows == d.rows_recomputed && d.steps.size() > 1)
        return ui.text("text.cache_none", {{"rows", count_text(d.rows)}});
    return ui.text("text.cache", {{"cached", count_text(d.rows)}, {"without", count_text(d.rows_recomputed)}});
}

void view(const TextScene& scene) {
    draw_method(scene);
    Rect rest = scene.area;
    rest.y0 += scene.px(48);
    rest.y0 += draw_dials(scene.in(rest));
    const float foot = scene.canvas.measure("", Font::caption).y * 2 + scene.px(12);
    const Rect figure{rest.x0, rest.y0, rest.x1, rest.y1 - foot};
    const bool beam = scene.now.request.method == DecodingMethod::beam;
    scene.ui.probe.mark("text.decoded", figure, scene.now.run.decoded.log_probability,
                        name_in(decoding_methods, scene.now.request.method));
    if (beam) {
        draw_tree(scene.in(figure));
    } else {
        draw_steps(scene.in(figure));
    }
    const std::string told = cache_words(scene.ui, scene.now);
    text_note(scene.in({rest.x0, figure.y1 + scene.px(8), rest.x1, rest.y1}), told);
    scene.ui.probe.mark("text.cache", {rest.x0, figure.y1, rest.x1, rest.y1},
                        static_cast<double>(scene.now.run.decoded.rows), told);
}

std::vector<Fact> facts(const TextTold& told) {
    const DecodedText& d = told.now.run.decoded;
    return {{told.ui.text("text.fact.steps"), count_text(static_cast<std::int64_t>(d.steps.size())), {}},
            number_fact("log p", d.log_probability),
            number_fact("p", std::exp(d.log_probability)),
            {told.ui.text("text.fact.rows"), count_text(d.rows), {}}};
}

std::string answer(const TextTold& told) {
    const DecodedText& d = told.now.run.decoded;
    double least = 1;
    std::size_t at = 0;
    for (std::size_t i = 0; i < d.steps.size(); ++i)
        if (d.steps[i].taken.probability < least) least = d.steps[i].taken.probability, at = i;
    if (d.steps.empty()) return told.ui.text("text.decoding.answer_plain");
    return told.ui.text("text.decoding.answer",
                        {{"step", std::to_string(at + 1)},
                         {"word", in_quotes(told.now.model->target.word(d.steps[at].taken.word))},
                         {"p", probability_text(least)}});
}

bool answered(const TextTried& tried) { return !tried.experiment.forced.empty(); }

}  // namespace text_decoding_parts

TextChapterRow decoding_chapter() {
    return {.id = name_of(TextChapter::decoding),
            .own = {.view = text_decoding_parts::view, .narrow = true},
            .facts = text_decoding_parts::facts,
            .answer = text_decoding_parts::answer,
            .answered = text_decoding_parts::answered};
}

}  // namespace vitrine
