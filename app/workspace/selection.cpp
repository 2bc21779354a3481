#include "app/workspace/selection.h"

#include <algorithm>
#include <utility>

#include "app/library/library.h"
#include "app/workspace/result.h"
#include "core/measures/analysis.h"
#include "core/vit/model.h"
#include "core/vit/provenance.h"

namespace vitrine {

void Selection::begin_frame() {
    current_ = std::exchange(next_, {});
    brush.in_hand = false;
}

void Selection::hover_cell(const Cell& cell) {
    next_.cell = cell;
    next_.symbol = symbol_of(cell.quantity);
}

float Selection::reach(const std::string& figure, float own) {
    if (!beside_) return own;
    reaches_[figure] = own;
    const auto others = beside_->find(figure);
    return others == beside_->end() ? own : std::max(own, others->second);
}

void Selection::share_reaches(Selection& one, Selection& other) {
    one.beside_ = std::exchange(other.reaches_, {});
    other.beside_ = std::exchange(one.reaches_, {});
}

void Selection::follow(const Focus& before) {
    if (!focus.cell || focus.cell != before.cell) return;
    Cell& cell = *focus.cell;
    const bool of_a_block = cell.block > 0 && (cell.block == before.block || cell.block + 1 == before.block);
    if (of_a_block) cell.block = std::max(cell.block + focus.block - before.block, cell.block == before.block ? 1 : 0);
    if (has_heads(cell.quantity) && cell.head == before.head) cell.head = focus.head;
}

bool Selection::back() {
    if (std::exchange(brush.on, false)) return true;
    if (focus.cell) {
        focus.cell.reset();
        return true;
    }
    if (focus.solo) {
        focus.solo = false;
        return true;
    }
    return false;
}

void Selection::choose_token(int token) { token_before_ = std::exchange(focus.token, token); }

void Selection::clamp_to(const Config& config) {
    focus.block = std::clamp(focus.block, 1, config.blocks);
    focus.head = std::clamp(focus.head, 0, config.heads - 1);
    focus.token = std::clamp(focus.token, 0, config.tokens() - 1);
    token_before_ = std::clamp(token_before_, 0, config.tokens() - 1);
    focus.key = std::clamp(focus.key, 0, config.tokens() - 1);
    focus.feature = std::clamp(focus.feature, 0, config.embedding_dim - 1);
    focus.unit = std::clamp(focus.unit, 0, config.mlp_dim - 1);
    Laboratory& lab = focus.lab;
    std::erase_if(lab.picks, [&](const Pick& p) { return p.block > config.blocks || p.head >= config.heads; });
    for (Pick& p : lab.picks)
        if (p.query && *p.query >= config.tokens()) p.query.reset();
    if (lab.level > config.blocks) lab.level = -1;
    if (lab.unfolded > config.blocks) lab.unfolded = 0;
    if (focus.dials.true_class && *focus.dials.true_class >= config.classes) focus.dials.true_class.reset();
    if (lab.target && *lab.target >= config.classes) lab.target.reset();
    if (lab.against && *lab.against >= config.classes) lab.against.reset();
    lab.cover_size = std::min(lab.cover_size, std::max(1, std::min(config.grid_height(), config.grid_width())));
    const auto drop_outside = [](std::optional<int>& index, int count) {
        if (index && *index >= count) index.reset();
    };
    if (menu_ && (menu_->token.value_or(0) >= config.tokens() ||
                  (menu_->head && (menu_->head->block > config.blocks || menu_->head->head >= config.heads))))
        close_menu();
    for (auto* const pointed : {&current_, &next_}) {
        if (std::exchange(pointed->block, std::min(pointed->block, config.blocks)) > config.blocks)
            pointed->head.reset();
        drop_outside(pointed->token, config.tokens());
        drop_outside(pointed->head, config.heads);
        drop_outside(pointed->feature, config.embedding_dim);
        drop_outside(pointed->unit, config.mlp_dim);
    }
}

int true_class_of(const Result& now, const Selection& selection) {
    const Config& c = now.model->config;
    if (c.classes == 0) return 0;
    if (const auto& chosen = selection.focus.dials.true_class) return std::clamp(*chosen, 0, c.classes - 1);
    const auto drawn = now.image->source.sample.empty() ? c.labels.end() : std::ranges::find(c.labels, now.image->name);
    return drawn == c.labels.end() ? top_predictions(*now.trace.head, 1).front().index
                                   : static_cast<int>(drawn - c.labels.begin());
}

}  // namespace vitrine
