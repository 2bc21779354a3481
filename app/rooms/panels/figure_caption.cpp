#include "app/rooms/panels/figure_caption.h"

#include <algorithm>

#include "app/rooms/figures/scene.h"
#include "app/rooms/panels/panels.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/workspace/measured.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/workspace.h"

namespace vitrine {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& one : words) all += (all.empty() ? "" : " · ") + one;
    return all;
}

void add_target(std::vector<std::string>& words, const InView& shown, const Result& now) {
    const Target target = target_of(shown.selection.focus.lab, now);
    const std::string name = class_in_words(shown.ui, *now.model, target.index);
    words.push_back(target.against ? shown.ui.text("lab.against",
                                                   {{"class", name},
                                                    {"other", class_in_words(shown.ui, *now.model, *target.against)}})
                                   : shown.ui.text("caption.class", {{"class", name}}));
}

}  // namespace

std::vector<std::string> chosen_parts(const InView& shown, const DependsOn& depends) {
    const Ui& ui = shown.ui;
    const Focus& f = shown.selection.focus;
    const Result& now = *shown.workspace.shown.result;
    const int blocks = now.model->config.blocks;
    std::vector<std::string> words;
    if (depends.block) words.push_back(ui.text("caption.block", {{"block", ui.ordinal(f.block - 1)}}));
    if (depends.half) words.push_back(ui.text(f.half == Half::attention ? "half.attention" : "half.mlp"));
    if (depends.level)
        words.push_back("ℓ = " + std::to_string(std::min(f.lab.level < 0 ? f.block : f.lab.level, blocks)));
    if (depends.head) words.push_back(ui.text("caption.head", {{"head", ui.ordinal(f.head)}}));
    if (depends.token) words.push_back(token_name(ui, now, f.token));
    if (depends.target && now.model->config.classes > 0) add_target(words, shown, now);
    return words;
}

std::vector<std::string> run_in_words(const InView& shown) {
    const Result& now = *shown.workspace.shown.result;
    std::vector<std::string> words;
    for (const Intervention& i : now.experiment.what_ifs) words.push_back(change_name(shown.ui, now.model->config, i));
    words.push_back(image_title(shown.ui.text, *now.image));
    words.push_back(model_title(shown.ui.text, *now.model));
    return words;
}

std::string figure_caption(const Frame& frame, const std::string& title) {
    const auto caption = answers_of(frame.state().room).taking.caption;
    if (caption == nullptr) return title;
    const auto of_run = [&](const Frame& run) { return joined(caption({run.ui, run.workspace, run.selection})); };
    if (frame.other == nullptr) return joined({title, of_run(frame)});
    const Frame &left = frame.right ? *frame.other : frame, &right = frame.right ? frame : *frame.other;
    return joined({title, "A: " + of_run(left), "B: " + of_run(right)});
}

}  // namespace vitrine
