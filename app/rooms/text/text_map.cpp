#include <imgui.h>

#include <algorithm>

#include "app/rooms/room.h"
#include "app/rooms/text/instruments/text_instrument.h"
#include "app/rooms/text/text_zones.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/widgets/hot_area.h"
#include "app/workspace/selection.h"
#include "app/workspace/text_result.h"
#include "app/workspace/workspace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

namespace {

/// Draws the model from top to bottom: encoder left, decoder right, outputs below.
class TextMapDrawing {
public:
    explicit TextMapDrawing(const Frame& frame)
        : frame_(frame), ui_(frame.ui), look_(frame.selection.focus.text), canvas_(ImGui::GetWindowDrawList(), ui_) {
        const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
        left_ = at.x, width_ = room.x, top_ = at.y;
        gap_ = std::clamp((room.y - px(11 * 30)) / 11, px(3), px(16));
        line_ =
            std::max(canvas_.measure("", Font::caption).y + px(4), std::min(px(46), (room.y - 11 * gap_) / 11 - px(2)));
        column_ = (width_ - px(14)) / 2;
        for (const Named<TextChapter>& row : text_chapter_names) {
            const bool spans = row.value == TextChapter::tokens || row.value == TextChapter::embedding ||
                               row.value == TextChapter::after;
            const float needed = canvas_.measure(words_of(row.value), Font::caption).x;
            if (!spans && needed > column_ - 2 * inset_ - pad_) inset_ = px(1), pad_ = px(2);
        }
    }

    void draw() {
        const TextTask task = frame_.text().task();
        const bool encoder = task != TextTask::story, decoder = task != TextTask::sentiment,
                   cross = task == TextTask::translate;
        const Palette& p = ui_.theme.palette;
        float y = top_;
        wide(y, TextChapter::tokens, p.residual);
        wide(y, TextChapter::embedding, p.residual);
        const float stacks = y + px(4);
        float left = stacks, right = stacks;
        title(left, true, "text.stack.encoder", encoder);
        node(left, TextChapter::encoder, true, p.mlp, encoder);
        node(left, TextChapter::self_attention, true, p.query, encoder);
        title(right, false, "text.stack.decoder", decoder);
        node(right, TextChapter::mask, false, p.residual, decoder);
        node(right, TextChapter::masked_attention, false, p.query, decoder);
        const float crossing = right + line_ / 2;
        node(right, TextChapter::cross_attention, false, p.key, cross);
        if (cross) memory_arrow(left - gap_, crossing);
        frame_stack(stacks, left, true, encoder);
        frame_stack(stacks, right, false, decoder);
        y = std::max(left, right) + px(6);
        float below_left = y, below_right = y;
        node(below_left, TextChapter::cls, true, p.key, true);
        node(below_left, TextChapter::gpt, true, p.value, true);
        node(below_left, TextChapter::patches, true, p.norm, true);
        node(below_right, TextChapter::generator, false, p.accent, decoder);
        node(below_right, TextChapter::loss, false, p.negative, decoder);
        node(below_right, TextChapter::decoding, false, p.accent, decoder);
        y = std::max(below_left, below_right);
        wide(y, TextChapter::after, p.norm);
        ImGui::SetCursorScreenPos({left_, y});
        ImGui::Dummy({1, 1});
    }

private:
    float px(float x) const { return ui_.theme.px(x); }
    float column_x(bool left) const { return left ? left_ : left_ + width_ - column_; }

    /// A chapter's name on the map, or its variant for the what-ifs, if there is one.
    const std::string& words_of(TextChapter chapter) const {
        const std::string id = "text.map." + std::string(name_of(chapter));
        const auto aspect = text_chapters()[static_cast<std::size_t>(place_of(chapter))].own.aspect;
        const std::string changed = id + "_" + (aspect == nullptr ? "" : aspect(frame_.text_experiment));
        if (ui_.text.has(changed)) return ui_.text(changed);
        return ui_.text(ui_.text.has(id) ? id : "text." + std::string(name_of(chapter)) + ".title");
    }

    void box(Rect rect, TextChapter chapter, Color color, bool there) {
        const Palette& p = ui_.theme.palette;
        const bool lit = lit_chapter() == chapter;
        const std::string id = "text.map." + std::string(name_of(chapter));
        const std::string title = "text." + std::string(name_of(chapter)) + ".title";
        const std::string& words = words_of(chapter);
        const Hit hit = hot_area(ui_, id, rect, words);
        tooltip(ui_, ui_.text(title));
        canvas_.fill(rect, lit ? p.accent : color.with_alpha(there ? 0.22F : 0.08F), px(6));
        if (lit) ui_.probe.mark("text.map.lit", rect, place_of(chapter), name_of(chapter));
        if (hit.at) canvas_.stroke(rect, p.accent, px(2), px(6));
        const float line = canvas_.measure("", Font::caption).y;
        const Color ink = lit ? p.on_accent : there ? p.text : p.muted;
        canvas_.text({rect.centre().x, rect.centre().y - line / 2},
                     fitted(canvas_, words, Font::caption, rect.width() - pad_), {Font::caption, ink, Align::centre});
        if (hit.clicked) frame_.text().enter(chapter);
    }

    /// The open chapter, or the chapter of the open instrument's subject.
    TextChapter lit_chapter() const {
        const TextResult* const now = frame_.workspace.text.result.get();
        const bool measured = look_.lab.open && now != nullptr && !now->empty();
        return measured ? instrument_of(look_).chapter(*now, look_) : look_.chapter;
    }

    void wide(float& y, TextChapter chapter, Color color) {
        box({left_, y, left_ + width_, y + line_}, chapter, color, true);
        y += line_ + gap_;
    }

    void node(float& y, TextChapter chapter, bool left, Color color, bool there) {
        const float x = column_x(left);
        box({x + inset_, y, x + column_ - inset_, y + line_}, chapter, color, there);
        y += line_ + gap_;
    }

    void title(float& y, bool left, const char* words, bool there) {
        const Palette& p = ui_.theme.palette;
        canvas_.text({column_x(left) + column_ / 2, y + px(2)}, ui_.text(words),
                     {Font::caption, there ? p.text : p.muted, Align::centre});
        y += canvas_.measure("", Font::caption).y + px(6);
    }

    void frame_stack(float top, float bottom, bool left, bool there) {
        const float x = column_x(left);
        const Rect rect{x, top - px(2), x + column_, bottom};
        canvas_.stroke(rect, ui_.theme.palette.line, px(1), px(8));
        if (!there) hatch(canvas_, rect, ui_.theme.palette.line.with_alpha(0.6F), px(9));
    }

    /// Draws the arrow of the encoder's output, from below the encoder to cross-attention.
    void memory_arrow(float from_y, float to_y) {
        const Color color = ui_.theme.palette.key;
        const float x0 = left_ + column_, x1 = left_ + width_ - column_ + px(4), middle = (x0 + x1) / 2 - px(2);
        const float y = std::min(from_y, to_y);
        canvas_.line({x0, y}, {middle, y}, color, px(2));
        canvas_.line({middle, y}, {middle, to_y}, color, px(2));
        canvas_.line({middle, to_y}, {x1 - px(5), to_y}, color, px(2));
        const Point tip[] = {{x1 - px(6), to_y - px(5)}, {x1 - px(6), to_y + px(5)}, {x1, to_y}};
        canvas_.polygon(tip, color);
        ui_.probe.mark("text.map.memory", {x0, y, x1, to_y});
    }

    const Frame& frame_;
    const Ui& ui_;
    TextLook& look_;
    WindowCanvas canvas_;
    float left_ = 0, width_ = 0, top_ = 0, line_ = 0, gap_ = 0, column_ = 0;
    float inset_ = px(5), pad_ = px(8);  // margins of a box and of the words in it; smaller for long names
};

}  // namespace

void text_map(const Frame& frame) { TextMapDrawing(frame).draw(); }

}  // namespace vitrine
