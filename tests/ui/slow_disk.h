#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>

#include "tests/ui/harness.h"

namespace vitrine {

/// Blocks saving in a window until released; `settle` would wait for it, frames do not.
class SlowDisk {
public:
    explicit SlowDisk(Harness& h) {
        h.app->context().jobs().of<Saving>().save(
            [goes_on = goes_on_] {
                while (!*goes_on) std::this_thread::yield();
                return std::filesystem::path();
            },
            [](const std::filesystem::path&) {});
    }
    ~SlowDisk() { go_on(); }
    SlowDisk(const SlowDisk&) = delete;
    SlowDisk& operator=(const SlowDisk&) = delete;

    void go_on() { *goes_on_ = true; }

private:
    const std::shared_ptr<std::atomic<bool>> goes_on_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace vitrine
