#include "app/workspace/laboratory_state.h"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace vitrine {

int place_of(Instrument instrument) {
    const auto at = std::ranges::find(instrument_names, instrument, &Named<Instrument>::value);
    return static_cast<int>(at - std::begin(instrument_names));
}

std::vector<std::string> texts_in(const std::string& typed) {
    constexpr std::size_t most = 20;
    std::vector<std::string> texts;
    std::istringstream lines(typed);
    for (std::string line; std::getline(lines, line) && texts.size() < most;) {
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.pop_back();
        line.erase(0, line.find_first_not_of(' '));
        if (!line.empty()) texts.push_back(line);
    }
    return texts;
}

namespace {

/// The member that stores the curve for an instrument's figures.
Curve Laboratory::*curve_of(Instrument instrument) {
    switch (instrument) {
        case Instrument::depth: return &Laboratory::depth_curve;
        case Instrument::tokens: return &Laboratory::norms_curve;
        case Instrument::lens: return &Laboratory::lens_curve;
        case Instrument::heads:
        case Instrument::compare:
        case Instrument::statistics:
        case Instrument::ledger:
        case Instrument::occlusion:
        case Instrument::causes:
        case Instrument::words: break;
    }
    return &Laboratory::curve;
}

}  // namespace

Curve& Laboratory::curve_in_view() { return this->*curve_of(instrument); }
Curve Laboratory::curve_in_view() const { return this->*curve_of(instrument); }

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
