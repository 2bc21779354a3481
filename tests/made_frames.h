#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "app/jobs/frame_source.h"
#include "core/base/error.h"
#include "tests/eventually.h"

namespace vitrine {

/// A camera made of code: it has a frame when the test makes one, and always gives the newest.
class MadeFrames {
    struct All {
        std::mutex mutex;
        int made = 0, given = 0, seen = 0;  // newest made, newest given to the job, newest that the job has put down
        bool unplugged = false;
    };
    template <class F>
    auto with(F f) {
        const std::lock_guard lock(all_->mutex);
        return f(*all_);
    }

    struct Source : FrameSource {
        explicit Source(std::shared_ptr<All> of) : all(std::move(of)) {}
        std::shared_ptr<All> all;

        std::optional<StreamFrame> next(const Progress&) override {
            int number = 0;
            {
                const std::lock_guard lock(all->mutex);
                all->seen = all->given;
                if (all->unplugged) throw Error(gone);
                if (all->made != all->given) number = all->given = all->made;
            }
            if (number == 0) {
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                return {};
            }
            Image image{64, 64, std::vector<std::uint8_t>(std::size_t{3} * 64 * 64)};
            for (std::size_t i = 0; i < image.rgb.size(); ++i)
                image.rgb[i] = static_cast<std::uint8_t>(i * 7 + static_cast<std::size_t>(number) * 31);
            image.rgb[0] = static_cast<std::uint8_t>(number % 256);
            image.rgb[1] = static_cast<std::uint8_t>(number / 256);
            return StreamFrame{std::move(image), "made/camera", 0};
        }
    };

    std::shared_ptr<All> all_ = std::make_shared<All>();

public:
    std::unique_ptr<FrameSource> source() { return std::make_unique<Source>(all_); }

    /// Makes some frames, of which the job has seen the last one when this comes back.
    void make(int count = 1) {
        for (int i = 0; i < count; ++i) {
            const int made = with([](All& a) { return ++a.made; });
            EXPECT_TRUE(eventually([&] { return with([&](All& a) { return a.seen >= made; }); }));
        }
    }
    /// The same without waiting, as for a stream that is paused.
    void make_unseen() {
        with([](All& a) { return ++a.made; });
    }
    int made() {
        return with([](All& a) { return a.made; });
    }
    int given() {
        return with([](All& a) { return a.given; });
    }
    void unplug() {
        with([](All& a) { return a.unplugged = true; });
    }

    /// The number of one of its frames, from 1; 0 for any other image.
    static int number_of(const std::shared_ptr<const Image>& frame) {
        return frame == nullptr ? 0 : frame->rgb[0] + 256 * frame->rgb[1];
    }
    static constexpr const char* gone = "made/camera: is no longer connected; plug it in again";
};

}  // namespace vitrine
