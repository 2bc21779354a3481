#include "app/rooms/figures/recorded_study.h"

#include "app/platform/embedded.h"
#include "app/ui/text.h"
#include "app/ui/widgets/number.h"
#include "embedded/assets.h"

namespace vitrine {

const NetStudy& recorded_study() {
    static const NetStudy study = [] {
        const std::string file = "studies/vit_cnn.json";
        return net_study_from_json(std::string(embedded(assets(), file).text()), file);
    }();
    return study;
}

std::string study_text(const Ui& ui, std::string_view key) {
    const NetStudy& study = recorded_study();
    const auto share = [&](Net net, std::uint64_t distinct) { return percent_text(study.at(net, distinct).mean); };
    const NetStudySpread endless = study.at(Net::cnn, 0);
    return ui.text(key, {{"pictures", count_text(static_cast<std::int64_t>(study.plan.pictures))},
                         {"fresh", count_text(study.plan.fresh)},
                         {"seeds", count_text(study.plan.seeds)},
                         {"cnn_least", percent_text(endless.least)},
                         {"cnn_most", percent_text(endless.most)},
                         {"vit_100", share(Net::vit, 100)},
                         {"vit_1000", share(Net::vit, 1'000)},
                         {"vit_10000", share(Net::vit, 10'000)},
                         {"vit_endless", share(Net::vit, 0)},
                         {"cnn_100", share(Net::cnn, 100)},
                         {"cnn_1000", share(Net::cnn, 1'000)},
                         {"cnn_10000", share(Net::cnn, 10'000)},
                         {"cnn_endless", share(Net::cnn, 0)}});
}

}  // namespace vitrine
