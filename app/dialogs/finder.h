#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/dialogs/find_entries.h"
#include "app/rooms/room.h"
#include "app/ui/search.h"

namespace vitrine {

struct AppContext;

/// Search for anything: the dialog of Ctrl K. Its index is rebuilt only if the entries have changed.
class Finder {
public:
    void draw(const Frame& frame, const AppContext& context);

    /// All entries as of the last frame in which the dialog was drawn.
    const std::vector<FindEntry>& entries() const { return entries_; }

private:
    void search(const Frame& frame, const std::string& typed);
    void draw_rows(const Frame& frame, const AppContext& context, bool entered);

    std::optional<FindStamp> stamp_;
    std::vector<FindEntry> entries_;
    SearchIndex index_;
    std::string typed_;
    std::vector<std::size_t> found_;
};

}  // namespace vitrine
