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

/// A search result, and the commands it issues.
struct FindEntry {
    std::string id;     // "step.attention", "command.save": the key of its synonyms
    std::string kind;   // key of the text "find.kind.<kind>"
    std::string words;  // in the current language
    std::string key = {};
    std::vector<Command> commands;
    std::string room = {};            // the room that it opens; empty: it stays in the open one
    std::string within = {};          // the chapter, instrument or subject of that room, in the current language
    const CommandRow* row = nullptr;  // for a command: found only while it is available
    std::string what_if = {};         // a word of --what-if, added to the what-ifs in force; empty: none
    std::vector<std::pair<std::string, SearchField>> phrases = {};  // search phrases in all languages
};

/// The commands of an entry; its what-if is added to those that are on.
std::vector<Command> commands_of(const FindEntry& entry, const Frame& frame);

/// All current entries: chapters, instruments, measures, pictures, models, lessons, exercises, what-ifs, commands,
/// settings, words of the glossary, papers, recent files, parts of the network; ties are shown in this order.
std::vector<FindEntry> find_entries(const Frame& frame);

/// The index of the entries. Of equally good matches in any language, terms of the glossary rank after all others
/// except papers, which rank last.
SearchIndex index_of(const std::vector<FindEntry>& entries);

/// What the entries depend on: equal stamps mean the same entries.
struct FindStamp {
    std::uint64_t words = 0;
    int counted_from = 1;
    const void* model = nullptr;
    TextChapter chapter = TextChapter::tokens;  // the commands of text samples depend on it
    std::vector<std::string> recent;
    bool operator==(const FindStamp&) const = default;
};
FindStamp find_stamp(const Frame& frame);

}  // namespace vitrine
