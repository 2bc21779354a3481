#pragma once

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"

namespace vitrine {

/// A quiet line over a group of controls.
void control_label(const Ui& ui, const std::string& words);

/// Choices under their name, `per_row` beside one another; true when another one was taken. Words are `id`, `id.<key>`
/// and `id_tip`; probe ids `id.<key>`.
template <class T>
bool choice(const Ui& ui, const std::string& id, std::initializer_list<std::pair<T, const char*>> options, T& value,
            std::size_t per_row = 8) {
    control_label(ui, ui.text(id));
    bool changed = false;
    for (std::size_t first = 0; first < options.size(); first += per_row) {
        std::vector<Control> controls;
        int chosen = -1;
        const auto row = options.begin() + first;
        for (std::size_t i = 0; i < std::min(per_row, options.size() - first); ++i) {
            if (row[i].first == value) chosen = static_cast<int>(i);
            controls.push_back({id + "." + row[i].second, ui.text(id + "." + row[i].second), ui.text(id + "_tip"), {}});
        }
        if (!segmented(ui, controls, chosen)) continue;
        value = row[chosen].first;
        changed = true;
    }
    return changed;
}

}  // namespace vitrine
