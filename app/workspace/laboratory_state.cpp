#include "app/workspace/laboratory_state.h"

#include <algorithm>

namespace vitrine {

const char* name_of(Instrument instrument) {
    switch (instrument) {
        case Instrument::heads: return "heads";
        case Instrument::compare: return "compare";
        case Instrument::statistics: return "statistics";
        case Instrument::depth: return "depth";
        case Instrument::tokens: return "tokens";
        case Instrument::lens: return "lens";
        case Instrument::ledger: return "ledger";
        case Instrument::occlusion: return "occlusion";
    }
    return "";
}

const char* name_of(Statistic statistic) {
    switch (statistic) {
        case Statistic::entropy: return "entropy";
        case Statistic::effective_tokens: return "effective_tokens";
        case Statistic::distance: return "distance";
        case Statistic::confidence: return "confidence";
        case Statistic::class_share: return "class_share";
    }
    return "";
}

const char* name_of(TokenFigure figure) {
    switch (figure) {
        case TokenFigure::positions: return "positions";
        case TokenFigure::filters: return "filters";
        case TokenFigure::similarity: return "similarity";
        case TokenFigure::components: return "components";
        case TokenFigure::norms: return "norms";
    }
    return "";
}

bool Laboratory::picked(int block, int head) const {
    return std::any_of(picks.begin(), picks.end(), [&](const Pick& p) { return p.block == block && p.head == head; });
}

void Laboratory::toggle_pick(int block, int head) {
    if (picked(block, head)) {
        std::erase_if(picks, [&](const Pick& p) { return p.block == block && p.head == head; });
        return;
    }
    if (picks.size() == most_picks) picks.erase(picks.begin());
    picks.push_back({block, head, {}});
}

}  // namespace vitrine
