#pragma once

#include <string>
#include <vector>

#include "core/words/nearness.h"

namespace vitrine {

/// The image compared with texts.
struct WordsMeasured {
    std::string typed;               // the list as it was typed
    std::vector<std::string> texts;  // its texts
    std::string refused;             // why they cannot be compared; "" if they can
    bool each_alone = false;         // whether each probability is a sigmoid of its own (SigLIP)
    Nearness nearness;
};

}  // namespace vitrine
