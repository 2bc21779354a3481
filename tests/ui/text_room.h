#pragma once

#include <string>

#include "app/rooms/text/chapter.h"
#include "app/rooms/text/text_scene.h"
#include "app/rooms/text/text_zones.h"
#include "app/workspace/text_result.h"
#include "tests/ui/harness.h"

namespace vitrine {

inline Opening in_the_text_room(TextChapter chapter = TextChapter::cross_attention) {
    Opening opening = Harness::with_image("cat");
    opening.state.room = "text";
    TextDraft{opening.text_experiment, opening.selection.focus.text}.enter(chapter);
    return opening;
}

inline Opening in_the_text_room(TextChapter chapter, TextTask task) {
    Opening opening = in_the_text_room(chapter);
    TextDraft{opening.text_experiment, opening.selection.focus.text}.choose(task, TextLanguage::japanese);
    return opening;
}

inline const TextLook& look(const Harness& h) { return h.focus().text; }
inline const TextExperiment& experiment(Harness& h) { return h.app->workspace().text_experiment; }
inline const TextResult& text(Harness& h) { return *h.app->workspace().text.result; }
inline std::string at(const std::string& id, int number) { return id + "." + std::to_string(number); }

inline void enter(Harness& h, TextChapter chapter) {
    h.change().text().enter(chapter);
    h.settle();
    h.frame(3);
}

inline void type_text(Harness& h, const std::string& words) {
    h.tap("text.input");
    h.press(Key::a, Key::ctrl);
    h.type(words);
    h.settle();
}

/// The value of a row of the panel's numbers, by its name.
inline std::string fact(Harness& h, const std::string& key) {
    const std::string name = h.app->text()(key);
    for (int i = 0; i < 8 && h.shows(at("fact", i)); ++i)
        if (const std::string words = h.item(at("fact", i)).text; words.starts_with(name))
            return words.substr(name.size());
    return {};
}

/// The attention drawn by a chapter, read from the trace.
inline AttentionMap map_in(Harness& h, TextAttention kind, int block) {
    return map_of(*attention_of(text(h).run, kind, block), look(h).head);
}

}  // namespace vitrine
