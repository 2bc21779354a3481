#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/ui/scales.h"
#include "app/workspace/exercises.h"
#include "app/workspace/laboratory_state.h"
#include "app/workspace/text_look.h"
#include "core/training/gradient_flow.h"
#include "core/vit/cost.h"
#include "core/vit/provenance.h"

namespace vitrine {

struct Config;
struct Result;

/// What a reader sets to try something out, without changing the run.
struct Dials {
    float dropout = 0.1F;              // p
    int seed = 1;                      // of the dropout's mask and of the samples
    int samples = 20;                  // of GELU's random 0/1 mask
    std::optional<int> true_class;     // of the loss; none: the picture's own
    Wiring wiring = Wiring::pre_norm;  // of the gradients through depth
    Shape shape;                       // of an imagined model, for counting what it would cost

    bool operator==(const Dials&) const = default;
};

/// The first half of a block, or the second.
enum class Half { attention, mlp };
inline constexpr Named<Half> half_names[] = {{Half::attention, "attention"}, {Half::mlp, "mlp"}};

/// A part of a matrix that fills the figure, as fractions of its rows and columns.
struct Zoom {
    float row = 0, column = 0, extent = 1;  // the upper left corner; 1: all of it

    bool operator==(const Zoom&) const = default;
};

/// What is looked at, pinned by a click or a key; the second of the two things a user changes.
struct Focus {
    int step = 0;       // index into the curriculum
    int block = 1;      // ℓ = 1 … L
    int head = 0;       // 0 … h − 1
    int token = 0;      // 0 … N − 1: the query; 0 is the class token
    int key = 1;        // 0 … N − 1: the token that the query is compared with
    int feature = 0;    // 0 … D − 1
    int unit = 0;       // 0 … M − 1: hidden unit of the MLP
    bool solo = false;  // one head, large
    Scope scope = Scope::block;
    Half half = Half::attention;
    bool scores = false;            // the matrix before the softmax
    Zoom zoom = {};                 // of the matrix
    bool slopes = false;            // derivatives instead of the activations themselves
    bool all_tokens = false;        // pre-activations of all tokens instead of the chosen one's
    bool batch_norm = false;        // group the little cube as a batch norm does
    int cube = 0;                   // its chosen number, [image, token, feature]
    std::optional<Cell> cell = {};  // the number that is written out; none: the step's own choice
    Dials dials = {};
    Exercise exercise = Exercise::token_count;
    Laboratory lab = {};
    TextLook text = {};

    bool operator==(const Focus&) const = default;
};

/// What words name (app/workspace/focus_words): what is looked at, and what is computed of texts.
struct View {
    const Focus& focus;
    const TextExperiment& text;
};
struct MutableView {
    Focus& focus;
    TextExperiment& text;

    operator View() const { return {focus, text}; }
};

/// What lies where its menu was asked for, and which part of the window a picture of it would show.
struct MenuSubject {
    std::optional<int> token = {};
    std::optional<Pick> head = {};
    const char* part = "stage";  // "": none that is exported alone
};

/// The focus that every view shares, and what the pointer is over.
///
/// Hover is double-buffered: views write `hover_*` for the next frame and read the last one's, so linked views agree
/// within a frame whatever their order.
class Selection {
public:
    Focus focus;

    /// Last frame's hover becomes visible to every view.
    void begin_frame();

    void hover_token(int token) { next_.token = token; }
    /// `block` 0: of the chosen one.
    void hover_head(int head, int block = 0) {
        next_.head = head;
        next_.block = block;
    }
    void hover_feature(int feature) { next_.feature = feature; }
    void hover_unit(int unit) { next_.unit = unit; }
    /// A number of a tensor; its symbol in the equation lights up with it.
    void hover_cell(const Cell& cell);
    /// A symbol of the equation, and with it what it stands for.
    void hover_symbol(std::string_view symbol) { next_.symbol = symbol; }
    /// A word of a text: a row of the encoder, or of the decoder.
    void hover_source(int row) { next_.source = row; }
    void hover_target(int row) { next_.target = row; }

    std::optional<int> hovered_token() const { return current_.token; }
    std::optional<int> hovered_head() const { return current_.head; }
    int block_of_hovered_head() const { return current_.block > 0 ? current_.block : focus.block; }
    std::optional<int> hovered_feature() const { return current_.feature; }

    std::optional<int> hovered_unit() const { return current_.unit; }
    std::optional<int> hovered_source() const { return current_.source; }
    std::optional<int> hovered_target() const { return current_.target; }
    std::optional<Cell> hovered_cell() const { return current_.cell; }
    const std::string& hovered_symbol() const { return current_.symbol; }

    /// Asks for the menu of what lies under the pointer (app/rooms/panels/context_menu); it stays open until a row is
    /// taken or it is left.
    void ask_menu(const MenuSubject& what) {
        menu_ = what;
        menu_asked_ = true;
    }
    const std::optional<MenuSubject>& menu() const { return menu_; }
    /// Whether it was asked for since the last call.
    bool take_menu_asked() { return std::exchange(menu_asked_, false); }
    void close_menu() { menu_.reset(); }

    int feature_in_view() const { return current_.feature.value_or(focus.feature); }
    int unit_in_view() const { return current_.unit.value_or(focus.unit); }
    std::optional<Cell> cell_in_view() const { return current_.cell ? current_.cell : focus.cell; }

    /// A pinned number goes along to another block or head where it was of the one that was chosen.
    void follow(const Focus& before);

    /// A press on a token; where it was the first of a double click, which means something else, it is taken back.
    void choose_token(int token);
    void take_back_token() { focus.token = token_before_; }

    /// One level back: from a pinned number to the step's own, from one head to all. The chosen token stays. False
    /// where there is nothing to leave.
    bool back();

    /// Keeps focus and hover inside a model's numbers; at the start of every frame, since models come and go.
    void clamp_to(const Config& config);
    /// Lets go of the numbers that are kept or pointed at where they are not in a run.
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
    };
    Hover current_, next_;
    std::optional<MenuSubject> menu_;
    bool menu_asked_ = false;
    int token_before_ = 0;  // the last press
};

/// The class that the loss takes for the true one: what was chosen; else what was drawn, or what is first in a picture
/// of which nobody has said it.
int true_class_of(const Result& now, const Selection& selection);

}  // namespace vitrine
