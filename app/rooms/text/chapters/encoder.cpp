#include <algorithm>
#include <cmath>
#include <iterator>

#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "core/studies/normalisation.h"
#include "core/text/text_what_ifs.h"
#include "core/transformer/block_trace.h"

// A word's path through an encoder block: attention, sum, norm, feed-forward, sum, norm.

namespace vitrine {

namespace text_encoder_parts {

constexpr float least_row = 2.6F;  // in lines of a caption; one of them is the row's name above its bars

int block_here(const TextResult& now, const TextLook& look) { return block_in(now, TextAttention::encoder, look); }

/// A vector on the word's path through the block.
struct Station {
    const char* id;  // key of its name: "text.encoder.<id>"
    std::vector<float> values;
    Color color;
};

std::vector<float> sum_of(const std::vector<float>& a, const std::vector<float>& b) {
    std::vector<float> sum(a);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += b[i];
    return sum;
}

std::vector<Station> stations_of(const TextResult& now, const Selection& selection, Norm norm, const Palette& p) {
    const int block = block_here(now, selection.focus.text), row = source_in_view(now, selection);
    const auto held = now.run.trace.encoder.block(block);
    const BlockTrace& t = *held;
    const std::vector<float> z = numbers_of(now.run.trace.encoder.z(block - 1), row), msa = numbers_of(t.msa, row),
                             mid = numbers_of(t.residual, row), mlp = numbers_of(t.mlp.out, row),
                             out = numbers_of(*t.z, row);
    if (norm == Norm::after)
        return {{"z", z, p.residual},     {"msa", msa, p.query}, {"sum", sum_of(z, msa), p.text},
                {"norm", mid, p.norm},    {"ffn", mlp, p.mlp},   {"sum", sum_of(mid, mlp), p.text},
                {"norm_out", out, p.norm}};
    return {
        {"z", z, p.residual}, {"msa", msa, p.query}, {"mid", mid, p.text}, {"ffn", mlp, p.mlp}, {"out", out, p.text}};
}

void view(const TextScene& scene) {
    const std::vector<Station> stations =
        stations_of(scene.now, scene.selection, norm_in_view(scene.now, scene.experiment()), scene.palette());
    const TextTokens tokens = source_tokens(scene.now, scene.now.run);
    const int row = source_in_view(scene.now, scene.selection);
    const int block = block_here(scene.now, scene.look());
    const float head = scene.px(34), gap = scene.px(10);
    scene.canvas.text(
        {scene.area.x0, scene.area.y0},
        scene.ui.text("text.encoder.way", {{"word", in_quotes(tokens.words[static_cast<std::size_t>(row)])},
                                           {"block", scene.ui.ordinal(block - 1)}}),
        {Font::strong, scene.palette().accent, Align::left});
    const auto count = static_cast<float>(stations.size());
    const float height = (scene.area.height() - head - gap * (count - 1)) / count;
    const float line = scene.canvas.measure("", Font::caption).y;
    const auto name_of_station = [&](const Station& s) { return scene.ui.text("text.encoder." + std::string(s.id)); };
    float beside = 0;  // width of the names left of the bars, where rows are too low for a name above
    if (height < least_row * line)
        for (const Station& s : stations)
            beside = std::max(beside, scene.canvas.measure(name_of_station(s) + "    ± 00.00", Font::caption).x);
    float y = scene.area.y0 + head;
    int place = 0;
    for (const Station& s : stations) {
        const Moments m = moments_of(s.values);
        const std::string moments = scene.ui.text(
            "text.encoder.moments", {{"mean", number_text(m.mean)}, {"deviation", number_text(m.deviation)}});
        text_vector(
            scene.in({scene.area.x0, y, scene.area.x1, y + height}),
            {"text.station." + std::to_string(place), name_of_station(s), s.values, 0, s.color, moments, beside});
        scene.ui.probe.mark("text.deviation." + std::to_string(place), {scene.area.x0, y, scene.area.x1, y + height},
                            m.deviation, s.id);
        ++place;
        y += height + gap;
    }
}

std::vector<Fact> facts(const TextTold& told) {
    const Norm norm = norm_in_view(told.now, told.experiment);
    const std::vector<Station> stations = stations_of(told.now, told.selection, norm, told.ui.theme.palette);
    std::vector<Fact> facts = {
        {told.ui.text("text.fact.norm"), told.ui.text("text.norm." + std::string(name_of(norm))), {}}};
    for (const std::size_t at : {std::size_t{0}, stations.size() - 1})
        facts.push_back(number_fact(told.ui.text(at == 0 ? "text.fact.spread_in" : "text.fact.spread_out"),
                                    moments_of(stations[at].values).deviation));
    const std::vector<Fact> model = model_facts(told);
    facts.insert(facts.end(), model.begin(), model.end());
    return facts;
}

std::vector<std::string> switches(const TextTold& told) {
    std::vector<std::string> words;
    for (const Named<Norm>& other : {Named<Norm>{Norm::before, "pre-norm"}, Named<Norm>{Norm::after, "post-norm"},
                                     Named<Norm>{Norm::none, "no-norm"}})
        if (other.value != told.now.model->config.norm) words.emplace_back(other.name);
    words.push_back(word_of_layer(TextAttention::encoder, block_here(told.now, told.look())));
    return words;
}

std::string equation(const TextTold& told) {
    return "text_encoder" + ending_of(norm_in_view(told.now, told.experiment));
}

/// Depends on the model's own placement of norms, since the question asks the student to move them.
std::string answer(const TextTold& told) {
    const bool before = told.now.model->config.norm == Norm::before;
    return told.ui.text(before ? "text.encoder.answer_pre" : "text.encoder.answer");
}

bool answered(const TextTried& tried) {
    return std::ranges::any_of(tried.experiment.what_ifs, [](const std::string& w) { return w.ends_with("-norm"); });
}

}  // namespace text_encoder_parts

TextChapterRow encoder_chapter() {
    return {.id = name_of(TextChapter::encoder),
            .own = {.view = text_encoder_parts::view, .depends = {.block = true, .token = true}, .narrow = true},
            .facts = text_encoder_parts::facts,
            .switches = text_encoder_parts::switches,
            .answer = text_encoder_parts::answer,
            .answered = text_encoder_parts::answered,
            .equation = text_encoder_parts::equation};
}

}  // namespace vitrine
