#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/ui/geometry.h"
#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/colour_map.h"
#include "core/tensor/tensor.h"
#include "core/text/text_kinds.h"

namespace vitrine {

struct AttentionTrace;
struct Frame;
class Selection;
struct TextDraft;
struct TextExperiment;
struct TextLook;
struct TextResult;
struct TextRun;
struct WordCandidate;

// Inputs and helpers of the Text room's chapters. Views change only the selection.

/// Inputs of a chapter's view.
struct TextScene {
    const Ui& ui;
    const Frame& frame;
    const TextResult& now;
    Canvas& canvas;
    Rect area;
    Selection& selection;

    TextLook& look() const;
    TextExperiment& experiment() const;
    TextDraft draft() const;
    bool projected() const;  // as in a lecture
    const Theme& theme() const { return ui.theme; }
    const Palette& palette() const { return ui.theme.palette; }
    float px(float at_1080p) const { return ui.theme.px(at_1080p); }
    /// A copy with another area.
    TextScene in(Rect rect) const { return {ui, frame, now, canvas, rect, selection}; }
};

/// The words of a run, one for each row of a stack.
struct TextTokens {
    std::vector<std::string> words;
    std::vector<char> unknown;  // not in the vocabulary
    std::vector<int> ids;

    int size() const { return static_cast<int>(words.size()); }
};
/// English gloss of a Japanese word, unless the window is in Japanese; empty for other words.
std::string gloss_of(const Frame& frame, const std::string& word);
/// "猫 (cat)"; other words unchanged.
std::string glossed(const Frame& frame, const std::string& word);

/// The encoder's input, with special words; empty without an encoder.
TextTokens source_tokens(const TextResult& now, const TextRun& run);
/// The decoder's input: [BOS] and the words.
TextTokens target_tokens(const TextResult& now, const TextRun& run);
/// The output of each row of the decoder: the words and [EOS].
TextTokens produced_tokens(const TextResult& now, const TextRun& run);

/// The queries and the keys of a kind of attention.
struct TextSides {
    TextTokens queries, keys;
};
TextSides sides_of(const TextResult& now, const TextRun& run, TextAttention kind);

/// True for punctuation and special words, on which heads park attention that they do not need.
bool is_parking(const std::string& word);

/// A matrix of attention: rows are queries, columns keys.
struct AttentionMap {
    int rows = 0, columns = 0;
    std::vector<float> weights;  // (rows, columns)

    float at(int row, int column) const { return weights[static_cast<std::size_t>(row * columns + column)]; }
    std::span<const float> row(int r) const {
        return std::span(weights).subspan(static_cast<std::size_t>(r * columns), static_cast<std::size_t>(columns));
    }
    int best(int row) const;
};
/// The attention trace of a block, counted from 1; null if the model has no attention of that kind.
std::shared_ptr<const AttentionTrace> attention_of(const TextRun& run, TextAttention kind, int block);
/// The attention weights of a head; −1: the mean of all heads.
AttentionMap map_of(const AttentionTrace& t, int head);
/// True if the head (−1: every head) adds nothing, since it or the whole attention branch is switched off.
bool is_idle(const AttentionTrace& t, int head);

/// The block in view: the chosen one, clamped to the stack; else that of the head that decides the
/// verdict or of the induction head, else the last.
int block_in(const TextResult& now, TextAttention kind, const TextLook& look);
/// The head in view; −1: the mean, also if the chosen one does not exist in this model. The mask's chapter shows
/// scores, which have no mean: it shows the first head instead.
int head_in(const TextResult& now, const TextLook& look);
/// The encoder's row in view: the hovered one, else the chosen one, else [CLS], "it", or the first word.
int source_in_view(const TextResult& now, const Selection& selection);
/// The decoder's row in view: the hovered one, else the chosen one, else the first word produced; in the mask's chapter
/// a row that sees some words and not others.
int target_in_view(const TextResult& now, const Selection& selection);

/// A copy of a row of a tensor.
std::vector<float> numbers_of(const Tensor2& tensor, int row);

// Figures.

/// Positions of words in a row as wide as the drawing area, on several levels if necessary.
struct WordPlaces {
    std::vector<Rect> rects;
    int levels = 1;
    float height = 0;  // of all levels together
    Font font = Font::body;
    bool glossed = false;  // English glosses below Japanese words
};
enum class Levels { down, up };              // direction of further levels
enum class Chips { glossed, plain, small };  // with English glosses; without; without and in small type
WordPlaces place_words(const TextScene& scene, Rect rect, const std::vector<std::string>& words,
                       Levels levels = Levels::down, Chips chips = Chips::glossed);

/// A row of words as chips.
struct WordRow {
    std::string id;  // probe ids "<id>.<i>"
    const TextTokens& tokens;
    const WordPlaces& places;
    Color color;  // of the chosen word
    int chosen = -1, hovered = -1;
    std::span<const float> weights = {};  // strength of each background, 0 … 1
};
struct WordHit {
    int hovered = -1, clicked = -1;
};
WordHit draw_words(const TextScene& scene, const WordRow& row);

/// Lines between two rows of words; widths are the weights.
struct WordLines {
    std::string id;
    const AttentionMap& map;
    const WordPlaces &queries, &keys;
    int query = -1, key = -1;     // words with highlighted lines; −1: all
    std::vector<char> pale = {};  // queries that only park their attention
    bool idle = false;            // without effect on the output
    bool all = false;             // nobody chose `query`: every line is highlighted
};
void draw_lines(const TextScene& scene, const WordLines& lines);

/// Attention weights as a matrix with words beside it; returns the hovered cell, and whether it was clicked.
struct WordMatrix {
    std::string id;
    const AttentionMap& map;
    const TextTokens &queries, &keys;
    int query = -1, key = -1;
    bool causal = false;  // masked cells are hatched
    bool idle = false;    // without effect on the output: hatched entirely
    ColourScale scale = {ColourMap::sequential, 0, 1, Curve::root};
};
struct MatrixHit {
    int query = -1, key = -1;
    bool clicked = false;
};
MatrixHit draw_matrix(const TextScene& scene, const WordMatrix& matrix);

/// Names beside the rows of a matrix. Where rows are low, names alternate between two columns, or only every second or
/// third name is shown. Two columns are together no wider than twelve lines are high, or than the widest pair of
/// neighbours if that is more: longer names are cut.
struct RowWords {
    int every = 1, columns = 1;
    bool cut = false;                      // some names are
    float starts[2] = {}, widths[2] = {};  // of each column; `starts` are distances from the cells
    float width = 0;                       // of all

    int column_of(int row) const { return row / every % columns; }
    float start_of(int row) const { return starts[column_of(row)]; }
};
RowWords row_words(const TextScene& scene, const std::vector<std::string>& words, float height);
enum class Side { left, right };
struct NamedRows {
    std::string id;  // probe ids "<id>.<i>"
    const std::vector<std::string>& words;
    const RowWords& places;
    Side side = Side::left;
    int lit = -1;  // always has its name
};
void draw_row_words(const TextScene& scene, Rect cells, const NamedRows& rows);

/// All heads of an attention as small matrices, after their mean; a click chooses one.
void heads_strip(const TextScene& scene, TextAttention kind);
/// Choice of the block, and of lines or a matrix if both are offered; as high as a control.
enum class Shapes { both, matrix };
void attention_controls(const TextScene& scene, TextAttention kind, Shapes offered = Shapes::both);

/// A vector as bars around 0, with a line for title and range.
struct TextVector {
    std::string id, title;
    std::span<const float> values;
    float reach = 0;  // end of the scale; 0: the largest |value|
    std::optional<Color> color = {};
    std::string moments = {};  // text after the title, or below it
    float beside = 0;          // width left of the bars for title, range and moments; 0: they stand above the bars
};
void text_vector(const TextScene& scene, const TextVector& vector);

/// Candidates for the next word, with probabilities as bars; returns the index of the clicked one, −1 for none.
struct CandidateList {
    std::string id;
    std::span<const WordCandidate> candidates;
    int taken = -1;  // id of the chosen word
    int most = 10;
};
int candidate_list(const TextScene& scene, const CandidateList& list);

/// Rich text wrapped into the scene's area; returns its height.
float text_note(const TextScene& scene, const std::string& markup, Font font = Font::caption);
/// Draws a caption at a point and returns its height at the scene's width; `caption_height` only measures.
float text_caption(const TextScene& scene, Point at, const std::string& markup, Color color);
float caption_height(const TextScene& scene, const std::string& markup);

/// A word in typographic quotes, for a sentence: “animal”.
std::string in_quotes(const std::string& word);

}  // namespace vitrine
