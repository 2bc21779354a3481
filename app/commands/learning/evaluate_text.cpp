#include "app/commands/learning/evaluate_text.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/commands/commands.h"
#include "app/commands/describe_text.h"
#include "app/commands/progress_line.h"
#include "app/platform/printable.h"
#include "core/text/text_checkpoint.h"
#include "core/training/text/text_evaluation.h"
#include "core/training/text/text_score.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

Json text_json(const TextScore& s) { return {{"count", s.asked}, {"accuracy", s.share()}}; }

Json text_json(const TalliedHead& h) {
    return {{"block", h.block}, {"head", h.head}, {"count", h.count}, {"accuracy", h.share}, {"mass", h.mass}};
}

Json text_evaluation_json(const TextEvaluation& e, const TextModel& model, const EvaluateOptions& o) {
    Json j = {{"task", name_of(model.task)}};
    if (model.task == TextTask::translate) j["to"] = name_of(model.to);
    j.update({{"count", e.count},
              {"seed", o.seed},
              {"accuracy", e.held_out.share()},
              {"fresh", e.fresh.share()},
              {"asked", e.held_out.asked},
              {"perplexity", e.perplexity}});
    for (const auto& [pattern, score] : e.patterns) j["patterns"][pattern] = text_json(score);
    if (e.alignment) {
        j["nouns"] = e.alignment->nouns.share();
        j["content_words"] = e.alignment->content_words.share();
        j["aligned_words"] = e.alignment->all.share();
    }
    if (e.it) {
        j["it"] = text_json(e.it->head);
        j["it"]["other_mass"] = e.it->other_mass;
        if (e.it->named.asked > 0) j["it"]["named"] = e.it->named.share();
    }
    if (e.class_token)
        j["class_token"] = {{"deciding", text_json(e.class_token->deciding)},
                            {"idle_mass", e.class_token->idle_mass},
                            {"negation", text_json(e.class_token->negation)},
                            {"negated", text_json(e.class_token->negated)}};
    if (e.bag_of_words) j["bag_of_words"] = *e.bag_of_words;
    for (const auto& [kind, far] : e.far) {
        j["far"][name_of(kind)] = text_json(far.words);
        j["far"][name_of(kind)]["head"] = text_json(far.head);
    }
    if (e.far.contains(FarKind::object)) j["induction"] = text_json(e.far.at(FarKind::object).head);
    return j;
}

void print_head(const char* what, const TalliedHead& h) {
    std::printf("  %-42s %5.1f %% of %d (block %d, head %d; mean weight %.2f)\n", what, 100 * h.share, h.count, h.block,
                h.head, h.mass);
}

void print_share(const char* what, double share) { std::printf("  %-42s %5.1f %%\n", what, 100 * share); }

void print_attention(const TextEvaluation& e) {
    if (e.alignment) {
        std::printf("cross-attention, last block, row of the word produced, on the words it comes from\n");
        print_share("nouns", e.alignment->nouns.share());
        print_share("other content words", e.alignment->content_words.share());
        print_share("all words with a source word", e.alignment->all.share());
    }
    if (e.it) {
        std::printf("\"it\", the encoder's row\n");
        print_head("on the noun it stands for", e.it->head);
        std::printf("  the same head on the other noun: mean weight %.2f\n", e.it->other_mass);
        if (e.it->named.asked > 0) print_share("noun named by the auxiliary head", e.it->named.share());
    }
    if (e.class_token) {
        std::printf("[CLS], the heads that look most\n");
        print_head("on the decisive words", e.class_token->deciding);
        std::printf("  the same head on the clause that does not decide: mean weight %.2f\n", e.class_token->idle_mass);
        print_head("on the negation", e.class_token->negation);
        print_head("the decisive word on its negation", e.class_token->negated);
    }
    for (const auto& [kind, far] : e.far) {
        std::printf("%s: %.2f %% of %d right\n", name_of(kind), 100 * far.words.share(), far.words.asked);
        print_head(kind == FarKind::object ? "on it earlier (induction)" : "on the words that fix it", far.head);
    }
}

void print_text_evaluation(const TextEvaluation& e) {
    std::printf("%.2f %% of %d with unseen pairs of words, %.2f %% of %d with known ones; perplexity %.3f\n",
                100 * e.held_out.share(), e.held_out.asked, 100 * e.fresh.share(), e.fresh.asked, e.perplexity);
    for (const auto& [pattern, score] : e.patterns)
        std::printf("  %-42s %6.2f %% of %d\n", printable(pattern).c_str(), 100 * score.share(), score.asked);
    print_attention(e);
    if (e.bag_of_words) std::printf("words without their order give %.1f %%\n", 100 * *e.bag_of_words);
}

}  // namespace

bool asks_about_text(const EvaluateOptions& o) {
    return !o.task.empty() || (!o.model.path.empty() && is_text_model(o.model.path));
}

nlohmann::ordered_json evaluated_text(const EvaluateOptions& o) {
    const auto model = text_model_of({o.task, o.to, o.model.path});
    TextEvaluationRequest request{.count = o.count, .seed = o.seed};
    request.threads = o.threads > 0 ? o.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    ProgressLine line(o.quiet);
    request.progress = line.progress();
    const TextEvaluation e = evaluate(*model, request);
    if (!o.json) print_text_evaluation(e);
    return text_evaluation_json(e, *model, o);
}

}  // namespace vitrine
