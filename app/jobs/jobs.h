#pragma once

#include <functional>
#include <memory>

#include "app/jobs/exporting.h"
#include "app/jobs/inference.h"
#include "app/jobs/learning.h"
#include "app/jobs/measuring.h"

namespace vitrine {

/// All work that goes on beside the window. Threads of rooms that nobody has entered are not there.
class Jobs {
public:
    /// `wake` is called from the jobs' threads when there is something new to draw.
    explicit Jobs(std::function<void()> wake) : wake_(wake), inference(std::move(wake)) {}

    LaboratoryWorker& measuring() {
        if (!measuring_) measuring_ = std::make_unique<LaboratoryWorker>(wake_);
        return *measuring_;
    }
    LearningWorker& learning() {
        if (!learning_) learning_ = std::make_unique<LearningWorker>(wake_);
        return *learning_;
    }
    bool has_learning() const { return learning_ != nullptr; }

    /// Waits until all have answered what they were asked; for pictures and tests.
    void wait() {
        inference.wait();
        if (learning_) learning_->wait();
        if (measuring_) measuring_->wait();
    }

private:
    std::function<void()> wake_;
    std::unique_ptr<LearningWorker> learning_;
    std::unique_ptr<LaboratoryWorker> measuring_;

public:
    Exporting exporting, handout;
    InferenceWorker inference;  // last: its thread ends before what it wakes
};

}  // namespace vitrine
