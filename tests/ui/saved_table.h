#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "app/rooms/room_parts.h"
#include "core/files/table.h"
#include "tests/ui/harness.h"

namespace vitrine {

/// A column of a table, by its name.
inline std::vector<float> column_of(const Table& table, const std::string& name) {
    const auto& names = table.labels.back();
    const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    std::vector<float> column;
    for (std::size_t row = 0; at < names.size() && row < table.shape.front(); ++row)
        column.push_back(table.values[row * table.shape.back() + at]);
    return column;
}

/// The numbers of the figure that is drawn, as a file has them.
inline Table saved_table(const Harness& h) { return answers_of("explore").taking.shown(h.app->context()); }

}  // namespace vitrine
