#pragma once

#include <functional>
#include <memory>

#include "app/jobs/deciding.h"
#include "app/jobs/exporting.h"
#include "app/jobs/inference.h"
#include "app/jobs/learning.h"
#include "app/jobs/measuring.h"
#include "app/jobs/probing.h"
#include "app/jobs/saving.h"
#include "app/jobs/text_running.h"

namespace vitrine {

/// All work that goes on beside the window. Threads of rooms that nobody has entered are not there.
class Jobs {
public:
    /// `wake` is called from the jobs' threads when there is something new to draw.
    explicit Jobs(std::function<void()> wake) : wake_(wake), saving(wake), inference(std::move(wake)) {}

    Measuring& measuring() {
        if (!measuring_) measuring_ = std::make_unique<Measuring>(wake_);
        return *measuring_;
    }
    Learning<Pictures>& learning() {
        if (!learning_) learning_ = std::make_unique<Learning<Pictures>>(wake_);
        return *learning_;
    }
    Learning<Texts>& text_learning() {
        if (!text_learning_) text_learning_ = std::make_unique<Learning<Texts>>(wake_);
        return *text_learning_;
    }
    Probing& start_probing() {
        if (!probing_) probing_ = std::make_unique<Probing>(wake_);
        return *probing_;
    }
    const Probing* probing() const { return probing_.get(); }  // null before the first
    bool has_probing() const { return probing_ != nullptr; }
    /// As whom the inference knows a workspace's exercise.
    static int exercise_of(int workspace) { return -workspace; }

    TextRunning& texts() {
        if (!texts_) texts_ = std::make_unique<TextRunning>(wake_);
        return *texts_;
    }
    bool has_texts() const { return texts_ != nullptr; }

    Deciding& deciding() {
        if (!deciding_) deciding_ = std::make_unique<Deciding>(wake_);
        return *deciding_;
    }
    bool has_learning() const { return learning_ != nullptr; }
    bool has_text_learning() const { return text_learning_ != nullptr; }
    bool has_measuring() const { return measuring_ != nullptr; }

    /// A workspace is closed: nothing is done for it any more, nothing of it is kept.
    void forget(int workspace) {
        inference.forget(workspace);
        inference.forget(exercise_of(workspace));
        if (measuring_) measuring_->forget(workspace);
        if (deciding_) deciding_->forget(workspace);
        if (!texts_) return;
        texts_->forget(workspace);
        texts_->forget(exercise_of(workspace));
    }

    /// Waits until all have answered what they were asked; for pictures and tests.
    void wait() {
        inference.wait();
        if (learning_) learning_->wait();
        if (text_learning_) text_learning_->wait();
        if (measuring_) measuring_->wait();
        if (probing_) probing_->wait();
        if (deciding_) deciding_->wait();
        if (texts_) texts_->wait();
        saving.wait();
    }

private:
    std::function<void()> wake_;
    std::unique_ptr<Learning<Pictures>> learning_;
    std::unique_ptr<Learning<Texts>> text_learning_;
    std::unique_ptr<Measuring> measuring_;
    std::unique_ptr<Probing> probing_;
    std::unique_ptr<Deciding> deciding_;
    std::unique_ptr<TextRunning> texts_;

public:
    Exporting exporting, handout, copying;
    Saving saving;
    Inference inference;  // last: its thread ends before what it wakes
};

}  // namespace vitrine
