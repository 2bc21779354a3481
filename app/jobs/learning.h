#pragma once

#include <array>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "core/image.h"
#include "core/tensor.h"
#include "core/training/trainer.h"

namespace vitrine {

/// The pictures that every run of the class is looked at with: the same ones, small for the model, large for the eye.
struct ExamplePicture {
    int label = 0;
    std::shared_ptr<const Image> small, large;
};

/// How a block's gradients and weights are spread, after one step.
struct BlockFlow {
    static constexpr int bins = 48;
    static constexpr double lowest = -9, highest = 1;  // of log10 |∂loss/∂w|; what is smaller counts as the lowest
    std::array<float, bins> gradients = {};            // shares, summing to 1 with the zeros in the first
    double gradient_norm = 0;                          // Euclidean, over the block's parameters
    double weight_norm = 0;
};

/// A run at one moment: all that is drawn of it. Immutable.
struct LearningMoment {
    StepReport report;
    double loss = 0, accuracy = 0;  // smoothed over some hundred pictures, none of them seen before
    double seconds = 0;             // of learning
    std::shared_ptr<const Model> model;
    std::vector<float> attention;      // (examples, L, h, N_p): where the class token looks, its own share left out
    std::vector<float> probabilities;  // (examples, classes)
    Tensor2 position_similarity;       // (N_p, N_p), cosine; empty without positions
    std::vector<BlockFlow> blocks;     // of the last step
};

/// Loss and accuracy over the pictures seen so far.
struct LearningCurve {
    std::vector<double> pictures, loss, accuracy;
};

enum class RunStage { ready, running, paused, done, diverged };

/// One run as the window sees it.
struct RunView {
    Recipe recipe;
    RunStage stage = RunStage::ready;
    double progress = 0;             // 0 … 1
    double pictures_per_second = 0;  // lately
    std::shared_ptr<const LearningMoment> now;
    std::vector<std::shared_ptr<const LearningMoment>> kept;  // from the first on, evenly thinned
    std::shared_ptr<const LearningCurve> curve;
};

/// Trains up to two models on a thread of its own, at low priority and with one core fewer than there are, turn by
/// turn, so that two runs have seen equally many pictures.
class LearningWorker {
public:
    static constexpr int most_runs = 2;
    static constexpr int examples = 6;

    explicit LearningWorker(std::function<void()> on_change = {});
    ~LearningWorker();
    LearningWorker(const LearningWorker&) = delete;
    LearningWorker& operator=(const LearningWorker&) = delete;

    /// The runs to be, from nothing; what ran before is gone.
    void set(const std::vector<Recipe>& recipes);
    void start();
    void pause();
    /// One batch of each run, then a pause.
    void step();

    /// The one place where the threads meet; once per frame.
    std::vector<RunView> latest() const;
    bool running() const;
    /// Waits until all that was asked for is done (tests); a run that is going on is not waited for.
    void wait() const;

    const std::vector<ExamplePicture>& example_pictures() const { return pictures_; }

private:
    struct Run;
    enum class Wish { nothing, run, one_step };
    void work();
    bool advance();
    void publish(Run& run, bool keep);

    std::function<void()> on_change_;
    std::vector<ExamplePicture> pictures_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::optional<std::vector<Recipe>> asked_;
    Wish wish_ = Wish::nothing;
    bool working_ = false, quit_ = false;
    std::vector<RunView> views_;
    std::vector<std::unique_ptr<Run>> runs_;  // the thread's own
    std::thread thread_;                      // last: it uses all of the above
};

}  // namespace vitrine
