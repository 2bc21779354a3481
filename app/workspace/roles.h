#pragma once

#include "app/workspace/result.h"
#include "app/workspace/selection.h"

// Parts that a lesson addresses by their role, since the indices differ between models: resolved once the run is there.

namespace vitrine {

struct DecisiveHead;

/// The roles to resolve.
struct Roles {
    bool look = false;     // select the most decisive head
    bool without = false;  // run without that head
    bool key = false;      // select the key with the largest weight for the chosen query
    bool of_text = false;  // the head is one of a text Transformer

    bool any() const { return look || without || key; }
    bool decide() const { return look || without; }
    bool operator==(const Roles&) const = default;
};

/// Looks at the block whose weights the key is found by; false while a run within a budget of memory has to compute it
/// again.
bool turn_to_key(const Roles& roles, const Result& now, const DecisiveHead& decisive, Focus& focus);

/// Sets focus and what-ifs to the parts found.
void play_roles(const Roles& roles, const Result& now, const DecisiveHead& decisive, Experiment& experiment,
                Focus& focus);

struct TextResult;

/// The same in the Text room: the head that looks from "it" to its noun, or the induction head of stories.
void play_text_roles(const Roles& roles, const TextResult& now, const TextDraft& draft);

}  // namespace vitrine
