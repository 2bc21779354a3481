#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/controls.h"
#include "core/base/names.h"

namespace vitrine {

/// A muted heading for a group of controls.
void control_label(const Ui& ui, const std::string& words);

/// Draws a choice among options under a heading, `per_row` in each row; returns true if the choice changed. Text keys
/// are `id`, `id.<name>` and `id.<name>_tip`, or `id_tip` for all options; probe ids are `id.<name>`.
template <class T>
bool choice(const Ui& ui, const std::string& id, std::span<const Named<T>> options, T& value, std::size_t per_row = 8) {
    control_label(ui, ui.text(id));
    bool changed = false;
    for (std::size_t first = 0; first < options.size(); first += per_row) {
        std::vector<Control> controls;
        int chosen = -1;
        const auto row = options.subspan(first);
        for (std::size_t i = 0; i < std::min(per_row, options.size() - first); ++i) {
            if (row[i].value == value) chosen = static_cast<int>(i);
            const std::string one = id + "." + row[i].name, tip = one + "_tip";
            controls.push_back({one, ui.text(one), ui.text(ui.text.has(tip) ? tip : id + "_tip"), {}});
        }
        if (!segmented(ui, controls, chosen)) continue;
        value = row[chosen].value;
        changed = true;
    }
    return changed;
}
template <class T, std::size_t n>
bool choice(const Ui& ui, const std::string& id, const Named<T> (&options)[n], T& value, std::size_t per_row = 8) {
    return choice(ui, id, std::span<const Named<T>>(options), value, per_row);
}

}  // namespace vitrine
