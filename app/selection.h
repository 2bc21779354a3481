#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vitrine {

struct Config;

/// Over what the range of an attention map's colours is taken.
enum class Scope { head, block, model };

/// What is looked at, pinned by a click or a key; the second of the two things a user changes.
struct Focus {
    int step = 0;       // index into the curriculum
    int block = 1;      // ℓ = 1 … L
    int head = 0;       // 0 … h − 1
    int token = 0;      // 0 … N − 1: the query; 0 is the class token
    int feature = 0;    // 0 … D − 1
    bool solo = false;  // one head, large
    Scope scope = Scope::block;

    bool operator==(const Focus&) const = default;
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
    void hover_head(int head) { next_.head = head; }
    void hover_feature(int feature) { next_.feature = feature; }
    /// What an equation's symbol stands for, by its mark (app/widgets/equation.h); empty for none.
    void hover_symbol(std::string_view symbol) { next_.symbol = symbol; }

    std::optional<int> hovered_token() const { return current_.token; }
    std::optional<int> hovered_head() const { return current_.head; }
    std::optional<int> hovered_feature() const { return current_.feature; }
    const std::string& hovered_symbol() const { return current_.symbol; }

    /// The token that the numbers speak of: the hovered one, else the pinned one.
    int token_in_view() const { return current_.token.value_or(focus.token); }
    int feature_in_view() const { return current_.feature.value_or(focus.feature); }

    /// One level back: from one head to all, from a patch to the class token. False where there is nothing to leave.
    bool back();

    /// Keeps focus and hover inside a model's numbers; at the start of every frame, since models come and go.
    void clamp_to(const Config& config);

private:
    struct Hover {
        std::optional<int> token, head, feature;
        std::string symbol;
    };
    Hover current_, next_;
};

}  // namespace vitrine
