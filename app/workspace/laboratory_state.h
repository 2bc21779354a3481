#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/scales.h"
#include "core/measures/options.h"

namespace vitrine {

// Choices by name: each list is in display order.

/// The laboratory's instruments; app/rooms/laboratory/instrument_table.cpp has a row for each.
enum class Instrument { heads, compare, statistics, depth, tokens, lens, ledger, occlusion, causes, words };
inline constexpr Named<Instrument> instrument_names[] = {
    {Instrument::heads, "heads"},   {Instrument::compare, "compare"},     {Instrument::statistics, "statistics"},
    {Instrument::depth, "depth"},   {Instrument::tokens, "tokens"},       {Instrument::lens, "lens"},
    {Instrument::ledger, "ledger"}, {Instrument::occlusion, "occlusion"}, {Instrument::causes, "causes"},
    {Instrument::words, "words"}};
constexpr const char* name_of(Instrument instrument) { return name_in(instrument_names, instrument); }
/// Its index among the tabs.
int place_of(Instrument instrument);

/// Sort order in the gallery of all heads.
enum class HeadOrder { block, entropy, distance, class_share, object_share, similarity };
inline constexpr Named<HeadOrder> head_order_names[] = {
    {HeadOrder::block, "block"},
    {HeadOrder::entropy, "entropy"},
    {HeadOrder::distance, "distance"},
    {HeadOrder::class_share, "class_share"},
    {HeadOrder::object_share, "object_share"},
    {HeadOrder::similarity, "similarity"},
};

/// How the picked heads are combined.
enum class Combine { side_by_side, difference, mean, max, min, uniform };
inline constexpr Named<Combine> combine_names[] = {
    {Combine::side_by_side, "side_by_side"},
    {Combine::difference, "difference"},
    {Combine::uniform, "uniform"},
    {Combine::mean, "mean"},
    {Combine::max, "max"},
    {Combine::min, "min"},
};

enum class DepthMethod { rollout, relevance };
inline constexpr Named<DepthMethod> depth_method_names[] = {{DepthMethod::rollout, "rollout"},
                                                            {DepthMethod::relevance, "relevance"}};

/// "similarity" is that of the tokens: `vitrine export` calls it "token_similarity".
enum class TokenFigure { positions, filters, similarity, components, norms };
inline constexpr Named<TokenFigure> token_figure_names[] = {
    {TokenFigure::similarity, "similarity"}, {TokenFigure::components, "components"}, {TokenFigure::norms, "norms"},
    {TokenFigure::positions, "positions"},   {TokenFigure::filters, "filters"},
};
constexpr const char* name_of(TokenFigure figure) { return name_in(token_figure_names, figure); }

/// The ways to find causes of an answer: parts removed, heads removed one after another, numbers of another run
/// inserted, patches covered by rank.
enum class CauseFigure { importance, pruning, patching, perturbation };
inline constexpr Named<CauseFigure> cause_figure_names[] = {{CauseFigure::importance, "importance"},
                                                            {CauseFigure::pruning, "pruning"},
                                                            {CauseFigure::patching, "patching"},
                                                            {CauseFigure::perturbation, "perturbation"}};

/// The runs in which importance is measured: the shown one, or those of several images, as a mean.
enum class ImportanceScope { image, images };
inline constexpr Named<ImportanceScope> importance_scope_names[] = {{ImportanceScope::image, "image"},
                                                                    {ImportanceScope::images, "images"}};

/// A picked head, with a query of its own if pinned.
struct Pick {
    int block = 1, head = 0;
    std::optional<int> query = {};

    bool operator==(const Pick&) const = default;
};
inline constexpr std::size_t most_picks = 26;        // A … Z
inline constexpr std::size_t most_side_by_side = 6;  // more would be too small to compare

/// The texts of a typed list, one a line, that are compared with the image: at most twenty, without blank lines.
inline constexpr std::size_t most_bytes_of_texts = 400;
std::vector<std::string> texts_in(const std::string& typed);

/// State of the laboratory; a part of the focus.
struct Laboratory {
    Instrument instrument = Instrument::heads;
    HeadOrder order = HeadOrder::block;
    std::vector<Pick> picks;
    Combine combine = Combine::side_by_side;
    std::string statistic = "distance";  // of core/measures/head_statistics
    DepthMethod method = DepthMethod::rollout;
    RolloutOptions rollout;  // also the range of blocks for relevance
    TokenFigure figure = TokenFigure::similarity;
    int level = -1;              // ℓ = 0 … L; −1: the chosen block's for token figures, the last for the lens
    std::optional<int> target;   // class; none: the predicted one
    std::optional<int> against;  // the class compared with the target
    int cover_size = 1;          // in patches
    Cover cover = Cover::mean;
    Watched watched = Watched::probability;  // number whose drop the occlusion map shows
    CauseFigure cause = CauseFigure::importance;
    PatchSite site = PatchSite::stream;
    ImportanceScope over = ImportanceScope::image;
    std::string images;                          // the folder of several images; "": drawn ones
    HeadRanking ranking = HeadRanking::removal;  // of the heads that are pruned
    Perturbation way = Perturbation::deletion;
    std::string texts = "a photo of a dog\na photo of a cat\na drawing";  // of Instrument::words, one a line
    int text = 0;                                                         // the one of them whose map is shown
    int unfolded = 0;           // the block whose heads the ledger shows; 0: none
    Curve curve = Curve::root;  // for attention weights, in every map of them
    Curve depth_curve = Curve::linear, norms_curve = Curve::linear, lens_curve = Curve::linear;
    float fixed_high = 1.0F;  // upper end of the fixed scale

    bool operator==(const Laboratory&) const = default;

    /// The curve of the shown instrument: each kind of figure has its own.
    Curve& curve_in_view();
    Curve curve_in_view() const;

    bool picked(int block, int head) const;
    /// Picks or unpicks a head; beyond `most_picks`, the first one is dropped.
    void toggle_pick(int block, int head);
};

}  // namespace vitrine
