#include "app/exports/screen.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/frame/layout.h"
#include "app/frame/shell.h"
#include "app/jobs/jobs.h"
#include "app/jobs/learning.h"
#include "app/jobs/measuring.h"
#include "app/platform/headless.h"
#include "app/workspace/learning_run.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/output_guard.h"

namespace vitrine {

namespace {

// Results may arrive only in the second frame; then zones measure their own heights, the parts above or below them take
// the rest, and ImGui sizes its scroll bars: one frame for each.
constexpr int frames_to_settle = 6;
constexpr int frames_of_roles = 4;  // for two runs: one that finds a head, and one without that head

}  // namespace

struct Screen::Parts {
    Drawing drawing;
    std::function<void()> wake;
    Headless headless;
    std::unique_ptr<Shell> shell;
    int drawn = 0;  // frames of the current state
    int wanted = frames_to_settle;

    Parts(const Drawing& d, std::function<void()> w)
        : drawing(d), wake(std::move(w)), headless(d.width * d.times, d.height * d.times) {
        drawing.scale = (d.scale > 0 ? d.scale : scale_of_window(d.width, d.height)) * d.times;
        drawing.width *= d.times;
        drawing.height *= d.times;
        if (d.transparent) headless.make_transparent();
    }
    ~Parts() {
        const Headless::Current current(headless);
        shell.reset();
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    void frame() {
        const Headless::Current current(headless);
        if (shell->prepare({static_cast<float>(drawing.width), static_cast<float>(drawing.height), 0.8F,
                            static_cast<float>(drawing.scale)}))
            headless.upload_fonts();
        headless.draw([&] { shell->frame(); });
    }
    void check() {
        if (shell->error().empty()) return;
        const std::string words = shell->error();
        const Headless::Current current(headless);
        shell.reset();  // the next state starts from scratch
        throw Error(words);
    }
};

Screen::Screen(const Drawing& drawing, std::function<void()> wake)
    : parts_(std::make_unique<Parts>(drawing, std::move(wake))) {}
Screen::~Screen() = default;

Shell& Screen::shell() { return *parts_->shell; }

void Screen::within(const std::function<void()>& run) {
    const Headless::Current current(parts_->headless);
    run();
}

void Screen::show(Opening opening) {
    Parts& p = *parts_;
    const Headless::Current current(p.headless);
    opening.state.transparent = p.drawing.transparent;
    opening.state.figure = p.drawing.figure;
    p.drawn = 0;
    p.wanted = frames_to_settle;
    if (p.shell)
        p.shell->show(std::move(opening));
    else
        p.shell = std::make_unique<Shell>(std::move(opening), p.wake);
}

void Screen::again() {
    parts_->drawn = 0;
    parts_->wanted = frames_to_settle + frames_of_roles;
}

bool Screen::step() {
    Parts& p = *parts_;
    if (p.drawn > 0 && p.shell->context().jobs().busy()) return false;
    if (p.drawn > 0) p.check();
    if (p.drawn == p.wanted) return true;
    p.frame();
    ++p.drawn;
    return false;
}

void Screen::settle() const { parts_->shell->context().jobs().wait(); }

void Screen::draw(Opening opening) {
    show(std::move(opening));
    while (!step()) settle();
}

double Screen::fraction() const {
    if (!parts_->shell) return 0;
    Shell& shell = *parts_->shell;
    const Measuring* const measuring = shell.context().jobs().find<Measuring>();
    const double measured = measuring != nullptr ? measuring->latest(shell.workspace().id).fraction : 0;
    return (parts_->drawn + measured) / (parts_->wanted + 1);
}

namespace {

/// Trains a job's runs for a time, or to their end.
template <class Job>
void train_for(Job& job, double seconds) {
    const auto far_enough = [&](const auto& run) {
        return run.stage == RunStage::done || run.stage == RunStage::diverged ||
               (run.now && run.now->seconds >= seconds);
    };
    if (seconds > 0) job.start();
    for (bool done = seconds <= 0; !done;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const auto runs = job.latest();
        done = std::all_of(runs.begin(), runs.end(), far_enough);
    }
    job.pause();
    job.wait();
}

}  // namespace

void Screen::learn(double seconds) {
    const AppContext& context = parts_->shell->context();
    if (context.state.learning.texts)
        train_for(context.jobs().text_learning(), seconds);
    else
        train_for(context.jobs().learning(), seconds);
}

namespace {

/// Pixels of a picture, rows and columns up to `x1` and `y1`.
struct PixelBox {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// The bounding box of the pixels that differ from a picture's first pixel, its background, with a margin; the whole
/// picture if there are none.
PixelBox content_of(const DrawnPart& part, int margin) {
    const auto pixel = [&](int x, int y) {
        return part.bytes.begin() + (static_cast<std::ptrdiff_t>(y) * part.width + x) * part.channels;
    };
    PixelBox box{part.width, part.height, 0, 0};
    for (int y = 0; y < part.height; ++y)
        for (int x = 0; x < part.width; ++x) {
            if (std::equal(pixel(x, y), pixel(x, y) + part.channels, pixel(0, 0))) continue;
            box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x + 1), std::max(box.y1, y + 1)};
        }
    if (box.x1 == 0) return {0, 0, part.width, part.height};
    return {std::max(0, box.x0 - margin), std::max(0, box.y0 - margin), std::min(part.width, box.x1 + margin),
            std::min(part.height, box.y1 + margin)};
}

DrawnPart cropped(const DrawnPart& part, const PixelBox& box) {
    DrawnPart inside{box.x1 - box.x0, box.y1 - box.y0, part.channels, {}};
    for (int y = box.y0; y < box.y1; ++y) {
        const auto row = part.bytes.begin() + (static_cast<std::ptrdiff_t>(y) * part.width + box.x0) * part.channels;
        inside.bytes.insert(inside.bytes.end(), row, row + static_cast<std::ptrdiff_t>(inside.width) * part.channels);
    }
    return inside;
}

/// The opening tag of an SVG document that is cropped to this box, without the final ">".
std::string seen_through(const PixelBox& box) {
    const std::string width = std::to_string(box.x1 - box.x0), height = std::to_string(box.y1 - box.y0);
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height + "\" viewBox=\"" +
           std::to_string(box.x0) + " " + std::to_string(box.y0) + " " + width + " " + height + "\"";
}

constexpr float figure_margin = 12;  // px at scale 1

}  // namespace

DrawnPart Screen::part(const std::string& name) const {
    DrawnPart all = whole_part(name);
    if (!is_figure(name)) return all;
    return cropped(all, content_of(all, margin()));
}

bool Screen::is_figure(const std::string& name) const { return parts_->drawing.figure.bare && name == "stage"; }

int Screen::margin() const { return static_cast<int>(figure_margin * static_cast<float>(parts_->drawing.scale)); }

DrawnPart Screen::whole_part(const std::string& name) const {
    const Drawing& d = parts_->drawing;
    check_is_there(name);
    const Headless::Current current(parts_->headless);
    const Rect rect = parts_->shell->rect_of(name);
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
    const Headless::Current current(parts_->headless);
    if (!parts_->shell->is_on_screen(name))
        throw Error("--part " + name + ": is not on the screen in a lecture; choose stage or window");
}

std::string Screen::svg(const std::string& name) {
    check_is_there(name);
    parts_->shell->record(name);
    parts_->frame();
    parts_->check();
    if (!is_figure(name)) return parts_->shell->take_recording();
    const PixelBox box = content_of(whole_part(name), margin());
    const Headless::Current current(parts_->headless);
    const Rect rect = parts_->shell->rect_of(name);
    const int left = std::max(0, static_cast<int>(rect.x0)), top = std::max(0, static_cast<int>(rect.y0));
    const std::string document = parts_->shell->take_recording();
    return seen_through({left + box.x0, top + box.y0, left + box.x1, top + box.y1}) +
           document.substr(document.find('>'));
}

namespace {

using Write = std::function<void(const std::filesystem::path&)>;

Write take_png(Screen& screen, const std::string& part) {
    return [picture = screen.part(part)](const std::filesystem::path& file) { write_png(file, picture); };
}

Write take_svg(Screen& screen, const std::string& part) {
    return [document = screen.svg(part)](const std::filesystem::path& file) { replace_file(file, sealed(document)); };
}

}  // namespace

std::span<const PictureFormat> picture_formats() {
    static constexpr PictureFormat formats[] = {{"png", take_png}, {"svg", take_svg}};
    return formats;
}

const PictureFormat* picture_format_named(std::string_view name) {
    for (const PictureFormat& format : picture_formats())
        if (name == format.name) return &format;
    return nullptr;
}

}  // namespace vitrine
