#pragma once

#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "core/training/confidence.h"

// What a lesson names by its role in a run, since another model has other heads: found when the run is there.

namespace vitrine {

/// Which parts are asked for by their roles.
struct Roles {
    bool look = false;     // at the head that matters most
    bool without = false;  // run without it
    bool key = false;      // the key that the looked-at query gives the most weight
    bool of_text = false;  // the head is the one that was found in a text Transformer

    bool any() const { return look || without || key; }
    bool decide() const { return look || without; }
    bool operator==(const Roles&) const = default;
};

/// Puts what was found into a focus and into what-ifs.
void play_roles(const Roles& roles, const Result& now, const DecisiveHead& decisive, Experiment& experiment,
                Focus& focus);

struct TextResult;

/// The same in the Text room: the head that looks from "it" to its noun, or the induction head of stories.
void play_text_roles(const Roles& roles, const TextResult& now, const TextDraft& draft);

}  // namespace vitrine
