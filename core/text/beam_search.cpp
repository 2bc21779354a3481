#include "core/text/beam_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text/vocabulary.h"

namespace vitrine {

namespace {

/// A hypothesis of the beam: its last node in the tree, its writer and the logits of the next word.
struct Hypothesis {
    int node = 0;
    TextWriter writer;
    Tensor2 logits;
};

/// The search tree while it grows.
class Beam {
public:
    Beam(TextWriter writer, const WritingTask& task) : task_(task) {
        tree_.push_back({.word = task.prompt.back(), .kept = true});
        Tensor2 logits = writer.read(task.prompt);
        rows_ = writer.rows();
        rows_recomputed_ = writer.rows_recomputed();
        open_.push_back({0, std::move(writer), std::move(logits)});
    }

    /// Extends every hypothesis by one word; false if no better text can be found.
    bool grow(int depth) {
        if (open_.empty()) return false;
        if (best_ended_ >= 0 && at(best_ended_).log_probability >= at(open_.front().node).log_probability) return false;
        std::vector<std::pair<int, std::size_t>> children;  // node and the hypothesis it extends
        for (std::size_t i = 0; i < open_.size(); ++i)
            for (const WordCandidate& word : next_words(open_[i], depth))
                children.emplace_back(add(open_[i].node, depth, word), i);
        std::stable_sort(children.begin(), children.end(), [&](const auto& a, const auto& b) {
            return at(a.first).log_probability > at(b.first).log_probability;
        });
        children.resize(std::min(children.size(), static_cast<std::size_t>(std::max(task_.how.width, 1))));
        follow(children, depth == task_.steps);
        return true;
    }

    DecodedText take() {
        int node = best_ended_;
        if (node < 0) node = best_unended_;
        DecodedText text;
        text.log_probability = at(node).log_probability;
        text.ended = at(node).ended;
        text.rows = rows_;
        text.rows_recomputed = rows_recomputed_;
        for (; node > 0; node = at(node).parent) {
            tree_[static_cast<std::size_t>(node)].best = true;
            const BeamNode& n = at(node);
            if (!n.ended) text.words.push_back(n.word);
            const bool forced = static_cast<std::size_t>(n.depth) <= task_.how.forced.size();
            text.steps.push_back({candidates_[static_cast<std::size_t>(n.parent)], {n.word, n.probability}, forced});
        }
        tree_.front().best = true;
        std::reverse(text.words.begin(), text.words.end());
        std::reverse(text.steps.begin(), text.steps.end());
        text.tree = std::move(tree_);
        return text;
    }

private:
    const BeamNode& at(int node) const { return tree_[static_cast<std::size_t>(node)]; }

    int add(int parent, int depth, const WordCandidate& word) {
        tree_.push_back({.parent = parent,
                         .depth = depth,
                         .word = word.word,
                         .probability = word.probability,
                         .log_probability = at(parent).log_probability + std::log(word.probability),
                         .ended = word.word == eos_id});
        return static_cast<int>(tree_.size()) - 1;
    }

    /// The candidates after a hypothesis; only the forced word if there is one.
    std::vector<WordCandidate> next_words(const Hypothesis& b, int depth) {
        const Decoding& how = task_.how;
        std::vector<WordCandidate> all = all_candidates(b.logits, how.temperature);
        candidates_.resize(tree_.size());
        candidates_[static_cast<std::size_t>(b.node)] = first_of(all, how.candidates);
        const auto step = static_cast<std::size_t>(depth - 1);
        if (step < how.forced.size()) return {candidate_of(b.logits, how.temperature, how.forced[step])};
        return first_of(std::move(all), std::max(how.width, 1));
    }

    /// Continues with the best children, each read by a copy of its parent's writer; finished ones are set aside.
    void follow(const std::vector<std::pair<int, std::size_t>>& children, bool last) {
        std::vector<Hypothesis> next;
        best_unended_ = -1;
        for (const auto& [node, parent] : children) {
            tree_[static_cast<std::size_t>(node)].kept = true;
            if (at(node).ended) {
                if (best_ended_ < 0 || at(node).log_probability > at(best_ended_).log_probability) best_ended_ = node;
                continue;
            }
            if (best_unended_ < 0) best_unended_ = node;
            if (last) continue;
            TextWriter writer = open_[parent].writer;
            const std::int64_t before = writer.rows(), recomputed_before = writer.rows_recomputed();
            Tensor2 logits = writer.read(std::span(&at(node).word, 1));
            rows_ += writer.rows() - before;
            rows_recomputed_ += writer.rows_recomputed() - recomputed_before;
            next.push_back({node, std::move(writer), std::move(logits)});
        }
        open_ = std::move(next);
    }

    const WritingTask& task_;
    std::vector<BeamNode> tree_;
    std::vector<std::vector<WordCandidate>> candidates_;  // after each node that was extended
    std::vector<Hypothesis> open_;                        // best first
    int best_ended_ = -1, best_unended_ = 0;
    std::int64_t rows_ = 0, rows_recomputed_ = 0;
};

}  // namespace

DecodedText search_beam(const TextWriter& writer, const WritingTask& task) {
    Beam beam(writer, task);
    for (int depth = 1; depth <= task.steps && beam.grow(depth); ++depth) {
    }
    return beam.take();
}

}  // namespace vitrine
