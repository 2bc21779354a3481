#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/ui/theme.h"
#include "app/ui/ui.h"
#include "app/ui/widgets/canvas.h"
#include "app/ui/widgets/heatmap.h"
#include "core/tensor/tensor.h"
#include "core/text/text_attention.h"

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

// What the chapters of the Text room draw with. Views change nothing but what is looked at.

/// What a chapter's view reads.
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
    const Theme& theme() const { return ui.theme; }
    const Palette& palette() const { return ui.theme.palette; }
    float px(float at_1080p) const { return ui.theme.px(at_1080p); }
    /// The same, elsewhere.
    TextScene in(Rect rect) const { return {ui, frame, now, canvas, rect, selection}; }
};

/// The words of a run, one for each row of a stack.
struct TextTokens {
    std::vector<std::string> words;
    std::vector<char> unknown;  // typed, and not in the vocabulary
    std::vector<int> ids;

    int size() const { return static_cast<int>(words.size()); }
};
/// What a Japanese word means in English, for who does not read the window in Japanese; empty for other words.
std::string gloss_of(const Frame& frame, const std::string& word);
/// "猫 (cat)"; other words alone.
std::string glossed(const Frame& frame, const std::string& word);

/// What the encoder reads, special words included; empty without one.
TextTokens source_tokens(const TextResult& now, const TextRun& run);
/// What the decoder reads: [BOS] and the words.
TextTokens target_tokens(const TextResult& now, const TextRun& run);
/// What each row of the decoder leads to: the words and [EOS].
TextTokens produced_tokens(const TextResult& now, const TextRun& run);

/// The words that look in a kind of attention, and those that are looked at.
struct TextSides {
    TextTokens queries, keys;
};
TextSides sides_of(const TextResult& now, const TextRun& run, TextAttention kind);

/// Whether a word is a sign or a special word, where attention is parked.
bool is_parking(const std::string& word);

/// A matrix of attention: rows query, columns are looked at.
struct AttentionMap {
    int rows = 0, columns = 0;
    std::vector<float> weights;  // (rows, columns)

    float at(int row, int column) const { return weights[static_cast<std::size_t>(row * columns + column)]; }
    std::span<const float> row(int r) const {
        return std::span(weights).subspan(static_cast<std::size_t>(r * columns), static_cast<std::size_t>(columns));
    }
    int best(int row) const;
};
/// The attention of a block of a run; null where the model has none such.
std::shared_ptr<const AttentionTrace> attention_of(const TextRun& run, TextAttention kind, int block);
/// One head of it, −1: the mean of all.
AttentionMap map_of(const AttentionTrace& t, int head);
/// Whether nothing comes of it: its branch is switched off, or that head, or all heads for −1.
bool is_idle(const AttentionTrace& t, int head);

/// The block that is looked at: the chosen one as far as the stack has it, where none is chosen
/// that of the head which tells most, else the last.
int block_in(const TextResult& now, TextAttention kind, const TextLook& look);
/// The head whose attention is drawn; −1: the mean, as where the chosen one is of a model with more heads.
int head_in(const TextResult& now, const TextLook& look);
/// The row that the numbers speak of: the hovered one, the chosen one, else the one that tells most: "it", or the first
/// word.
int source_in_view(const TextResult& now, const Selection& selection);
int target_in_view(const TextResult& now, const Selection& selection);

/// A row of a tensor.
std::vector<float> numbers_of(const Tensor2& tensor, int row);

// Figures.

/// Where words stand in a row that is as wide as what they are drawn into; where they need more they stand on several
/// levels.
struct WordPlaces {
    std::vector<Rect> rects;
    int levels = 1;
    float height = 0;  // of all levels
    Font font = Font::body;
};
enum class Levels { down, up };  // the way in which further levels lie
WordPlaces place_words(const TextScene& scene, Rect rect, const std::vector<std::string>& words,
                       Levels levels = Levels::down);

/// A row of words as chips.
struct WordRow {
    std::string id;  // probe ids "<id>.<i>"
    const TextTokens& tokens;
    const WordPlaces& places;
    Color color;  // of the chosen one
    int chosen = -1, hovered = -1;
    std::span<const float> weights = {};  // the ground of each, 0 … 1
};
struct WordHit {
    int hovered = -1, clicked = -1;
};
WordHit draw_words(const TextScene& scene, const WordRow& row);

/// Lines between two rows of words, as thick as the weights.
struct WordLines {
    std::string id;
    const AttentionMap& map;
    const WordPlaces &queries, &keys;
    int query = -1, key = -1;     // whose lines are lit; −1: all
    std::vector<char> pale = {};  // queries that only park their attention
    bool idle = false;            // nothing comes along them
};
void draw_lines(const TextScene& scene, const WordLines& lines);

/// The same as a matrix with the words beside it; what is pointed at and clicked.
struct WordMatrix {
    std::string id;
    const AttentionMap& map;
    const TextTokens &queries, &keys;
    int query = -1, key = -1;
    bool causal = false;  // what a mask hides is hatched
    bool idle = false;    // nothing comes of it: all of it is hatched
    ColourScale scale = {ColourMap::sequential, 0, 1, Curve::root};
};
struct MatrixHit {
    int query = -1, key = -1;
    bool clicked = false;
};
MatrixHit draw_matrix(const TextScene& scene, const WordMatrix& matrix);

/// All heads of an attention as small matrices, the mean first; a click chooses.
void heads_strip(const TextScene& scene, TextAttention kind);
/// Which block of the stack, and lines or a matrix where both are offered; as high as a control.
enum class Shapes { both, matrix };
void attention_controls(const TextScene& scene, TextAttention kind, Shapes offered = Shapes::both);

/// A vector as bars around 0 under a line with its name and its range.
struct TextVector {
    std::string id, title;
    std::span<const float> values;
    float reach = 0;  // 0: of the values
    std::optional<Color> color = {};
};
void text_vector(const TextScene& scene, const TextVector& vector);

/// What could come next, with probabilities as bars; the place of the one that was clicked, −1 for none.
struct CandidateList {
    std::string id;
    std::span<const WordCandidate> candidates;
    int taken = -1;  // a word's id
    int most = 10;
};
int candidate_list(const TextScene& scene, const CandidateList& list);

/// Rich text wrapped into the scene's area; returns its height.
float text_note(const TextScene& scene, const std::string& markup, Font font = Font::caption);
/// The same in a colour from a point on, and the height that it takes in the scene's width.
float text_caption(const TextScene& scene, Point at, const std::string& markup, Color color);
float caption_height(const TextScene& scene, const std::string& markup);

/// "the ANIMAL": a word as it stands in a sentence on the screen.
std::string in_quotes(const std::string& word);

}  // namespace vitrine
