#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/chapters/model_words.h"
#include "app/chapters/step.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/probe.h"
#include "app/ui/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/controls.h"
#include "app/ui/widgets/hot_area.h"
#include "app/ui/widgets/number.h"
#include "app/workspace/laboratory_state.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/transformer/equations.h"
#include "core/vit/experiment.h"

namespace vitrine {

namespace {

/// Draws the map from top to bottom, part by part.
class Drawing {
public:
    Drawing(const Ui& ui, const Result& now, Selection& selection, WhatIfs& what_ifs)
        : ui_(ui), now_(now), selection_(selection), what_ifs_(what_ifs), canvas_(ImGui::GetWindowDrawList(), ui) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        left_ = at.x;
        y_ = at.y;
        width_ = ImGui::GetContentRegionAvail().x;
        tight_ = ImGui::GetContentRegionAvail().y < px(860);
    }

    /// Returns true if a chapter was clicked, even the highlighted one.
    bool draw() {
        const Config& c = now_.model->config;
        const Color color = theme().palette.residual;
        step_with_shape("image", Node::image, color, shape({c.channels, c.image_height, c.image_width}));
        step_with_shape("patches", Node::patches, color, shape({c.patches(), c.patch_dim()}));
        step_with_shape("patch_embedding", Node::embedding, color, shape({c.patches(), c.embedding_dim}));
        step_with_shape("class_token", Node::class_token, color, shape({c.tokens(), c.embedding_dim}));
        if (c.positions != Positions::none)
            switch_node("map.position", ui_.text("map.position"), "position_embedding", remove_positions());
        else
            part("map.position", "position_embedding", {ui_.text("map.position"), theme().palette.residual, true});
        if (c.embedding_norm)
            part("map.embedding_norm", "position_embedding", {ui_.text("map.layer_norm"), theme().palette.norm});
        arrow("z₀ " + shape({c.tokens(), c.embedding_dim}));
        blocks(c);
        arrow("z" + subscript(c.blocks) + " " + shape({c.tokens(), c.embedding_dim}));
        if (c.readout != Readout::class_token)
            part("map.readout", "prediction",
                 {ui_.text("map.readout." + std::string(name_of(c.readout))), theme().palette.accent});
        const bool logits_inside = tight_ && c.features == 0 && c.classes > 0;
        step_node("prediction", Node::head, theme().palette.accent, logits_inside ? shape({1, c.classes}) : "");
        if (c.features > 0)
            part("map.features", "prediction",
                 {ui_.text("map." + std::string(name_in(head_kinds, c.ending)), {{"count", count_text(c.features)}}),
                  theme().palette.accent});
        if (c.classes > 0) {
            if (!logits_inside)
                arrow(shape({1, c.classes}));
            else
                y_ += px(5);
            const Rect loss{left_, y_, left_ + width_, y_ + px(28)};
            if (row("map.loss", "loss", loss, {ui_.text("step.loss.title")}).clicked) go_to("loss");
            y_ = loss.y1;
        } else {
            part("map.loss", "loss", {short_title("loss")});
        }
        y_ += px(tight_ ? 5 : 8);
        pair({"norm_variants", "norm_place"});
        pair({"dropout", "learning"});
        part("map.explanation", "explanation", {short_title("explanation")});
        pair({"models", "two_towers"});
        ImGui::SetCursorScreenPos({left_, y_});
        ImGui::Dummy({1, 1});
        return clicked_;
    }

private:
    const Theme& theme() const { return ui_.theme; }
    float px(float size) const { return theme().px(size); }

    static std::string shape(std::initializer_list<int> sizes) {
        std::string words;
        for (const int n : sizes) words += (words.empty() ? "" : " × ") + count_text(n);
        return words;
    }

    static std::string subscript(int number) {
        static constexpr const char* digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
        std::string words;
        for (const char digit : std::to_string(number)) words += digits[digit - '0'];
        return words;
    }

    /// A down arrow with the shape of the tensor that flows along it.
    void arrow(const std::string& words) {
        const float line = canvas_.measure(words, Font::caption).y, x = left_ + px(22),
                    height = tight_ ? line + px(1) : std::max(px(25), line + px(6)), head = px(4);
        canvas_.line({x, y_ + px(2)}, {x, y_ + height - px(4)}, theme().palette.muted, px(1.5F));
        const Point tip[] = {
            {x - head, y_ + height - px(8)}, {x + head, y_ + height - px(8)}, {x, y_ + height - px(2)}};
        canvas_.polygon(tip, theme().palette.muted);
        canvas_.text({x + px(14), y_ + (tight_ ? 0 : px(3))}, words,
                     {Font::caption, theme().palette.muted, Align::left});
        y_ += height;
    }

    /// Scrolls to the highlighted part when another part is highlighted or the part moves.
    void show_if_new(Rect rect) const {
        const Focus& focus = selection_.focus;
        ImGuiStorage& kept = *ImGui::GetStateStorage();
        const ImGuiID lit_id = ImGui::GetID("lit"), place_id = ImGui::GetID("lit.place");
        const int lit = focus.step * 2 + static_cast<int>(focus.half);
        const float at = rect.y1 - ImGui::GetWindowPos().y + ImGui::GetScrollY();
        const bool elsewhere = std::abs(kept.GetFloat(place_id, -1) - at) > 1;
        if (elsewhere || kept.GetInt(lit_id, -1) != lit) scroll_into_view(rect);
        kept.SetInt(lit_id, lit);
        kept.SetFloat(place_id, at);
    }

    /// A part with the shape of its output, which is along an arrow below the part, or inside the part on a tight map.
    void step_with_shape(const char* step, Node node, Color color, const std::string& output) {
        const float title = canvas_.measure(title_of(step), Font::body).x;
        const float beside = canvas_.measure(output, Font::caption).x;
        const bool inside = tight_ && px(16 + 10 + 8) + title + beside <= width_;
        step_node(step, node, color, inside ? output : "");
        if (inside)
            y_ += px(5);
        else
            arrow(output);
    }

    /// A chapter's title for this model.
    std::string title_of(const char* step) const {
        return ui_.text(key_for(ui_.text, "step." + std::string(step) + ".title", now_.model->config));
    }

    /// A part that leads to a chapter; `aside` are words at its right end.
    void step_node(const char* step, Node node, Color color, const std::string& aside = {}) {
        const Rect rect{left_, y_, left_ + width_, y_ + px(tight_ ? 28 : 36)};
        const bool lit = step_at(selection_.focus).own.node == node;
        const std::string words = title_of(step);
        if (lit) show_if_new(rect);
        const Hit hit = box({std::string("map.") + step, words, rect, color, lit, false});
        if (hit.clicked) go_to(step);
        const float height = canvas_.measure(aside, Font::caption).y;
        canvas_.text({rect.x1 - px(8), rect.centre().y - height / 2}, aside,
                     {Font::caption, lit ? theme().palette.on_accent : theme().palette.muted, Align::right});
        y_ = rect.y1;
    }

    /// A part with a switch that removes the whole part.
    void switch_node(const std::string& id, const std::string& words, const char* step, const Intervention& removal) {
        const bool off = contains(what_ifs_, removal);
        const bool lit = *step != '\0' && selection_.focus.step == step_index(step);
        ImGui::SetCursorScreenPos({left_, y_});
        const ChipClick click =
            chip(ui_, {id, words, {}, {}},
                 {theme().palette.residual, lit, off, true, width_, ui_.text(off ? "switch.on" : "switch.off"), true});
        if (click == ChipClick::chosen && *step != '\0') go_to(step);
        if (click == ChipClick::switched || (click == ChipClick::chosen && *step == '\0')) toggle(what_ifs_, removal);
        y_ = ImGui::GetItemRectMax().y;
    }

    struct Box {
        std::string id, words;
        Rect rect;
        Color color;
        bool lit = false, off = false;
    };
    Hit box(const Box& b) {
        const Palette& p = theme().palette;
        canvas_.fill(b.rect, b.lit ? p.accent : p.raised, px(7));
        if (!b.lit) canvas_.fill({b.rect.x0, b.rect.y0, b.rect.x0 + px(5), b.rect.y1}, b.color, px(3));
        const Color ink = b.lit ? p.on_accent : b.off ? p.muted : p.text;
        const Point size = canvas_.measure(b.words, Font::body);
        const float top = b.rect.centre().y - size.y / 2;
        canvas_.text({b.rect.x0 + px(16), top}, fitted(canvas_, b.words, Font::body, b.rect.width() - px(20)),
                     {Font::body, ink, Align::left});
        if (b.off) {
            hatch(canvas_, b.rect, p.muted, px(7));
            canvas_.line({b.rect.x0 + px(12), b.rect.centre().y}, {b.rect.x0 + px(20) + size.x, b.rect.centre().y}, ink,
                         px(2));
        }
        const Hit hit = hot_area(ui_, b.id, b.rect, b.words);
        if (hit.at) canvas_.stroke(b.rect, p.accent, px(2), px(7));
        return hit;
    }

    /// Layout of numbered buttons: all in one row if they fit, else in rows of equal length.
    struct Buttons {
        int columns;
        float side;
    };
    Buttons buttons_in_rows(int count, float wanted, float gap) const {
        const float least = std::min(wanted, canvas_.measure("88", Font::caption).x + px(6));
        const int most = std::max(1, static_cast<int>((width_ + gap) / (least + gap)));
        const int rows = (count + most - 1) / most, columns = (count + rows - 1) / rows;
        return {columns, std::min(wanted, (width_ + gap) / static_cast<float>(columns) - gap)};
    }

    /// The blocks as small numbered buttons, with the chosen block unfolded below, and the chapter on all blocks.
    void blocks(const Config& c) {
        const float top = y_, gap = px(5), inner = px(10);
        const std::string title = ui_.text("map.blocks", {{"count", count_text(c.blocks)}});
        const float line = canvas_.measure(title, Font::caption).y;
        canvas_.text({left_ + px(16), y_ + px(4)}, fitted(canvas_, title, Font::caption, width_ - px(20)),
                     {Font::caption, theme().palette.muted, Align::left});
        ui_.probe.mark("map.blocks", {left_, y_, left_ + width_, y_ + px(4) + line}, c.blocks, title);
        y_ += tight_ ? px(6) + line : px(31);
        const float full = width_;
        left_ += inner;
        width_ -= 2 * inner;
        const auto [columns, side] = buttons_in_rows(c.blocks, px(34), gap);
        for (int block = 1; block <= c.blocks; ++block) {
            const float x = left_ + static_cast<float>((block - 1) % columns) * (side + gap);
            const float y = y_ + static_cast<float>((block - 1) / columns) * (px(28) + gap);
            small_button("map.block." + std::to_string(block), ui_.ordinal(block - 1), {x, y, x + side, y + px(28)},
                         selection_.focus.block == block, is_changed(block));
            if (small_hit_.clicked) selection_.focus.block = block;
        }
        y_ += static_cast<float>((c.blocks + columns - 1) / columns) * (px(28) + gap) + px(4);
        open_block(c, selection_.focus.block);
        part("map.depth", "depth", {short_title("depth")});
        left_ -= inner;
        width_ = full;
        y_ += px(tight_ ? 5 : 8);
        canvas_.stroke({left_, top, left_ + width_, y_}, theme().palette.line, px(1), px(9));
    }

    /// True if a change acts in a block: in that block alone, or in all of them.
    bool is_changed(int block) const {
        constexpr Site before_the_blocks[] = {Site::embedded, Site::tokens, Site::position};
        return std::ranges::any_of(what_ifs_, [&](const Intervention& i) {
            return i.where.block ? *i.where.block == block
                                 : std::ranges::find(before_the_blocks, i.site) == std::end(before_the_blocks);
        });
    }

    /// A clickable number of a block or a head; `marked`: a change acts in it.
    void small_button(const std::string& id, const std::string& words, Rect rect, bool chosen, bool marked) {
        const Palette& p = theme().palette;
        canvas_.fill(rect, chosen ? p.accent : p.raised, px(5));
        if (marked) hatch(canvas_, rect, chosen ? p.on_accent : p.muted, px(6));
        const Point size = canvas_.measure(words, Font::caption);
        if (marked) {  // keeps the hatching off the digits
            const Rect plate{rect.centre().x - size.x / 2 - px(3), rect.centre().y - size.y / 2,
                             rect.centre().x + size.x / 2 + px(3), rect.centre().y + size.y / 2};
            canvas_.fill(plate, chosen ? p.accent : p.raised, px(3));
            ui_.probe.mark(id + ".plate", plate, 1, words);
        }
        canvas_.text({rect.centre().x, rect.centre().y - size.y / 2}, words,
                     {Font::caption, chosen ? p.on_accent : p.text, Align::centre});
        small_hit_ = hot_area(ui_, id, rect, words);
        if (small_hit_.at) canvas_.stroke(rect, p.accent, px(2), px(5));
    }

    /// The interventions of a row's power symbol, for the chosen block and for all blocks. `words` is the prefix of its
    /// tooltips' keys.
    struct PartSwitch {
        std::string words;
        Intervention in_block, everywhere;
    };
    struct RowLook {
        std::string words;
        Color color = {0, 0, 0, 0};
        bool off = false;
        std::optional<Half> half = {};  // half of the block, if the chapter is about parts in both halves
        std::optional<PartSwitch> power = {};
    };
    /// A muted line of the map that leads to a chapter.
    Hit row(const std::string& id, std::string_view step, Rect rect, const RowLook& look) {
        const Palette& p = theme().palette;
        const bool lit = step_at(selection_.focus).id == step && (!look.half || *look.half == selection_.focus.half);
        if (lit) show_if_new(rect);
        const float power = look.power ? std::max(rect.height(), px(24)) : 0;
        const ScopeWords scope = scope_of(rect.width() - power - px(16), look);
        const float side = power + scope.width();
        const Hit hit = hot_area(ui_, id, {rect.x0, rect.y0, rect.x1 - side, rect.y1}, look.words);
        if (lit) ui_.probe.mark(id + ".lit", rect);
        if (lit || hit.at) canvas_.fill(rect, lit ? p.accent : p.raised, px(5));
        const Color ink = lit ? p.on_accent : hit.at ? p.text : p.muted;
        if (!lit) canvas_.fill({rect.x0, rect.y0 + px(4), rect.x0 + px(4), rect.y1 - px(4)}, look.color, px(2));
        const float height = canvas_.measure(look.words, Font::caption).y;
        const std::string shown = fitted(canvas_, look.words, Font::caption, rect.width() - side - px(16));
        canvas_.text({rect.x0 + px(12), rect.centre().y - height / 2}, shown, {Font::caption, ink, Align::left});
        if (look.off) {
            const float right = rect.x0 + px(14) + canvas_.measure(shown, Font::caption).x;
            canvas_.line({rect.x0 + px(10), rect.centre().y}, {right, rect.centre().y}, ink, px(2));
        }
        if (look.power) power_switch(id, {rect.x1 - power, rect.y0, rect.x1, rect.y1}, look, lit);
        if (scope.width() > 0) choose_scope(id, {rect.x1 - side, rect.y0, rect.x1 - power, rect.y1}, scope, look, lit);
        return hit;
    }

    /// Labels of the choice between the chosen block and all blocks, beside the power symbol of a part that is off;
    /// empty while the part is on.
    struct ScopeWords {
        std::string block, all;
        float of_block = 0, of_all = 0;  // widths

        float width() const { return of_block + of_all; }
    };
    /// The long labels if they fit beside the part's name within `room`, else the short ones.
    ScopeWords scope_of(float room, const RowLook& look) const {
        if (!look.power || now_.model->config.blocks < 2) return {};
        if (!contains(what_ifs_, look.power->in_block) && !contains(what_ifs_, look.power->everywhere)) return {};
        const std::string block = ui_.ordinal(selection_.focus.block - 1);
        const auto made = [&](const std::string& one, const std::string& all) {
            const auto width = [&](const std::string& words) {
                return std::ceil(std::max(canvas_.measure(words, Font::caption).x + px(12), px(24)));
            };
            return ScopeWords{one, all, width(one), width(all)};
        };
        const ScopeWords whole = made(ui_.text("map.this_block", {{"block", block}}), ui_.text("map.all_blocks"));
        const bool fits = whole.width() + canvas_.measure(look.words, Font::caption).x + px(8) <= room;
        return fits ? whole : made(block, ui_.text("map.all"));
    }
    void choose_scope(const std::string& id, Rect rect, const ScopeWords& scope, const RowLook& look, bool lit) {
        const Palette& p = theme().palette;
        const bool everywhere = contains(what_ifs_, look.power->everywhere);
        const Rect one{rect.x0, rect.y0, rect.x0 + scope.of_block, rect.y1}, all{one.x1, rect.y0, rect.x1, rect.y1};
        canvas_.fill(rect, lit ? p.panel : p.raised, px(5));
        const auto segment = [&](const std::string& ending, Rect place, const std::string& words, bool chosen) {
            if (chosen) canvas_.fill(place, p.danger, px(5));
            const Point size = canvas_.measure(words, Font::caption);
            canvas_.text({place.centre().x, place.centre().y - size.y / 2}, words,
                         {Font::caption, chosen ? p.on_accent : p.text, Align::centre});
            const Hit hit = hot_area(ui_, id + ending, place, words);
            if (hit.at) canvas_.stroke(place, p.text, px(1.5F), px(5));
            if (chosen) ui_.probe.mark(id + ".scope", place, everywhere ? 1 : 0, words);
            tooltip(ui_, ui_.text("map.scope" + ending, {{"block", ui_.ordinal(selection_.focus.block - 1)}}));
            return hit.clicked && !chosen;
        };
        const bool to_one = segment(".this", one, scope.block, !everywhere);
        const bool to_all = segment(".all", all, scope.all, everywhere);
        if (to_one) {
            toggle(what_ifs_, look.power->everywhere);
            put(what_ifs_, look.power->in_block);
        }
        if (to_all) put(what_ifs_, look.power->everywhere);
    }

    void power_switch(const std::string& id, Rect rect, const RowLook& look, bool lit) {
        const Palette& p = theme().palette;
        const PartSwitch& part = *look.power;
        const bool everywhere = contains(what_ifs_, part.everywhere);
        const std::string ending = everywhere ? ".on_all" : look.off ? ".on" : ".off";
        const std::string& tip = ui_.text(part.words + ending, {{"block", ui_.ordinal(selection_.focus.block - 1)}});
        const Hit hit = hot_area(ui_, id + ".switch", rect, look.off ? "off" : "on");
        tooltip(ui_, tip);
        const Color ink = lit ? p.on_accent : !hit.at ? p.muted : look.off ? p.text : p.danger;
        draw_power(canvas_, rect.centre(), px(11), ink);
        if (!hit.clicked) return;
        if (everywhere)
            toggle(what_ifs_, part.everywhere);
        else
            toggle(what_ifs_, part.in_block);
    }

    void go_to(const char* step) {
        selection_.focus.step = step_index(step);
        clicked_ = true;
    }

    float row_height() const {
        const float line = canvas_.measure("", Font::caption).y;
        return tight_ ? line + px(1) : std::max(px(24), line + px(4));
    }

    /// A row that leads to a chapter, below the previous part.
    void part(const std::string& id, const char* step, const RowLook& look) {
        const Rect rect{left_, y_, left_ + width_, y_ + row_height()};
        if (row(id, step, rect, look).clicked) {
            go_to(step);
            if (look.half) selection_.focus.half = *look.half;
        }
        y_ = rect.y1 + px(1);
    }

    /// A chapter's name on the map: its title, or a shorter one.
    const std::string& short_title(const char* step) const {
        const std::string own = std::string("map.") + step;
        return ui_.text(ui_.text.has(own) ? own : std::string("step.") + step + ".title");
    }

    /// Two chapters side by side, or stacked if their names are too long.
    struct ChapterPair {
        const char *first, *second;
    };
    void pair(const ChapterPair& chapters) {
        const float gap = px(6), half = (width_ - gap) / 2;
        const auto fits = [&](const char* step) {
            return canvas_.measure(short_title(step), Font::caption).x + px(17) <= half;
        };
        const bool beside = fits(chapters.first) && fits(chapters.second);
        float x = left_;
        for (const char* const step : {chapters.first, chapters.second}) {
            const Rect rect{x, y_, beside ? x + half : left_ + width_, y_ + row_height()};
            if (row(std::string("map.") + step, step, rect, {short_title(step)}).clicked) go_to(step);
            if (beside) x += half + gap;
            if (!beside || step == chapters.second) y_ = rect.y1 + px(1);
        }
    }

    static Half half_of(const char* which) { return *which == '1' ? Half::attention : Half::mlp; }
    void norm_part(const char* which, Norm norm) {
        const int block = selection_.focus.block;
        RowLook look{ui_.text("map.layer_norm"), theme().palette.norm, norm == Norm::none, half_of(which)};
        if (*which == '1' && equations_of(now_.model->config, {}, {block}).norm != Norm::none)  // one for both norms
            look.power = {"map.norms", normalise(Norm::none, block), normalise(Norm::none)};
        part(std::string("map.layer_norm.") + which, "layer_norm", look);
    }
    void gain_part(const char* which) {
        part(std::string("map.gain.") + which, "residual",
             {ui_.text("map.gain"), theme().palette.norm, false, half_of(which)});
    }
    void sum_part(const char* which) {
        if (now_.model->config.layer_scale) gain_part(which);
        const Config& c = now_.model->config;
        const int block = selection_.focus.block;
        RowLook look{ui_.text("map.sum"), theme().palette.residual,
                     equations_of(c, what_ifs_, {block}).skip.factor == 0, half_of(which)};
        if (*which == '1' && equations_of(c, {}, {block}).skip.factor != 0)  // one for both sums
            look.power = {"map.skips", without_skips(block), without_skips()};
        part(std::string("map.residual.") + which, "residual", look);
    }

    /// LN → MSA → ⊕ → LN → MLP → ⊕ of one block; with post-norm each LN comes after its ⊕.
    void open_block(const Config& c, int block) {
        const Palette& p = theme().palette;
        const Norm norm = equations_of(c, what_ifs_, {block}).norm;
        if (norm != Norm::after) norm_part("1", norm);
        part("map.qkv", "qkv", {ui_.text("map.qkv"), p.query});
        pair({"scores", "attention_matrix"});
        const bool lit = step_at(selection_.focus).id == "attention";
        const Rect msa{left_, y_, left_ + width_, y_ + px(32)};
        if (box({"map.attention", ui_.text("map.msa"), msa, p.query, lit, false}).clicked) go_to("attention");
        y_ = msa.y1 + px(4);
        heads(c, block);
        part("map.heads", "heads", {ui_.text("map.heads"), p.query});
        sum_part("1");
        if (norm == Norm::after) norm_part("1", norm);
        if (norm != Norm::after) norm_part("2", norm);
        y_ += px(2);
        switch_node("map.mlp", ui_.text("map.mlp"), "mlp", remove_mlp(block));
        y_ += px(3);
        part("map.activation", "activation", {short_title("activation"), theme().palette.mlp});
        sum_part("2");
        if (norm == Norm::after) norm_part("2", norm);
    }

    void heads(const Config& c, int block) {
        const float gap = px(4);
        const auto [columns, side] = buttons_in_rows(c.heads, px(28), gap);
        for (int head = 0; head < c.heads; ++head) {
            const float x = left_ + static_cast<float>(head % columns) * (side + gap);
            const float y = y_ + static_cast<float>(head / columns) * (side + gap);
            const Intervention removal = remove_head(block, head);
            small_button("map.head." + std::to_string(head), ui_.ordinal(head), {x, y, x + side, y + side},
                         selection_.focus.head == head, contains(what_ifs_, removal));
            if (small_hit_.clicked) selection_.focus.head = head;
            if (small_hit_.at) {
                selection_.hover_head(head, block);
                if (small_hit_.menu) selection_.ask_menu({{}, Pick{block, head}, "map"});
            }
            tooltip(ui_, ui_.text("map.head_tip", {{"head", ui_.ordinal(head)}}), "X");
        }
        y_ += static_cast<float>((c.heads + columns - 1) / columns) * (side + gap) + px(2);
    }

    const Ui& ui_;
    const Result& now_;
    Selection& selection_;
    WhatIfs& what_ifs_;
    WindowCanvas canvas_;
    float left_ = 0, y_ = 0, width_ = 0;
    bool tight_ = false;  // lines and boxes of less height, so that all parts are visible
    bool clicked_ = false;
    Hit small_hit_;
};

}  // namespace

bool map_panel(const Ui& ui, const Result& now, Selection& selection, WhatIfs& what_ifs) {
    return Drawing(ui, now, selection, what_ifs).draw();
}

}  // namespace vitrine
