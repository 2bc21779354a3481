#include <algorithm>

#include "app/steps/step.h"
#include "app/text.h"
#include "app/widgets/number.h"

namespace vitrine {

const std::vector<Step>& curriculum() {
    static const std::vector<Step> steps = {
        image_step(),     patches_step(),    patch_embedding_step(), position_embedding_step(),
        attention_step(), prediction_step(),
    };
    return steps;
}

int step_index(std::string_view id) {
    const auto& steps = curriculum();
    const auto found = std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.id == id; });
    return found == steps.end() ? -1 : static_cast<int>(found - steps.begin());
}

const std::string& step_text(const Ui& ui, const Step& step, std::string_view key) {
    return ui.text("step." + std::string(step.id) + "." + std::string(key));
}

Fact number_fact(const std::string& label, double value) { return {label, number_text(value), full_text(value)}; }

Fact shape_fact(const std::string& label, std::initializer_list<int> shape) {
    std::string words = "(";
    for (const int n : shape) words += (words.size() > 1 ? ", " : "") + count_text(n);
    return {label, words + ")", {}};
}

}  // namespace vitrine
