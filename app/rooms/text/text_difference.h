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

/// One of the two runs, with its own selection.
struct TextLooked {
    const TextResult& now;
    const Selection& selection;
};

/// Both runs.
struct TextPair {
    const Ui& ui;
    TextLooked a, b;
};

/// Adds to `all` the numbers that `read` gives for each run; if their counts differ, the reason that nothing is shown.
void add_both(const TextPair& pair, Comparison& all, ComparedNumbers what,
              const std::function<std::vector<float>(const TextLooked& run)>& read);

/// True if both models number their output words or classes alike.
bool same_vocabulary(const TextPair& pair);
/// A comparison of maps, still without numbers: a row for each word of `rows`, a column for each word of `columns`, and
/// cells named like "it → animal".
ComparedNumbers compared_words(const Ui& ui, const std::string& id, const TextTokens& rows, const TextTokens& columns);
/// Adds the attention weights of the chosen block and head; none where a run has no attention of that kind.
void compare_attention(const TextPair& pair, Comparison& all, TextAttention kind);
/// Adds the logits of the row in view.
void compare_logits(const TextPair& pair, Comparison& all);

/// Draws what the chapter or the instrument compares.
void draw_text_difference(const TextPair& pair, Canvas& canvas, Rect area);

}  // namespace vitrine
