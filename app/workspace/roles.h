#pragma once

#include "app/workspace/result.h"
#include "app/workspace/selection.h"

// A lesson addresses heads and keys by their role, since their indices differ between models. Roles are resolved once
// the run is finished.

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

/// Selects the block in whose weights the key is looked up. False while that block is missing: under a memory budget
/// the run has to compute it again.
bool turn_to_key(const Roles& roles, const Result& now, const DecisiveHead& decisive, Focus& focus);

/// Sets focus and what-ifs to the heads and keys that have the roles.
void play_roles(const Roles& roles, const Result& now, const DecisiveHead& decisive, Experiment& experiment,
                Focus& focus);

struct TextResult;

/// The same in the Text room: the head that attends from "it" to its noun, or the induction head of stories.
void play_text_roles(const Roles& roles, const TextResult& now, const TextDraft& draft);

}  // namespace vitrine
