#include "app/jobs/text_observer.h"

#include <algorithm>
#include <utility>

#include "core/files/image.h"
#include "core/training/text/text_evaluation.h"

namespace vitrine {

namespace {

constexpr double least_rest = 0.08;  // seconds between two looks, at least `looks` times the duration of a look
constexpr double looks = 6;
constexpr int asked = 200, asked_at_last = 1000;  // held-out examples in a measurement
constexpr std::uint64_t measured_every = 640;     // sentences

}  // namespace

Observer<Texts>::Observer(const std::vector<TextRecipe>& recipes, const std::string& typed) {
    if (recipes.empty()) return;
    read(recipes.front().sentences, typed);
    has_read(typed);
}

void Observer<Texts>::read(const TextSet& set, const std::string& typed) {
    texts_ = looked_texts(set.task, set.to, typed);
    samples_ = text_samples(set.task, set.to).size();
    typed_ = typed + "\n";  // text that nobody can type
}

void Observer<Texts>::measure(LiveRun<Texts>& run, std::size_t, double pace) {
    if (run.report.seen >= run.next_check || run.stage == RunStage::done) measure_now(run, pace);
}

bool Observer<Texts>::measure_at_rest(LiveRun<Texts>& run, std::size_t) {
    const std::vector<double>& checked = run.curve->checked;
    const bool is_measured = !checked.empty() && checked.back() == static_cast<double>(run.report.seen);
    if (run.report.step == 0 || is_measured) return false;
    measure_now(run, slow_pace);
    return true;
}

void Observer<Texts>::measure_now(LiveRun<Texts>& run, double pace) {
    if (run.stage == RunStage::diverged) return;
    const bool slow = pace > 0 && pace <= slow_pace;
    const std::uint64_t every = slow ? measured_every / 4 : measured_every;
    // A decoder that sees later words must be measured word by word, which takes longer.
    run.next_check = run.report.seen + (run.recipe.model.causal ? every : 4 * every);
    const auto seen = static_cast<double>(run.report.seen);
    if (!run.curve->checked.empty() && run.curve->checked.back() == seen) return;
    const TextEvaluation e =
        evaluate(run.trainer.model(),
                 {.count = run.stage == RunStage::done ? asked_at_last : asked, .threads = run.threads, .brief = true});
    run.inside = head_of(e);
    auto longer = std::make_shared<LearningCurve>(*run.curve);
    longer->checked.push_back(seen);
    longer->unseen.push_back(right_of(e));
    longer->attention.push_back(attention_of(e));
    run.curve = std::move(longer);
}

double Observer<Texts>::rest(const LiveRun<Texts>& run) const { return std::max(least_rest, looks * run.look_cost); }

std::shared_ptr<const RunMoment<Texts>> Observer<Texts>::moment_of(const LiveRun<Texts>& run, std::size_t) const {
    auto moment = std::make_shared<RunMoment<Texts>>();
    static_cast<RunMomentBase<Texts>&>(*moment) = run.moment(true);
    if (!run.curve->checked.empty()) {
        moment->held_out = run.curve->unseen.back();
        moment->attention = run.curve->attention.back();
    }
    moment->head = run.inside;
    if (run.stage != RunStage::diverged) moment->said = say(*moment->model, texts_, moment->head);
    return moment;
}

std::shared_ptr<const RunMoment<Texts>> Observer<Texts>::again(const RunMoment<Texts>& old) const {
    auto moment = std::make_shared<RunMoment<Texts>>(old);
    if (moment->said.empty()) return moment;  // a run that diverged
    const std::vector<LookedText> own(texts_.begin() + static_cast<std::ptrdiff_t>(samples_), texts_.end());
    moment->said.resize(samples_);
    for (SaidText& said : say(*moment->model, own, moment->head)) moment->said.push_back(std::move(said));
    return moment;
}

}  // namespace vitrine
