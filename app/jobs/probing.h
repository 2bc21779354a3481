#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "app/jobs/latest.h"
#include "core/training/linear_probe.h"

namespace vitrine {

/// A folder of the user's own pictures, and the model for a new head.
struct ProbeRequest {
    std::filesystem::path folder;
    std::shared_ptr<const Model> model;
    int turn = 0;  // a new value repeats the training, since the pictures may have changed

    bool operator==(const ProbeRequest&) const = default;
};

/// The result for a folder.
struct Probed {
    std::filesystem::path folder;
    std::string of_model;  // name of the model
    OwnPictures pictures;
    LinearProbe probe;
};

/// The job that reads the user's own pictures and trains a new head for them; it has a single client, `only`.
class Probing : public Latest<ProbeRequest, Probed> {
public:
    static constexpr int only = 0;

    /// `on_change` is called from the job's thread whenever `latest` would return something new.
    explicit Probing(std::function<void()> on_change = {});
};

}  // namespace vitrine
