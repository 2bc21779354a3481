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

// Later developments: the three families, and which stack reads which.

namespace vitrine {

namespace text_after_parts {

struct Family {
    const char* id;  // key "text.after.<id>", and "text.after.<id>.words"
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

void draw_family(const TextScene& scene, const Family& family) {
    const Palette& p = scene.palette();
    const std::string id = "text.family." + std::string(family.id);
    const bool shown = scene.now.model->task == family.task;
    const Hit hit = hot_area(scene.ui, id, scene.area, scene.ui.text("text.after." + std::string(family.id)));
    tooltip(scene.ui, scene.ui.text("text.after.tip"));
    scene.canvas.fill(scene.area, p.raised, scene.px(10));
    if (shown || hit.at) scene.canvas.stroke(scene.area, p.accent, scene.px(2), scene.px(10));
    if (hit.clicked) scene.draft().choose(family.task, scene.experiment().to);
    const Rect in = scene.area.inset(scene.px(16));
    const float height = scene.px(40), width = (in.width() - scene.px(40)) / 2;
    float heading = 0;  // of the family whose name takes most lines
    for (const Family& one : families)
        heading = std::max(heading, measure_rich(scene.canvas, name_of_family(scene, one), in.width()).y);
    const float y = in.y0 + heading + scene.px(12);
    rich_text(scene.canvas, scene.ui, in, name_of_family(scene, family));
    const bool both = family.encoder && family.decoder;
    const Rect first{in.x0, y, both ? in.x0 + width : in.x1, y + height},
        second{both ? in.x1 - width : in.x0, y, in.x1, y + height};
    if (family.encoder) draw_box(scene, first, scene.ui.text("text.stack.encoder"), p.query);
    if (family.decoder) draw_box(scene, second, scene.ui.text("text.stack.decoder"), p.value);
    if (both) draw_arrow(scene, {first.x1, y + height / 2}, {second.x0, y + height / 2});
    rich_text(scene.canvas, scene.ui, {in.x0, y + height + scene.px(12), in.x1, in.y1},
              {scene.ui.text("text.after." + std::string(family.id) + ".words"), Font::body, p.text, Align::left});
}

void view(const TextScene& scene) {
    const Palette& p = scene.palette();
    const float gap = scene.px(16), width = (scene.area.width() - 2 * gap) / 3;
    const float upper = scene.area.height() * 0.5F;
    float x = scene.area.x0;
    for (const Family& family : families) {
        draw_family(scene.in({x, scene.area.y0, x + width, scene.area.y0 + upper}), family);
        x += width + gap;
    }
    float y = scene.area.y0 + upper + gap;
    const float height = (scene.area.y1 - y - gap) / 2;
    for (const char* const reader : readers) {
        const std::string key = "text.after." + std::string(reader);
        const Rect row{scene.area.x0, y, scene.area.x1, y + height};
        const float box = scene.px(190), line = scene.px(44), middle = row.y0 + height / 2;
        const Rect from{row.x0, middle - line / 2, row.x0 + box, middle + line / 2},
            to{from.x1 + scene.px(60), from.y0, from.x1 + scene.px(60) + box, from.y1};
        draw_box(scene, from, scene.ui.text(key + ".memory"), p.key);
        draw_box(scene, to, scene.ui.text(key + ".query"), p.query);
        draw_arrow(scene, {from.x1, middle}, {to.x0, middle});
        scene.canvas.text({(from.x1 + to.x0) / 2, middle - scene.px(26)}, "K, V",
                          {Font::caption, p.key, Align::centre});
        const RichText words{scene.ui.text(key), Font::body, p.text, Align::left};
        const float room = row.x1 - to.x1 - scene.px(20);
        const float high = measure_rich(scene.canvas, words, room).y;
        rich_text(scene.canvas, scene.ui, {to.x1 + scene.px(20), middle - high / 2, row.x1, row.y1}, words);
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
