#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/rooms/figures/difference.h"
#include "core/text/text_kinds.h"

// The numbers that chapters and instruments of the Text room compare in two runs side by side.

namespace vitrine {

struct TextResult;
struct TextTokens;

/// One of the two runs, and what is looked at in it.
struct TextLooked {
    const TextResult& now;
    const Selection& selection;
};

/// Both runs.
struct TextPair {
    const Ui& ui;
    TextLooked a, b;
};

/// Compares numbers of both runs, if they have them alike.
void add_both(const TextPair& pair, Comparison& all, ComparedNumbers what,
              const std::function<std::vector<float>(const TextLooked& run)>& read);

/// True if the outputs of both models have the same numbers for the same words or classes.
bool same_vocabulary(const TextPair& pair);
/// A map with a row for each word of one list and a column for each of another: "it → animal".
ComparedNumbers compared_words(const Ui& ui, const std::string& id, const TextTokens& rows, const TextTokens& columns);
/// Attention of the chosen block and head, of a kind; nothing where a run has none.
void compare_attention(const TextPair& pair, Comparison& all, TextAttention kind);
/// Logits of the output for the row in view.
void compare_logits(const TextPair& pair, Comparison& all);

/// Draws what the chapter or the instrument compares.
void draw_text_difference(const TextPair& pair, Canvas& canvas, Rect area);

}  // namespace vitrine
