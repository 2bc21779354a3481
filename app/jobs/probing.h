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

/// The job that reads one's own pictures and learns a new head for them; it has one client, `only`.
class Probing : public Latest<ProbeRequest, Probed> {
public:
    static constexpr int only = 0;

    /// `on_change` is called from the job's thread whenever `latest` would tell something new.
    explicit Probing(std::function<void()> on_change = {});
};

}  // namespace vitrine
