#include <algorithm>
#include <array>

#include "app/rooms/figures/scene.h"
#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/rich_text.h"
#include "app/workspace/result.h"
#include "app/workspace/text_result.h"

// Later developments: the three families of Transformers, and later uses of cross-attention.

namespace vitrine {

namespace text_after_parts {

struct Family {
    const char* id;  // text keys "text.after.<id>" and "text.after.<id>.words"
    TextTask task;   // the bundled model of this family
    bool encoder, decoder;
};
constexpr std::array families = {Family{"encoder", TextTask::sentiment, true, false},
                                 Family{"decoder", TextTask::story, false, true},
                                 Family{"both", TextTask::translate, true, true}};

/// Later uses of attention from one sequence to another.
constexpr std::array readers = {"image", "segment"};

void draw_box(const TextScene& scene, Rect rect, const std::string& words, Color color) {
    scene.canvas.fill(rect, color.with_alpha(0.20F), scene.px(7));
    scene.canvas.stroke(rect, color, scene.px(2), scene.px(7));
    const float line = scene.canvas.measure("", Font::strong).y;
    scene.canvas.text({rect.centre().x, rect.centre().y - line / 2}, words,
                      {Font::strong, scene.palette().text, Align::centre});
}

void draw_arrow(const TextScene& scene, Point from, Point to) {
    const float head = scene.px(7);
    scene.canvas.line(from, {to.x - head, to.y}, scene.palette().muted, scene.px(2));
    const Point tip[] = {{to.x - head, to.y - head}, {to.x - head, to.y + head}, to};
    scene.canvas.polygon(tip, scene.palette().muted);
}

RichText name_of_family(const TextScene& scene, const Family& family) {
    return {scene.ui.text("text.after." + std::string(family.id)), Font::strong, scene.palette().accent, Align::left};
}

RichText words_of_family(const TextScene& scene, const Family& family, Font font) {
    return {scene.ui.text("text.after." + std::string(family.id) + ".words"), font, scene.palette().text, Align::left};
}

RichText words_of_reader(const TextScene& scene, const char* reader, Font font) {
    return {scene.ui.text("text.after." + std::string(reader)), font, scene.palette().text, Align::left};
}

/// Sizes of the families' cards and of the rows below them.
struct Sizes {
    float pad, box, between;               // of a card: its margin, the height of its boxes, and the gap around them
    float read_box, read_line, read_from;  // of a row: width and height of its boxes, and the left edge of its words
};
Sizes sizes_of(const TextScene& scene) {
    const float box = scene.px(190);
    return {scene.px(16), scene.px(40), scene.px(12), box, scene.px(44), 2 * box + scene.px(80)};
}

/// The largest height of a family's name, which may take several lines.
float heading_of_families(const TextScene& scene, float width) {
    float heading = 0;
    for (const Family& one : families)
        heading = std::max(heading, measure_rich(scene.canvas, name_of_family(scene, one), width).y);
    return heading;
}

/// The height that the cards need, and that each row below them needs.
struct Needed {
    float cards = 0, row = 0;
};
Needed needed_with(const TextScene& scene, float card, Font font) {
    const Sizes s = sizes_of(scene);
    Needed needed{0, s.read_line};
    for (const Family& one : families)
        needed.cards =
            std::max(needed.cards, measure_rich(scene.canvas, words_of_family(scene, one, font), card - 2 * s.pad).y);
    needed.cards += heading_of_families(scene, card - 2 * s.pad) + s.box + 2 * s.between + 2 * s.pad;
    for (const char* const reader : readers)
        needed.row = std::max(
            needed.row,
            measure_rich(scene.canvas, words_of_reader(scene, reader, font), scene.area.width() - s.read_from).y);
    return needed;
}

void draw_family(const TextScene& scene, const Family& family, Font font) {
    const Palette& p = scene.palette();
    const std::string id = "text.family." + std::string(family.id);
    const bool shown = scene.now.model->task == family.task;
    const Hit hit = hot_area(scene.ui, id, scene.area, scene.ui.text("text.after." + std::string(family.id)));
    tooltip(scene.ui, scene.ui.text("text.after.tip"));
    scene.canvas.fill(scene.area, p.raised, scene.px(10));
    if (shown || hit.at) scene.canvas.stroke(scene.area, p.accent, scene.px(2), scene.px(10));
    if (hit.clicked) scene.draft().choose(family.task, scene.experiment().to);
    const Sizes sizes = sizes_of(scene);
    const Rect in = scene.area.inset(sizes.pad);
    const float height = sizes.box, width = (in.width() - scene.px(40)) / 2;
    const float y = in.y0 + heading_of_families(scene, in.width()) + sizes.between;
    rich_text(scene.canvas, scene.ui, in, name_of_family(scene, family));
    const bool both = family.encoder && family.decoder;
    const Rect first{in.x0, y, both ? in.x0 + width : in.x1, y + height},
        second{both ? in.x1 - width : in.x0, y, in.x1, y + height};
    if (family.encoder) draw_box(scene, first, scene.ui.text("text.stack.encoder"), p.query);
    if (family.decoder) draw_box(scene, second, scene.ui.text("text.stack.decoder"), p.value);
    if (both) draw_arrow(scene, {first.x1, y + height / 2}, {second.x0, y + height / 2});
    const float top = y + height + sizes.between;
    const float high =
        rich_text(scene.canvas, scene.ui, {in.x0, top, in.x1, in.y1}, words_of_family(scene, family, font));
    scene.ui.probe.mark(id + ".words", {in.x0, top, in.x1, top + high});
}

void view(const TextScene& scene) {
    const Palette& p = scene.palette();
    const float gap = scene.px(16), width = (scene.area.width() - 2 * gap) / 3;
    Font font = Font::body;
    Needed needed = needed_with(scene, width, font);
    const auto rows = [&] { return 2 * (needed.row + gap); };
    if (needed.cards + rows() > scene.area.height())  // text is too large for the height
        needed = needed_with(scene, width, font = Font::caption);
    const float upper = std::max(needed.cards, std::min(scene.area.height() * 0.5F, scene.area.height() - rows()));
    float x = scene.area.x0;
    for (const Family& family : families) {
        draw_family(scene.in({x, scene.area.y0, x + width, scene.area.y0 + upper}), family, font);
        x += width + gap;
    }
    const Sizes sizes = sizes_of(scene);
    float y = scene.area.y0 + upper + gap;
    const float height = (scene.area.y1 - y - gap) / 2;
    for (const char* const reader : readers) {
        const std::string key = "text.after." + std::string(reader);
        const Rect row{scene.area.x0, y, scene.area.x1, y + height};
        const float box = sizes.read_box, line = sizes.read_line, middle = row.y0 + height / 2;
        const Rect from{row.x0, middle - line / 2, row.x0 + box, middle + line / 2},
            to{row.x0 + sizes.read_from - scene.px(20) - box, from.y0, row.x0 + sizes.read_from - scene.px(20),
               from.y1};
        draw_box(scene, from, scene.ui.text(key + ".memory"), p.key);
        draw_box(scene, to, scene.ui.text(key + ".query"), p.query);
        draw_arrow(scene, {from.x1, middle}, {to.x0, middle});
        scene.canvas.text({(from.x1 + to.x0) / 2, middle - scene.px(26)}, "K, V",
                          {Font::caption, p.key, Align::centre});
        const RichText words = words_of_reader(scene, reader, font);
        const float left = row.x0 + sizes.read_from, high = measure_rich(scene.canvas, words, row.x1 - left).y;
        rich_text(scene.canvas, scene.ui, {left, middle - high / 2, row.x1, row.y1}, words);
        scene.ui.probe.mark("text.reader." + std::string(reader), row, 0, scene.ui.text(key));
        y += height + gap;
    }
}

std::vector<Fact> facts(const TextTold& told) { return model_facts(told); }

bool answered(const TextTried& tried) { return tried.experiment.task == TextTask::sentiment; }

}  // namespace text_after_parts

TextChapterRow after_chapter() {
    return {.id = name_of(TextChapter::after),
            .own = {.view = text_after_parts::view},
            .facts = text_after_parts::facts,
            .answered = text_after_parts::answered};
}

}  // namespace vitrine
