#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/jobs/latest.h"
#include "core/training/linear_probe.h"

namespace vitrine {

/// A folder of one's own pictures, and the model that is to tell them apart.
struct ProbeRequest {
    std::filesystem::path folder;
    std::shared_ptr<const Model> model;
    int turn = 0;  // another one learns the same again: the pictures may have changed

    bool operator==(const ProbeRequest&) const = default;
};

/// What was learned from a folder.
struct Probed {
    std::filesystem::path folder;
    std::string of_model;  // the model's name
    OwnPictures pictures;
    LinearProbe probe;
};

/// The job that reads one's own pictures and learns a new head for them.
class Probing {
public:
    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
    explicit Probing(std::function<void()> on_change = {});

    void request(const ProbeRequest& request) { job_.request(only, request); }
    /// Stops, and lets go of what was learned.
    void forget() { job_.forget(only); }
    /// Why the last request came to nothing, once; empty where it did not.
    std::string take_failure();

    struct State {
        std::shared_ptr<const Probed> probed;  // none before the first is done
        bool running = false;
        double fraction = 0;  // of the pictures
    };
    /// Where the threads meet; once per frame.
    State latest() const;
    void wait() const { job_.wait(); }

private:
    static constexpr int only = 0;  // client
    Latest<ProbeRequest, Probed> job_;
};

}  // namespace vitrine
