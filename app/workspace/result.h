#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/measures/picture_measures.h"
#include "core/measures/placed_map.h"
#include "core/tensor/tensor.h"
#include "core/vit/experiment.h"
#include "core/vit/trace.h"

// Results shown by a workspace: made by app/jobs/inference, drawn by all rooms.

namespace vitrine {

enum class Colours;
struct GradientFlow;
struct Image;
struct OpenImage;
struct SkipRatio;
struct WeightTrial;
struct WordsBeside;

/// Extra results of a chapter, computed on request.
struct ExtraResults {
    // The corresponding members of `Result`.
    bool batch = false, other = false, gradient_flows = false, words = false;
    std::optional<PlacedMap> trial = {};  // of this map

    bool operator==(const ExtraResults&) const = default;
};
inline ExtraResults operator|(const ExtraResults& a, const ExtraResults& b) {
    return {a.batch || b.batch, a.other || b.other, a.gradient_flows || b.gradient_flows, a.words || b.words,
            b.trial ? b.trial : a.trial};
}

/// Another picture's readout in the same model, with the same what-ifs.
struct OtherPicture {
    std::string sample;  // its class, from the model's own set of pictures
    Tensor2 read;        // (L + 1, D): row ℓ is the head's input if it read the tokens after block ℓ
};

/// Result of an experiment: immutable and shared.
struct Result {
    Experiment experiment;  // the request
    std::shared_ptr<const Model> model;
    std::shared_ptr<const OpenImage> image;
    std::shared_ptr<const Image> seen;  // (H, W, 3), resized and cropped
    std::shared_ptr<const Image>
        patched;  // `seen` as the model embeds it: patches in token order, covered where a what-if covers them
    struct Crop {
        double left = 0, top = 0, right = 0, bottom = 0;  // crop, in pixels of the image
    } crop;
    Trace baseline;                                            // without what-ifs
    Trace trace;                                               // with what-ifs; shares stages that they do not change
    std::shared_ptr<const Tensor2> position_similarity;        // (N_p, N_p), cosine
    std::vector<SkipRatio> skip_ratios, baseline_skip_ratios;  // of the trace and of the baseline, by block
    PictureMeasures measures, baseline_measures;  // precomputed summaries of both runs' tensors, for every frame
    double preprocess_ms = 0, forward_ms = 0;     // of the baseline
    std::string memory = "automatic";             // memory budget of the runs, as in the settings
    Colours colours = {};                         // treatment of image files' colours, as in the settings

    MeanPatches mean_patches;  // over the sets of images that what-ifs of this and earlier runs name

    // Extra results beside the run; null until a chapter requests them.
    std::shared_ptr<const Tensor3> batch;  // (images, N, D): z₀ of several images; null unless requested
    std::shared_ptr<const OtherPicture> other;
    std::shared_ptr<const std::vector<GradientFlow>> gradient_flows;  // of deep untrained encoders on this image
    std::shared_ptr<const WordsBeside> words;                         // texts beside the image
    std::shared_ptr<const WeightTrial> trial;                         // of the map requested last

    /// The extra results that are present.
    ExtraResults beside() const;
    bool has(const ExtraResults& wanted) const { return (beside() | wanted) == beside(); }
};

/// Progress of an experiment; `waiting` while another experiment occupies the thread.
enum class Stage { idle, waiting, loading_model, loading_image, preprocessing, running };

/// Current activity for an experiment.
struct Activity {
    Stage stage = Stage::idle;
    double fraction = 0;
    double seconds = 0;  // since the request was accepted
};

/// A failed experiment. What was open stays open.
struct Failure {
    Experiment experiment;
    std::string message;
};

/// State of an experiment.
struct Snapshot {
    std::shared_ptr<const Result> result;    // the newest finished one; none before the first
    std::shared_ptr<const Failure> failure;  // for the newest request, until another one succeeds
    Activity activity;
};

}  // namespace vitrine
