#include <algorithm>

#include "app/rooms/figures/computation.h"
#include "app/rooms/figures/scene.h"
#include "app/rooms/room.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/text_result.h"
#include "app/workspace/workspace.h"
#include "core/text/text_config.h"
#include "core/vit/model.h"

// Back to the Vision Transformer: common parts and differences, read from both models.

namespace vitrine {

namespace text_patches_parts {

struct Line {
    std::string id;  // key "text.patches.<id>"
    std::string words, patches;
};

std::string shape_of_words(const Ui& ui, const TextConfig& c) {
    return ui.text("text.shape." + std::string(name_in(text_shapes, c.shape)));
}

std::vector<Line> lines_of(const Ui& ui, const TextResult& now, const Config* vit) {
    const TextConfig& c = now.model->config;
    const Text& text = ui.text;
    const auto norm = [&](Norm n) { return text("text.norm." + std::string(name_of(n))); };
    const auto count = [](std::int64_t n) { return count_text(n); };
    const std::string none = "–";
    // Encoder and decoder each read a text; a model with only one of them reads one text.
    const auto of_both = [&](auto encoder, auto decoder) {
        return c.has_cross() ? count(encoder) + " + " + count(decoder) : count(std::max(encoder, decoder));
    };
    return {
        {"parts", shape_of_words(ui, c), vit ? text("text.shape.classifier") : none},
        {"token", text("text.patches.word", {{"count", of_both(now.model->source.size(), now.model->target.size())}}),
         vit ? text("text.patches.patch", {{"size", count(vit->patch_size)}, {"numbers", count(vit->patch_dim())}})
             : none},
        {"count", of_both(source_tokens(now, now.run).size(), target_tokens(now, now.run).size()),
         vit ? count(vit->tokens()) : none},
        {"scale", c.scaled ? "√D" : "1", vit ? "1" : none},
        {"order", text("text.order." + std::string(name_in(positions_table, c.positions))),
         vit ? text("text.order.learned") : none},
        {"norm", norm(c.norm), vit ? norm(vit->norm) : none},
        {"activation", activation_words(c.activation), vit ? activation_words(vit->activation) : none},
        {"blocks", of_both(c.blocks, c.decoder_blocks), vit ? count(vit->blocks) : none},
        {"width", count(c.embedding_dim), vit ? count(vit->embedding_dim) : none},
        {"heads", count(c.heads), vit ? count(vit->heads) : none},
        {"output",
         c.shape == TextShape::classifier ? text("text.patches.class", {{"count", count(c.classes)}})
                                          : text("text.patches.next", {{"count", count(c.target_words)}}),
         vit ? text("text.patches.class", {{"count", count(vit->classes)}}) : none}};
}

void view(const TextScene& scene) {
    const Palette& p = scene.palette();
    const Result* const shown = scene.frame.shown().result.get();
    const std::vector<Line> lines = lines_of(scene.ui, scene.now, shown != nullptr ? &shown->model->config : nullptr);
    const float left = scene.area.width() * 0.26F, width = (scene.area.width() - left) / 2;
    const float head = scene.px(44);
    const float height =
        std::min(scene.px(58), (scene.area.height() - head - scene.px(40)) / static_cast<float>(lines.size()));
    const float columns[] = {scene.area.x0 + left, scene.area.x0 + left + width};
    const std::string heads[] = {
        scene.ui.text("text.patches.text"),
        shown != nullptr ? scene.ui.text("text.patches.image", {{"name", model_title(scene.ui.text, *shown->model)}})
                         : scene.ui.text("text.patches.waiting")};
    for (int i = 0; i < 2; ++i)
        scene.canvas.text({columns[i], scene.area.y0},
                          fitted(scene.canvas, heads[i], Font::strong, width - scene.px(12)),
                          {Font::strong, i == 0 ? p.accent : p.key, Align::left});
    const auto height_in = [&](const std::string& words, Font font) {
        return measure_rich(scene.canvas, {words, font, {}, Align::left}, width - scene.px(14)).y;
    };
    const bool roomy = std::ranges::all_of(lines, [&](const Line& line) {
        return std::max(height_in(line.words, Font::body), height_in(line.patches, Font::body)) <= height;
    });
    const Font font = roomy ? Font::body : Font::caption;  // smaller where a row is too low
    float y = scene.area.y0 + head;
    bool some_same = false;
    for (const Line& line : lines) {
        const bool same = line.words == line.patches;
        some_same = some_same || same;
        const Rect row{scene.area.x0, y, scene.area.x1, y + height - scene.px(3)};
        scene.canvas.fill(row, same ? p.panel : p.raised, scene.px(5));
        const auto put = [&](float x, const std::string& words, Color color, float room) {
            const RichText text{words, font, color, Align::left};
            const float high = measure_rich(scene.canvas, text, room).y;
            rich_text(scene.canvas, scene.ui, {x, row.centre().y - high / 2, x + room, row.y1}, text);
        };
        put(row.x0 + scene.px(10), scene.ui.text("text.patches." + line.id), p.muted, left - scene.px(16));
        put(columns[0], line.words, same ? p.muted : p.text, width - scene.px(14));
        put(columns[1], line.patches, same ? p.muted : p.text, width - scene.px(14));
        scene.ui.probe.mark("text.compared." + line.id, row, same ? 1 : 0, line.words + " | " + line.patches);
        y += height;
    }
    text_note(scene.in({scene.area.x0, y + scene.px(8), scene.area.x1, scene.area.y1}),
              scene.ui.text(some_same ? "text.patches.note_same" : "text.patches.note"));
}

std::vector<Fact> facts(const TextTold& told) {
    const Result* const shown = told.workspace.shown.result.get();
    if (shown == nullptr) return {};
    const std::vector<Line> lines = lines_of(told.ui, told.now, &shown->model->config);
    const auto differ = std::ranges::count_if(lines, [](const Line& l) { return l.words != l.patches; });
    return {{told.ui.text("text.fact.differ"), count_text(differ), {}},
            {told.ui.text("text.fact.same"), count_text(static_cast<std::int64_t>(lines.size()) - differ), {}}};
}

bool answered(const TextTried& tried) { return tried.now.model->config.shape == TextShape::classifier; }

}  // namespace text_patches_parts

TextChapterRow patches_chapter() {
    return {.id = name_of(TextChapter::patches),
            .own = {.view = text_patches_parts::view},
            .facts = text_patches_parts::facts,
            .answered = text_patches_parts::answered};
}

}  // namespace vitrine
