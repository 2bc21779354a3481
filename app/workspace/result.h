#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/workspace/beside.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/measures/picture_measures.h"
#include "core/vit/experiment.h"
#include "core/vit/trace.h"

// What a workspace shows: made by app/jobs/inference, drawn by all rooms.

namespace vitrine {

struct GradientFlow;
struct OpenImage;

/// Another picture in the same model, with the same what-ifs: what the head reads there.
struct OtherPicture {
    std::string sample;  // its class, one of the model's own set
    Tensor2 read;        // (L + 1, D): what the head would read after block ℓ
};

/// What an experiment gave: immutable, shared by all who look at it.
struct Result {
    Experiment experiment;  // what this answers
    std::shared_ptr<const Model> model;
    std::shared_ptr<const OpenImage> image;
    std::shared_ptr<const Image> seen;     // (H, W, 3), resized and cropped
    std::shared_ptr<const Image> patched;  // the same with its patches in the order of the tokens: a shuffle shows here
    struct Crop {
        double left = 0, top = 0, right = 0, bottom = 0;  // of the image, in its pixels
    } crop;
    Trace baseline;                                      // without what-ifs
    Trace trace;                                         // with them; equal pointers where they change nothing
    std::shared_ptr<const Tensor2> position_similarity;  // (N_p, N_p), cosine
    std::vector<SkipRatio> skip_ratios, baseline_skip_ratios;  // of the trace and of the baseline, by block
    PictureMeasures measures, baseline_measures;       // likewise: what frames need of whole tensors
    double preprocess_ms = 0, forward_ms = 0;          // of the baseline

    // Beside the run; null where nobody has asked for it.
    std::shared_ptr<const Tensor3> batch;  // (images, N, D): z₀ of several images
    std::shared_ptr<const OtherPicture> other;
    std::shared_ptr<const std::vector<GradientFlow>> gradient_flows;  // of deep untrained encoders on this image

    /// What of it is there.
    Beside beside() const { return {batch != nullptr, other != nullptr, gradient_flows != nullptr}; }
    bool has(const Beside& wanted) const { return (beside() | wanted) == beside(); }
};

/// Where an experiment is on its way; `waiting` while another one has the thread.
enum class Stage { idle, waiting, loading_model, loading_image, preprocessing, running };

/// What is done for an experiment at this moment.
struct Activity {
    Stage stage = Stage::idle;
    double fraction = 0;
    double seconds = 0;  // since the request was taken up
};

/// An experiment that could not be carried out. What was open stays open.
struct Failure {
    Experiment experiment;
    std::string message;
};

/// How far an experiment is.
struct Snapshot {
    std::shared_ptr<const Result> result;    // the newest finished one; none before the first
    std::shared_ptr<const Failure> failure;  // of the newest request, until another one succeeds
    Activity activity;
};

}  // namespace vitrine
