#include "app/commands/draw.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/headless.h"
#include "core/error.h"

namespace vitrine {

namespace {

constexpr int frames_to_settle = 4;  // ImGui and the zones' own heights need a few

}  // namespace

struct Screen::Parts {
    Drawing drawing;
    Headless headless;
    std::unique_ptr<App> app;

    explicit Parts(const Drawing& d) : drawing(d), headless(d.width, d.height) {}
};

Screen::Screen(const Drawing& drawing) : parts_(std::make_unique<Parts>(drawing)) {}
Screen::~Screen() = default;

const App& Screen::app() const { return *parts_->app; }

void Screen::learn(double seconds) {
    LearningWorker& worker = parts_->app->learning();
    const auto far_enough = [&](const RunView& run) {
        return run.stage == RunStage::done || run.stage == RunStage::diverged ||
               (run.now && run.now->seconds >= seconds);
    };
    if (seconds > 0) worker.start();
    for (bool done = seconds <= 0; !done;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const std::vector<RunView> runs = worker.latest();
        done = std::all_of(runs.begin(), runs.end(), far_enough);
    }
    worker.pause();
    worker.wait();
}

std::vector<std::uint8_t> Screen::draw(AppState state) {
    auto& [drawing, headless, app] = *parts_;
    if (app)
        app->state() = std::move(state);
    else
        app = std::make_unique<App>(std::move(state));
    for (int i = 0; i < frames_to_settle; ++i) {
        if (app->prepare({static_cast<float>(drawing.width), static_cast<float>(drawing.height), 0.8F,
                          static_cast<float>(drawing.scale)}))
            headless.upload_fonts();
        headless.draw([&] { app->frame(); });
        app->settle();
        if (!app->error().empty()) throw Error(app->error());
    }
    return headless.pixels();
}

}  // namespace vitrine
