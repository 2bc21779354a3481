#include "core/measures/text/verdict_head.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/text/text_forward.h"

namespace vitrine {

double lead_of(const TextTrace& trace, int label) {
    const Tensor2& logits = trace.generator->logits;
    const auto own = static_cast<std::size_t>(label);
    float other = std::numeric_limits<float>::lowest();
    for (std::size_t i = 0; i < logits.shape()[1]; ++i)
        if (i != own) other = std::max(other, logits(0, i));
    return static_cast<double>(logits(0, own)) - static_cast<double>(other);
}

VerdictHead verdict_head(const TextModel& model, const TextTrace& run, std::span<const Intervention> what_ifs) {
    const float* const logits = &run.generator->logits(0, 0);
    const auto label = static_cast<int>(std::max_element(logits, logits + run.generator->logits.shape()[1]) - logits);
    const double lead = lead_of(run, label);
    VerdictHead found{1, 0, std::numeric_limits<double>::lowest()};
    std::vector<Intervention> all(what_ifs.begin(), what_ifs.end());
    for (int block = 1; block <= model.config.blocks; ++block)
        for (int head = 0; head < model.config.heads; ++head) {
            all.push_back(remove_head_of({Stack::encoder, Attention::self, block}, head));
            const double change = lead - lead_of(text_forward(model, run.batch, all), label);
            all.pop_back();
            if (change > found.change) found = {block, head, change};
        }
    return found;
}

}  // namespace vitrine
