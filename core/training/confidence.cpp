#include "core/training/confidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/measures/answer_change.h"
#include "core/transformer/intervention.h"
#include "core/vit/forward.h"

namespace vitrine {

double calibration_error(std::span<const Answer> answers) {
    struct Bin {
        double count = 0, right = 0, top = 0;
    };
    std::array<Bin, 15> bins;
    for (const Answer& a : answers) {
        // Bin m holds the answers with a probability in ((m − 1)/15, m/15].
        const int place = static_cast<int>(std::ceil(a.top * static_cast<double>(bins.size()))) - 1;
        Bin& bin = bins[static_cast<std::size_t>(std::clamp(place, 0, static_cast<int>(bins.size()) - 1))];
        bin.count += 1;
        bin.right += a.right ? 1 : 0;
        bin.top += a.top;
    }
    double sum = 0;
    for (const Bin& bin : bins) sum += std::abs(bin.right - bin.top);
    return answers.empty() ? 0 : sum / static_cast<double>(answers.size());
}

double median_top_probability(std::span<const Answer> answers) {
    if (answers.empty()) return 0;
    std::vector<double> tops;
    for (const Answer& a : answers) tops.push_back(a.top);
    std::sort(tops.begin(), tops.end());
    const std::size_t middle = tops.size() / 2;
    return tops.size() % 2 == 1 ? tops[middle] : (tops[middle - 1] + tops[middle]) / 2;
}

DecisiveHead decisive_head(const Model& model, const Trace& trace, const Progress& progress) {
    const Config& c = model.config;
    DecisiveHead decisive{c.blocks, 0, 0};
    if (c.classes < 2) return decisive;
    const Tensor2& before = trace.head->logits;
    const auto first = static_cast<int>(std::max_element(before.begin(), before.end()) - before.begin());
    const auto margin = [&](const Trace& t) {
        return margin_of({t.head->logits.data(), t.head->logits.size()}, first);
    };
    const double whole = margin(trace);
    for (int block = c.blocks; block >= 1; --block)
        for (int head = 0; head < c.heads; ++head) {
            report(progress, static_cast<double>((c.blocks - block) * c.heads + head) / (c.blocks * c.heads));
            const Intervention away[] = {remove_head(block, head)};
            const double change = margin(what_if(model, trace, away)) - whole;
            if (std::abs(change) > std::abs(decisive.change)) decisive = {block, head, change};
        }
    return decisive;
}

double change_by_one_head(const Model& model, const Trace& trace, double enough) {
    const auto& before = trace.head->probabilities;
    const auto top = static_cast<std::size_t>(std::max_element(before.begin(), before.end()) - before.begin());
    double most = 0;
    for (int block = model.config.blocks; block >= 1; --block)
        for (int head = 0; head < model.config.heads && most < enough; ++head) {
            const Intervention away[] = {remove_head(block, head)};
            const Trace without = what_if(model, trace, away);
            const double change = static_cast<double>(without.head->probabilities.data()[top] - before.data()[top]);
            most = std::max(most, std::abs(change));
        }
    return most;
}

}  // namespace vitrine
