#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/workspace/library.h"
#include "core/analysis.h"
#include "core/experiment.h"
#include "core/image.h"
#include "core/picture_measures.h"
#include "core/trace.h"
#include "core/training/gradient_flow.h"

namespace vitrine {

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
    std::shared_ptr<const Tensor3> batch;  // (images, tokens, features): a corner of z₀ for several images
    std::vector<SkipRatio> skip_ratios, baseline_skip_ratios;         // of the trace and of the baseline, by block
    PictureMeasures measures, baseline_measures;                      // likewise: what frames need of whole tensors
    std::shared_ptr<const std::vector<GradientFlow>> gradient_flows;  // of deep untrained encoders on this image
    double preprocess_ms = 0, forward_ms = 0;                         // of the baseline
};

enum class Stage { idle, loading_model, loading_image, preprocessing, running };

/// What the worker does at this moment.
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

struct Snapshot {
    std::shared_ptr<const Result> result;    // the newest finished one; none before the first
    std::shared_ptr<const Failure> failure;  // of the newest request, until another one succeeds
    Activity activity;
};

/// One thread that carries out experiments: the newest request wins, and a request that is overtaken stops early.
///
/// A request shares with the last result all that it can: the model, the image, the baseline, the blocks before the
/// first what-if.
class InferenceWorker {
public:
    /// `on_change` is called from the worker's thread whenever `latest` would tell something new.
    explicit InferenceWorker(std::function<void()> on_change = {});
    ~InferenceWorker();
    InferenceWorker(const InferenceWorker&) = delete;
    InferenceWorker& operator=(const InferenceWorker&) = delete;

    /// Asks for an experiment; the one that was asked for last is not asked for again.
    void request(const Experiment& experiment);

    /// Stops what runs; the last result stays.
    void cancel();

    /// The one place where the threads meet; once per frame.
    Snapshot latest() const;

    /// Waits until nothing is asked for or running (commands and tests).
    void wait() const;

private:
    void run();
    void carry_out(const Experiment& experiment, std::uint64_t number);
    void enter(Stage stage, std::uint64_t number);
    void publish_progress(double fraction, std::uint64_t number);
    Progress progress_for(std::uint64_t number);

    std::function<void()> on_change_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::optional<Experiment> requested_;  // the newest, also after it is done
    std::uint64_t request_number_ = 0;     // counts requests and cancellations
    std::uint64_t done_number_ = 0;
    bool quit_ = false;
    Snapshot latest_;
    std::chrono::steady_clock::time_point taken_up_;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace vitrine
