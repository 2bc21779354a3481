#include "app/commands/draw.h"

#include <stb/stb_image_write.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/platform/headless.h"
#include "core/error.h"
#include "core/output_file.h"

namespace vitrine {

namespace {

constexpr int frames_to_settle = 4;  // ImGui and the zones' own heights need a few

}  // namespace

void write_png(const std::filesystem::path& file, const DrawnPart& p) {
    std::string png;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    stbi_write_png_to_func(append, &png, p.width, p.height, p.channels, p.bytes.data(), p.width * p.channels);
    if (png.empty()) throw Error(file.string() + ": this picture is too large for a PNG file; take fewer pixels");
    OutputFile out(file);
    out.write(png);
    out.commit();
}

struct Screen::Parts {
    Drawing drawing;
    Headless headless;
    std::unique_ptr<App> app;

    explicit Parts(const Drawing& d) : drawing(d), headless(d.width * d.times, d.height * d.times) {
        drawing.scale = (d.scale > 0 ? d.scale : App::scale_of_window(d.width, d.height)) * d.times;
        drawing.width *= d.times;
        drawing.height *= d.times;
        if (d.transparent) headless.make_transparent();
    }

    void frame() {
        if (app->prepare({static_cast<float>(drawing.width), static_cast<float>(drawing.height), 0.8F,
                          static_cast<float>(drawing.scale)}))
            headless.upload_fonts();
        headless.draw([&] { app->frame(); });
        app->settle();
        if (app->error().empty()) return;
        const std::string words = app->error();
        app.reset();  // the next state begins afresh
        throw Error(words);
    }
};

Screen::Screen(const Drawing& drawing) : parts_(std::make_unique<Parts>(drawing)) {}
Screen::~Screen() = default;

const App& Screen::app() const { return *parts_->app; }

void Screen::learn(double seconds) {
    Learning& worker = parts_->app->learning();
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
    auto& app = parts_->app;
    state.chrome.transparent = parts_->drawing.transparent;
    if (app)
        app->state() = std::move(state);
    else
        app = std::make_unique<App>(std::move(state));
    for (int i = 0; i < frames_to_settle; ++i) parts_->frame();
    return parts_->headless.pixels();
}

DrawnPart Screen::part(const std::string& name) const {
    const Drawing& d = parts_->drawing;
    check_is_there(name);
    const Rect rect = parts_->app->rect_of(name);
    const int left = std::max(0, static_cast<int>(rect.x0)), top = std::max(0, static_cast<int>(rect.y0));
    DrawnPart part{std::min(d.width, static_cast<int>(std::ceil(rect.x1))) - left,
                   std::min(d.height, static_cast<int>(std::ceil(rect.y1))) - top,
                   d.transparent ? 4 : 3,
                   {}};
    const std::vector<std::uint8_t> all =
        d.transparent ? parts_->headless.pixels_with_alpha() : parts_->headless.pixels();
    for (int y = top; y < top + part.height; ++y) {
        const auto row = all.begin() + (static_cast<std::ptrdiff_t>(y) * d.width + left) * part.channels;
        part.bytes.insert(part.bytes.end(), row, row + static_cast<std::ptrdiff_t>(part.width) * part.channels);
    }
    return part;
}

void Screen::check_is_there(const std::string& name) const {
    if (!parts_->app->is_on_screen(name))
        throw Error("--part " + name + ": is not on the screen in a lecture; take stage or window");
}

std::string Screen::svg(const std::string& name) {
    check_is_there(name);
    parts_->app->record(name);
    parts_->frame();
    return parts_->app->take_recording();
}

}  // namespace vitrine
