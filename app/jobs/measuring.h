#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/jobs/inference.h"
#include "app/workspace/laboratory_state.h"
#include "core/measures/components.h"
#include "core/measures/head_statistics.h"
#include "core/measures/ledger.h"
#include "core/measures/lens.h"
#include "core/measures/outliers.h"

namespace vitrine {

/// How unlike the heads are, and an order in which like stands beside like.
struct HeadGroups {
    Tensor2 divergences;      // (L·h, L·h)
    std::vector<int> order;   // of L·h heads, block by block
    std::vector<int> branch;  // of each head
};
/// So many branches the tree of heads is cut into.
inline constexpr int head_groups = 6;

/// Patch tokens of a level as colours.
struct LevelColours {
    std::shared_ptr<const Image> picture;  // (g_h, g_w): the first three components as red, green, blue
    std::vector<float> explained;
    Tensor2 scores;  // (N_p, 3)
};

/// What the laboratory has measured of a run: parts are there once they were asked for and done. Immutable.
struct Measured {
    std::shared_ptr<const Result> of;
    Target target;
    std::shared_ptr<const HeadStatistics> statistics;
    std::shared_ptr<const Tensor2> object_share;  // (L, h); none where it is not known what the picture shows
    std::shared_ptr<const HeadGroups> groups;
    RolloutOptions range;  // of the two
    std::shared_ptr<const std::vector<Tensor2>> rollout, relevance;
    std::shared_ptr<const Tensor2> lens;  // (L + 1, classes)
    std::shared_ptr<const TokenLens> token_lens;
    std::shared_ptr<const Ledger> ledger;
    std::shared_ptr<const TokenNorms> norms;
    std::shared_ptr<const std::vector<MassiveActivation>> massive;
    std::shared_ptr<const std::vector<LevelColours>> colours;  // by level
    std::shared_ptr<const std::vector<std::shared_ptr<const Image>>> filters;
    std::shared_ptr<const Components> filter_components;
    OcclusionOptions covered;
    std::shared_ptr<const OcclusionMap> occlusion;  // grows while it runs
};

/// What is to be measured: a run, and what of it is looked at.
struct MeasureRequest {
    std::shared_ptr<const Result> of;
    Laboratory lab;
};

/// The class that the laboratory asks about: the chosen one, else the one that the run predicts.
Target target_of(const Laboratory& lab, const Result& result);

/// How much of each patch shows the thing that a drawn picture is of; none where nobody knows.      ->  (N_p)
std::optional<std::vector<float>> object_cover(const Result& result);

/// One thread that measures what the laboratory shows: the newest request wins, and what was measured of the same run
/// is kept.
class LaboratoryWorker {
public:
    explicit LaboratoryWorker(std::function<void()> on_change = {});
    ~LaboratoryWorker();
    LaboratoryWorker(const LaboratoryWorker&) = delete;
    LaboratoryWorker& operator=(const LaboratoryWorker&) = delete;

    /// Asks for what an instrument needs; asking again for the same changes nothing.
    void request(const MeasureRequest& request);
    /// Stops what runs; what is done so far stays, and the same is not begun anew until it is forgotten.
    void cancel();
    /// Stops, and takes the next request whatever it is.
    void forget();
    /// Why the last request could not be measured, once; empty where it could.
    std::string take_failure();

    struct State {
        std::shared_ptr<const Measured> measured;  // none before the first request
        bool running = false;                      // or asked for and not yet taken up
        double fraction = 0, seconds = 0;
    };
    /// The one place where the threads meet; once per frame.
    State latest() const;

    /// Waits until nothing is asked for or running (commands and tests).
    void wait() const;

private:
    void run();
    void measure(const MeasureRequest& request, std::uint64_t number);
    void publish(const Measured& measured, std::uint64_t number);

    std::function<void()> on_change_;
    mutable std::mutex mutex_;
    mutable std::condition_variable changed_;
    std::optional<MeasureRequest> requested_;
    std::uint64_t request_number_ = 0, done_number_ = 0;
    bool quit_ = false;
    State latest_;
    bool taken_up_now_ = false;  // the thread is at work
    std::string failure_;
    std::chrono::steady_clock::time_point taken_up_;
    std::thread thread_;  // last: it uses all of the above
};

}  // namespace vitrine
