#include "app/workspace/linked.h"

#include <algorithm>

#include "app/workspace/focus_words.h"
#include "app/workspace/keep_inside.h"
#include "app/workspace/workspace.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

/// The cell among `there` cells at the same relative position as cell `index` among `here` cells.
int scaled(int index, int here, int there) { return std::clamp((2 * index + 1) * there / (2 * here), 0, there - 1); }

/// Copies the hovered item of one workspace to the other.
void take_hover(const Workspace& from, Workspace& to) {
    if (!to.shown.result || !from.shown.result) return;
    to.selection.hover_like(from.selection, [&](int token) {
        return token_like(token, from.shown.result->model->config, to.shown.result->model->config);
    });
    keep_inside(to.selection, *to.shown.result);
}

}  // namespace

int token_like(int token, const Config& of, const Config& in) {
    if (!of.is_patch(token)) {
        const auto same = in.first_of(of.kind_of(token));
        const int least = same ? *same + of.number_in_kind(token) : 0;
        return same && least < in.tokens() && in.kind_of(least) == of.kind_of(token) ? least : same.value_or(0);
    }
    const int place = of.patch_of(token), row = place / of.grid_width(), column = place % of.grid_width();
    return in.token_of(scaled(row, of.grid_height(), in.grid_height()) * in.grid_width() +
                       scaled(column, of.grid_width(), in.grid_width()));
}

void link_focus(const Focus& was, const Workspace& from, Workspace& to) {
    const Focus& now = from.selection.focus;
    const auto words = changed_focus({was, from.text_experiment}, {now, from.text_experiment});
    if (words.empty()) return;
    const TextExperiment texts = to.text_experiment;  // each workspace keeps its own text experiment
    Focus& focus = to.selection.focus;
    for (const FocusWord& word : words) set_focus({focus, to.text_experiment}, word);
    to.text_experiment = texts;
    if (!to.shown.result || !from.shown.result) return;
    const Config &here = from.shown.result->model->config, &there = to.shown.result->model->config;
    if (now.token != was.token) focus.token = token_like(now.token, here, there);
    if (now.key != was.key) focus.key = token_like(now.key, here, there);
    keep_inside(to.selection, *to.shown.result);
}

void Workspaces::link(const Moment& before) {
    Workspace* const to = other();
    if (to == nullptr) return;
    const Workspace& from = visible();
    const bool was_left = !before.other || !before.other->left, is_left = visible_ == 0;
    const Focus& was = before.other && was_left != is_left ? before.other->focus : before.focus;
    if (side_by_side.linked) link_focus(was, from, *to);
    if (to->selection.focus.step == from.selection.focus.step) return;
    to->selection.focus.step = from.selection.focus.step;
    to->selection.focus.cell = from.selection.focus.cell;
    if (to->shown.result) keep_inside(to->selection, *to->shown.result);
}

void link_hover(Workspace& one, Workspace& other) {
    if (one.selection.points())
        take_hover(one, other);
    else if (other.selection.points())
        take_hover(other, one);
}

}  // namespace vitrine
