#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/workspace/roles.h"
#include "app/workspace/text_look.h"

namespace vitrine {

/// Content of a lesson's stop in the Text room besides the chapter. Absent values stay unchanged.
struct TextStop {
    std::optional<TextTask> task;
    std::optional<TextLanguage> to;
    std::optional<std::string> sentence;  // as typed
    std::string sample;                   // instead of a sentence: a sample's name
    std::optional<int> block;             // 0: the last
    std::optional<int> head;              // −1: the mean of all
    std::vector<std::string> written;     // forced first words of the output; none: the model chooses
    WordSwap swap;
    std::vector<std::string> what_ifs;  // in the format of core/text/text_what_ifs
    Roles roles;                        // the head found in the model, to look at or to remove

    bool operator==(const TextStop&) const = default;
};

/// True for a lesson's keyword that is only allowed in stops of the Text room.
bool is_word_of_text_stops(const std::string& key);

/// Parses a line of such a stop; false if its key is common to all stops. Throws Error.
bool take_line(TextStop& stop, TextChapter chapter, const std::string& key, const std::string& value);

/// Puts experiment and look there. Throws Error where the bundled model of the task has no such sample, block, head or
/// what-if.
void show_text_stop(const TextStop& stop, TextChapter chapter, const TextDraft& draft);

/// The current view as a complete stop, without choices made for another task's model that the shown one does not have.
TextStop stop_of(const TextExperiment& experiment, const TextLook& look);

/// Its lines in the format of a lesson's file.
std::string lines_of(const TextStop& stop);

}  // namespace vitrine
