#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/library/model_shape.h"
#include "app/ui/scales.h"
#include "app/workspace/exercises.h"
#include "app/workspace/laboratory_state.h"
#include "app/workspace/text_look.h"
#include "core/transformer/config.h"
#include "core/vit/provenance.h"

namespace vitrine {

struct Config;
struct Result;

/// Controls of chapters that do not change the run.
struct SliderValues {
    float dropout = 0.1F;              // p
    int seed = 1;                      // of the dropout's mask and of the samples
    int samples = 20;                  // draws of GELU's random 0/1 mask
    std::optional<int> true_class;     // for the loss; none: the picture's own
    Wiring wiring = Wiring::pre_norm;  // for the gradients through depth
    Shape shape;                       // of a hypothetical model whose cost is computed
    int temperature = 0;               // of words beside images: the learned one times √2 to this power

    bool operator==(const SliderValues&) const = default;
};

/// The first half of a block, or the second.
enum class Half { attention, mlp };
inline constexpr Named<Half> half_names[] = {{Half::attention, "attention"}, {Half::mlp, "mlp"}};

/// The part of a matrix shown in the figure, as fractions of its rows and columns.
struct Zoom {
    float row = 0, column = 0, extent = 1;  // the upper left corner; the side, 1: the whole matrix

    bool operator==(const Zoom&) const = default;
};

/// The view: everything selected by click or key. With the experiment, one of the two things that a user changes.
struct Focus {
    int step = 0;              // index in the curriculum
    int block = 1;             // ℓ = 1 … L
    int head = 0;              // 0 … h − 1
    int token = 0;             // 0 … N − 1: the query; 0 is the class token, if there is one
    int key = 1;               // 0 … N − 1: the token compared with the query
    int feature = 0;           // 0 … D − 1
    int unit = 0;              // 0 … M − 1: hidden unit of the MLP
    bool solo = false;         // one head only, large
    bool looked_at = false;    // show the attention that the chosen token receives, not the attention it pays
    float brightness = 0.42F;  // of the picture below maps of attention, 0 … 1
    Scope scope = Scope::automatic;
    Half half = Half::attention;
    bool scores = false;            // the matrix before the softmax
    Zoom zoom = {};                 // of the matrix
    bool slopes = false;            // derivatives instead of the activations themselves
    bool all_tokens = false;        // pre-activations of all tokens instead of the chosen one's
    bool own_scale = false;         // each row of a layer norm on a scale of its own
    bool batch_norm = false;        // group the small cube as a batch norm does
    int cube = 0;                   // the cube's chosen entry, as an index of image, token and feature
    std::optional<Cell> cell = {};  // the entry whose computation is written out; none: the step's default
    SliderValues dials = {};
    Exercise exercise = Exercise::token_count;
    Laboratory lab = {};
    TextLook text = {};

    bool operator==(const Focus&) const = default;
};

/// The focus and the text experiment: all that app/workspace/focus_words converts to words and back.
struct View {
    const Focus& focus;
    const TextExperiment& text;
};
struct MutableView {
    Focus& focus;
    TextExperiment& text;

    operator View() const { return {focus, text}; }
};

/// A learner's guess: while it is open, a click on a patch is the guess and changes nothing else.
struct Guess {
    bool open = false;  // the next click on a patch is a guess
    std::optional<int> token = {};
};

/// The effect of a brush stroke on the patches that it touches.
enum class Paint {
    blur,
    grey,
    mean,       // the mean colour of the picture
    mean_set,   // replaces their tokens by the mean patch over a set of images, before positions are added
    take_away,  // sets their tokens to 0, before positions are added
    erase,      // removes all paint
};
/// The brush with which patches are painted over, and its stroke while the button is down.
struct Brush {
    bool on = false;
    bool in_hand = false;  // active in this frame's figures; set by the room
    Paint paint = Paint::blur;
    int size = 1;            // the side of its square, in patches
    bool rectangle = false;  // a stroke fills the rectangle from its first patch to its last
    float share = 0.3F;      // of the patches that are painted at random
    std::uint32_t seed = 0;  // of the last random ones

    std::string figure = {};        // where the stroke began; "": no stroke
    int from = 0;                   // the stroke's first patch, 0 … N_p − 1
    std::vector<int> touched = {};  // patches, in ascending order
};

/// Subject of a context menu, and the part of the window to export from it.
struct MenuSubject {
    std::optional<int> token = {};
    std::optional<Pick> head = {};
    const char* part = "stage";  // "": no exportable part
};

/// The focus shared by all views, and the hovered item.
///
/// Hover is double-buffered: views write `hover_*` for the next frame and read the last frame's, so linked views agree
/// whatever their order.
class Selection {
public:
    Focus focus;
    Brush brush;

    /// Makes the last frame's hover visible to all views.
    void begin_frame();

    void hover_token(int token) { next_.token = token; }
    /// `block` 0: the chosen block.
    void hover_head(int head, int block = 0) {
        next_.head = head;
        next_.block = block;
    }
    void hover_feature(int feature) { next_.feature = feature; }
    void hover_unit(int unit) { next_.unit = unit; }
    /// A cell of a tensor; also highlights its symbol in the equation.
    void hover_cell(const Cell& cell);
    /// A symbol of the equation; also highlights its tensor.
    void hover_symbol(std::string_view symbol) { next_.symbol = symbol; }
    /// A word of a text, by its row in the encoder, or in the decoder.
    void hover_source(int row) { next_.source = row; }
    void hover_target(int row) { next_.target = row; }

    /// True if an item has been hovered in this frame.
    bool points() const { return !(next_ == Hover()); }
    /// Copies another selection's hovered item for the next frame; `token_of` maps its token to one of this model.
    template <class TokenOf>
    void hover_like(const Selection& other, const TokenOf& token_of) {
        next_ = other.next_;
        if (next_.token) next_.token = token_of(*next_.token);
    }

    /// The upper limit of the scale of a figure (given by its id) whose numbers have the largest magnitude `own`. Every
    /// data-dependent scale uses it: with another workspace beside this one, the result is the larger of both figures'
    /// limits, the other's from the last frame, so that both have the same scale.
    float reach(const std::string& figure, float own);
    /// Exchanges two workspaces' limits of scales; called at the end of a frame.
    static void share_reaches(Selection& one, Selection& other);
    /// Forgets the other workspace's limits; called when no workspace is beside this one any more.
    void forget_reaches() { beside_.reset(); }

    std::optional<int> hovered_token() const { return current_.token; }
    std::optional<int> hovered_head() const { return current_.head; }
    int block_of_hovered_head() const { return current_.block > 0 ? current_.block : focus.block; }
    std::optional<int> hovered_source() const { return current_.source; }
    std::optional<int> hovered_target() const { return current_.target; }
    std::optional<Cell> hovered_cell() const { return current_.cell; }
    const std::string& hovered_symbol() const { return current_.symbol; }

    /// Opens the context menu of the hovered item (app/rooms/panels/context_menu); it stays open until an item is
    /// chosen or it is dismissed.
    void ask_menu(const MenuSubject& what) {
        menu_ = what;
        menu_asked_ = true;
    }
    const std::optional<MenuSubject>& menu() const { return menu_; }
    bool menu_asked() const { return menu_asked_; }
    /// True once after the menu was requested.
    bool take_menu_asked() { return std::exchange(menu_asked_, false); }
    void close_menu() { menu_.reset(); }

    /// Starts or ends guessing; clears the last guess.
    void open_guess(bool open) { guess_ = {open, {}}; }
    void guess_token(int token) { guess_.token = token; }
    const Guess& guess() const { return guess_; }

    int feature_in_view() const { return current_.feature.value_or(focus.feature); }
    int unit_in_view() const { return current_.unit.value_or(focus.unit); }
    std::optional<Cell> cell_in_view() const { return current_.cell ? current_.cell : focus.cell; }

    /// Moves a pinned number to the newly chosen block or head if it belonged to the old one.
    void follow(const Focus& before);

    /// Chooses a token on a press; undone if the press turns out to be the first of a double click.
    void choose_token(int token);
    void take_back_token() { focus.token = token_before_; }

    /// Goes one level up: puts the brush away, else unpins a number, else shows all heads instead of one. The token
    /// stays chosen. False at the top level.
    bool back();

    /// Clamps focus and hover to a model's sizes; called at the start of every frame, since the model may have changed.
    void clamp_to(const Config& config);
    /// Clears pinned and hovered cells that a run does not have.
    template <class IsThere>
    void keep_cells(const IsThere& is_there) {
        for (std::optional<Cell>* const cell : {&focus.cell, &current_.cell, &next_.cell})
            if (*cell && !is_there(**cell)) cell->reset();
    }

private:
    struct Hover {
        std::optional<int> token, head, feature, unit, source, target;
        std::optional<Cell> cell;
        std::string symbol;
        int block = 0;  // of the head

        bool operator==(const Hover&) const = default;
    };
    Hover current_, next_;
    std::map<std::string, float> reaches_;                // limits of this frame's scales, by figure
    std::optional<std::map<std::string, float>> beside_;  // those of the other workspace's last frame; none if alone
    std::optional<MenuSubject> menu_;
    bool menu_asked_ = false;
    Guess guess_;
    int token_before_ = 0;  // before the last press
};

/// The true class of the loss: the chosen one, else the drawn picture's, else the prediction; 0 without classes.
int true_class_of(const Result& now, const Selection& selection);

}  // namespace vitrine
