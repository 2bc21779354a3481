#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/rooms/room.h"
#include "app/ui/search.h"
#include "app/workspace/command.h"
#include "app/workspace/text_look.h"

namespace vitrine {

/// Something that can be found by typing, and what choosing it asks for.
struct FindEntry {
    std::string id;     // "step.attention", "command.save": synonyms are said of it
    std::string kind;   // the text "find.kind.<kind>"
    std::string words;  // in the language that is shown
    std::string key = {};
    std::vector<Command> commands;
    const CommandRow* row = nullptr;                                // of a command: found only where it can be done
    std::vector<std::pair<std::string, SearchField>> phrases = {};  // by which it is found, in every language
};

/// All that there is now: chapters, instruments, measures, pictures, models, lessons, exercises, commands, settings,
/// words of the glossary, papers, files that were opened before, parts of the network; in the order of equals.
std::vector<FindEntry> find_entries(const Frame& frame);

/// Changes where they would be others.
struct FindStamp {
    std::uint64_t words = 0;
    int counted_from = 1;
    const void* model = nullptr;
    TextChapter chapter = TextChapter::tokens;  // that samples of texts are shown in, as far as it speaks of their task
    std::vector<std::string> recent;
    bool operator==(const FindStamp&) const = default;
};
FindStamp find_stamp(const Frame& frame);

}  // namespace vitrine
