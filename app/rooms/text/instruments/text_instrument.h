#pragma once

#include <string>
#include <vector>

#include "app/rooms/text/text_scene.h"
#include "app/workspace/text_look.h"
#include "core/files/table.h"

namespace vitrine {

class Selection;
struct TextResult;

// The laboratory of the Text room: the stage, the panel, the strip, the map and what is taken away read one table.

/// One instrument. Its words stand under "text.lab.<name>.": title, sentence, formula, words, not, source; its tab is
/// "text.lab.tab.<name>".
struct TextInstrumentRow {
    TextInstrument instrument = TextInstrument::heads;
    void (*view)(const TextScene& scene) = nullptr;
    void (*controls)(const TextScene& scene) = nullptr;  // beside the picture; none for most
    /// The chapter of what it looks at, lit on the map.
    TextChapter (*chapter)(const TextResult& now, const TextLook& look) = nullptr;
    /// The numbers behind the picture.
    Table (*table)(const TextResult& now, const Selection& selection) = nullptr;
};

// One file each.
TextInstrumentRow text_heads_instrument();
TextInstrumentRow text_statistics_instrument();
TextInstrumentRow text_rollout_instrument();
TextInstrumentRow text_lens_instrument();
TextInstrumentRow text_ledger_instrument();
TextInstrumentRow text_occlusion_instrument();

/// In the order of their tabs.
const std::vector<TextInstrumentRow>& text_instruments();
const TextInstrumentRow& instrument_of(const TextLook& look);
/// Its words, by the last part of their key: "title".
const std::string& instrument_text(const Ui& ui, TextInstrument instrument, const std::string& key);

// What the instruments share.

/// The kind of attention that is looked at: the chosen one, else the last that the model has.
TextAttention kind_in(const TextResult& now, const TextLook& look);
/// Which kind of attention; as high as a control.
void kind_controls(const TextScene& scene);
/// The chapter that shows a kind of attention, of a task that the model has.
TextChapter chapter_of_kind(const TextResult& now, TextAttention kind);
/// Opens a head where the chapters show it.
void open_head(const TextDraft& draft, const TextResult& now, int block, int head);
std::string text_head_name(const Ui& ui, int block, int head);  // "Layer 2 · head 3"

/// The rows of the stack that speaks, named after what they lead to: words, or the class alone.
TextTokens speaking_tokens(const Ui& ui, const TextResult& now);
/// The one that is looked at.
int speaking_row(const TextResult& now, const Selection& selection);
/// What the decoder may see where a row says its word: all that it reads where no mask hides any.
TextTokens read_before(const TextResult& now, int row);
/// What can be said, by its number: a word, or a class.
std::string said_name(const Ui& ui, const TextResult& now, int number);
/// In the stack that speaks, not for a screen: words, or labels.
std::string said_word(const TextResult& now, int number);

/// Words with a number each, in the order in which one reads them, in as many lines as they need.
struct ValuedWords {
    std::string id;  // probe ids "<id>.<i>", their numbers "<id>.value.<i>"
    const TextTokens& tokens;
    std::vector<std::optional<double>> values;  // none: nothing is told of the word
    double reach = 1;                           // what the strongest ground means; below 0 has another colour
    std::string (*number)(double value) = nullptr;
    int chosen = -1;
    Color color = {};  // of the chosen one
};
/// What was pointed at, and how high it became.
struct ValuedHit {
    WordHit words;
    float height = 0;
};
ValuedHit valued_words(const TextScene& scene, const ValuedWords& words);

/// The rest of the area below so much of it.
TextScene below(const TextScene& scene, float height);

/// The numbers of an instrument; of a chapter the attention that it looks at.
Table table_named(const std::string& instrument, const TextResult& now, const Selection& selection);
Table shown_table(const TextResult& now, const Selection& selection);

/// A table of rows and columns, without numbers yet.
Table table_of(const std::string& name, std::vector<std::string> rows, std::vector<std::string> columns);

}  // namespace vitrine
