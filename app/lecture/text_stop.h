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
    std::optional<TextLanguage> to;       // the language to translate into
    std::optional<std::string> sentence;  // as typed
    std::string sample;                   // instead of a sentence: a sample's name
    std::optional<int> block;             // 0: the last
    std::optional<int> head;              // −1: the mean of all
    std::vector<std::string> written;     // forced first words of the output; none: the model chooses
    WordSwap swap;
    std::vector<std::string> what_ifs;  // in the format of core/text/text_what_ifs
    Roles roles;                        // a head by its role in the run, to look at or to remove

    bool operator==(const TextStop&) const = default;
};

/// True for a lesson's keyword that is only allowed in stops of the Text room.
bool is_word_of_text_stops(const std::string& key);

/// Reads a line of such a stop into `stop`; false if the key is one that all stops have. Throws Error for a bad value.
bool take_line(TextStop& stop, TextChapter chapter, const std::string& key, const std::string& value);

/// Changes the draft's experiment and look to the stop's. Throws Error where the bundled model of the task has no such
/// sample, block, head or what-if.
void show_text_stop(const TextStop& stop, TextChapter chapter, const TextDraft& draft);

/// The current view as a complete stop, without choices made for another task's model that the shown one does not have.
TextStop stop_of(const TextExperiment& experiment, const TextLook& look);

/// The stop's lines in the format of a lesson's file.
std::string lines_of(const TextStop& stop);

}  // namespace vitrine
