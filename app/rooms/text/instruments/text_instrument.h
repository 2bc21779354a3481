#pragma once

#include <string>
#include <vector>

#include "app/rooms/text/text_scene.h"
#include "app/workspace/text_look.h"
#include "core/files/table.h"

namespace vitrine {

struct Comparison;
class Selection;
struct TextPair;
struct TextResult;

// The laboratory of the Text room: one table for the stage, the panel, the strip, the map and exports.

/// An instrument. Keys of its texts: "text.lab.<name>.<part>" with the parts title, sentence, formula, words, not and
/// source; key of its tab: "text.lab.tab.<name>".
struct TextInstrumentRow {
    TextInstrument instrument = TextInstrument::heads;
    void (*view)(const TextScene& scene) = nullptr;
    bool measured = true;                                // shows measures of the run, not its trace alone
    bool narrow = false;                                 // its figure fits half of a small window
    void (*controls)(const TextScene& scene) = nullptr;  // beside the picture; none for most
    /// The chapter of its subject, highlighted on the map.
    TextChapter (*chapter)(const TextResult& now, const TextLook& look) = nullptr;
    /// The numbers behind the picture.
    Table (*table)(const TextResult& now, const Selection& selection) = nullptr;
    /// The numbers that the instrument compares in two runs side by side.
    Comparison (*compared)(const TextPair& pair) = nullptr;
};

// Each is defined in a file of its own.
TextInstrumentRow text_heads_instrument();
TextInstrumentRow text_statistics_instrument();
TextInstrumentRow text_rollout_instrument();
TextInstrumentRow text_lens_instrument();
TextInstrumentRow text_ledger_instrument();
TextInstrumentRow text_occlusion_instrument();

/// All instruments, in the order of their tabs.
const std::vector<TextInstrumentRow>& text_instruments();
const TextInstrumentRow& instrument_of(const TextLook& look);
/// True if the open instrument needs measures of the run.
bool shows_measures(const TextLook& look);
/// False if the open instrument needs measures that the run does not have yet.
bool has_shown_measures(const TextResult& now, const TextLook& look);
/// An instrument's text by the last part of its key: "title".
const std::string& instrument_text(const Ui& ui, TextInstrument instrument, const std::string& key);

// Helpers shared by the instruments.

/// The chosen kind of attention, else the model's last.
TextAttention kind_in(const TextResult& now, const TextLook& look);
/// Choice of the kind of attention; as high as a control.
void kind_controls(const TextScene& scene);
/// The chapter with a kind of attention, for the model's task.
TextChapter chapter_of_kind(const TextResult& now, TextAttention kind);
/// Opens the chapter with a head.
void open_head(const TextDraft& draft, const TextResult& now, int block, int head);
std::string text_head_name(const Ui& ui, int block, int head);  // "Layer 2 · head 3"

/// The rows of the last stack, each named by its prediction: words, or one row for the class.
TextTokens speaking_tokens(const Ui& ui, const TextResult& now);
/// Index of the row in view; 0 for a classifier.
int speaking_row(const TextResult& now, const Selection& selection);
/// The words a decoder's row may see when it predicts: with no mask, all of its input.
TextTokens read_before(const TextResult& now, int row);
/// Display name of an output by its number: a word, or a class.
std::string output_name(const Ui& ui, const TextResult& now, int number);
/// Untranslated name of an output, for files: a word, or a label.
std::string output_word(const TextResult& now, int number);

/// Words with numbers, in reading order, wrapped.
struct ValuedWords {
    std::string id;  // probe ids "<id>.<i>", their numbers "<id>.value.<i>"
    const TextTokens& tokens;
    std::vector<std::optional<double>> values;  // none: the word has no number
    double reach = 1;  // value of the strongest background colour; negative values have another colour
    std::string (*number)(double value) = nullptr;
    int chosen = -1;
    Color color = {};  // of the chosen word
};
/// The hovered and the clicked word, and the height of all.
struct ValuedHit {
    WordHit words;
    float height = 0;
};
ValuedHit valued_words(const TextScene& scene, const ValuedWords& words);

/// The most probable outputs for a row of probabilities, best first, without words that are never produced.
std::vector<WordCandidate> likely_outputs(const TextResult& now, const Tensor2& probabilities, int row, int count);

/// The rest of the area below `height`.
TextScene below(const TextScene& scene, float height);

/// The numbers of an instrument by its name; empty before they are measured.
Table table_named(const std::string& instrument, const TextResult& now, const Selection& selection);
/// The numbers of the open instrument, or of the chapter's attention.
Table shown_table(const TextResult& now, const Selection& selection);

/// A table with labels for rows and columns, without numbers.
Table table_of(const std::string& name, std::vector<std::string> rows, std::vector<std::string> columns);

}  // namespace vitrine
