#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/names.h"
#include "core/base/progress.h"
#include "core/measures/answer_change.h"
#include "core/measures/options.h"
#include "core/transformer/intervention.h"
#include "core/vit/model.h"
#include "core/vit/trace.h"

namespace vitrine {

class SetMeans;

/// The parts that a sweep removes, one at a time.
enum class SweptParts {
    heads,
    mlps,
    blocks,
    patches,
    edges,  // from the token that the head reads to each token, in every head of one block
};
inline constexpr Named<SweptParts> swept_parts_names[] = {{SweptParts::heads, "heads"},
                                                          {SweptParts::mlps, "mlps"},
                                                          {SweptParts::blocks, "blocks"},
                                                          {SweptParts::patches, "patches"},
                                                          {SweptParts::edges, "edges"}};

/// One edit of a sweep.
struct SweptEdit {
    std::string name;  // "head:2.3": the what-if that removes the part with zeros
    /// Makes the interventions from the plain run and, for `Ablation::resample`, the run of another image (else null).
    std::function<std::vector<Intervention>(const Trace& run, const Trace* other)> make;
};

/// The edits of all parts of a model, in order. `block` is for edges only; by default the last. Throws Error for edges
/// with another ablation than zero: an edge is hidden before the softmax, so it cannot be replaced.
std::vector<SweptEdit> swept_edits(const Config& config, SweptParts parts, Ablation ablation,
                                   std::optional<int> block = {});

/// The same, but each part is replaced by its mean over several images. Throws Error for edges.
std::vector<SweptEdit> swept_edits(const Config& config, SweptParts parts,
                                   const std::shared_ptr<const SetMeans>& means);

/// The edits of what-ifs in which `*` means every possible number: "head:*.*", "mlp:*x0.5", "edge:3.*:0:*". Throws
/// Error as `parse_intervention` does. `complete` fills in what the text of a what-if does not contain, such as means.
std::vector<SweptEdit> swept_edits(const Config& config, std::span<const std::string> words,
                                   const std::function<void(std::vector<Intervention>&)>& complete = {});

/// Effects of edits on one image's answer.
struct SweptImage {
    int chosen = 0;                     // the plain run's first choice; 0 without classes
    ClassReading before;                // its reading in the plain run
    std::vector<AnswerChange> changes;  // by edit; empty without classes
    std::vector<double> distances;      // by edit, without classes: 1 − cosine of the outputs before and after
};

/// Runs every edit on an image, from its own block on; the threads share the edits.
SweptImage sweep_image(const Model& model, const Trace& run, const Trace* other, std::span<const SweptEdit> edits,
                       const Progress& progress = {});

}  // namespace vitrine
