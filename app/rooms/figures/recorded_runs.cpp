#include "app/rooms/figures/recorded_runs.h"

#include <algorithm>
#include <map>
#include <string>

#include "app/platform/embedded.h"
#include "core/training/presets.h"
#include "embedded/assets.h"

namespace vitrine {

const RecordedPair* recorded_runs(std::string_view preset) {
    static const std::map<std::string, RecordedPair, std::less<>> all = [] {
        std::map<std::string, RecordedPair, std::less<>> pairs;
        for (const Preset<Pictures>& p : presets<Pictures>()) {
            const std::string name = "claims/runs/" + std::string(p.id) + ".json";
            const auto file = std::ranges::find(assets(), name, &Embedded::name);
            if (file != assets().end()) pairs.emplace(p.id, recorded_pair_from_json(std::string(file->text()), name));
        }
        return pairs;
    }();
    const auto found = all.find(preset);
    return found == all.end() ? nullptr : &found->second;
}

}  // namespace vitrine
