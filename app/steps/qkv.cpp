#include "app/inference_worker.h"
#include "app/steps/step.h"
#include "app/text.h"
#include "app/widgets/number.h"

namespace vitrine {

namespace {

std::vector<Fact> facts(const Ui&, const Result& now, const Selection&) {
    const Config& c = now.model->config;
    return {shape_fact("z", {c.tokens(), c.embedding_dim})};
}

}  // namespace

Step qkv_step() { return {.id = "qkv", .node = Node::qkv, .view = qkv_view, .facts = facts}; }

}  // namespace vitrine
