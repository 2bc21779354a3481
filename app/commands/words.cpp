#include <algorithm>
#include <cstdio>
#include <numeric>

#include "app/commands/commands.h"
#include "app/commands/image_list.h"
#include "app/commands/outputs.h"
#include "app/exports/describe.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/platform/printable.h"
#include "core/base/team.h"
#include "core/vit/forward.h"
#include "core/words/nearness.h"
#include "core/words/text_tower.h"

namespace vitrine {

namespace {

using WordsJson = nlohmann::ordered_json;

/// The results of each text, in the given order.
WordsJson texts_json(const TextTower& tower, const std::vector<std::string>& texts, const Nearness& near) {
    WordsJson list = WordsJson::array();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const TowerTokens tokens = (*tower.read)(texts[i], tower.context);
        const float* const patches = &near.patches(i, 0);
        list.push_back({{"text", texts[i]},
                        {"tokens", tokens.numbers},
                        {"pieces", tokens.pieces},
                        {"cut", tokens.cut},
                        {"cosine", near.cosine[i]},
                        {"logit", near.logit[i]},
                        {"probability", near.probability[i]},
                        {"patches", std::vector<float>(patches, patches + near.patches.shape()[1])}});
    }
    return list;
}

/// The texts, nearest first.
void print_nearness(const TextTower& tower, const std::vector<std::string>& texts, const Nearness& near) {
    std::vector<std::size_t> order(texts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return near.logit[i]; });
    for (const std::size_t i : order) {
        const float* const patches = &near.patches(i, 0);
        const auto nearest = std::max_element(patches, patches + near.patches.shape()[1]) - patches;
        std::printf("%7.2f %%  %-32s  cosine %7.4f  nearest patch %d%s\n",
                    100 * static_cast<double>(near.probability[i]), printable(texts[i]).c_str(),
                    static_cast<double>(near.cosine[i]), static_cast<int>(nearest),
                    (*tower.read)(texts[i], tower.context).cut ? "  (text cut)" : "");
    }
    std::printf("%s The model was not trained to place single patches.\n",
                tower.bias ? "Each text has a probability of its own, by a sigmoid."
                           : "The probabilities are a softmax over these texts.");
}

}  // namespace

int words_command(const WordsOptions& o) {
    if (o.threads > 0) set_thread_count(o.threads);
    const ImageList list = image_list({o.image});
    if (list.many) throw UsageError(o.image + ": words are compared with one image; give one");
    const auto model = open_model(o.model.source());
    const TextTower tower = open_text_tower(*model);
    const auto image = open_image(with_set(list.images.front(), pictures_of(*model).scenes));
    const Trace trace = forward_in_passing(*model, preprocess(image->full, model->preprocessing, model->config).pixels);
    const Nearness near = nearness_of(*model, trace, tower, features_of_texts(tower, o.texts));
    if (!o.json) {
        print_nearness(tower, o.texts, near);
        return 0;
    }
    WordsJson result = {{"model", describe(*model)},
                        {"image", {{"path", o.image}, {"width", image->full.width}, {"height", image->full.height}}},
                        {"probabilities", tower.bias ? "sigmoid" : "softmax"},
                        {"scale", tower.scale},
                        {"grid", {model->config.grid_height(), model->config.grid_width()}},
                        {"texts", texts_json(tower, o.texts, near)}};
    if (tower.bias) result["bias"] = *tower.bias;
    print_json(result);
    return 0;
}

}  // namespace vitrine
