#include "app/exports/screen.h"

#include <stb/stb_image_write.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/commands/commands.h"
#include "app/frame/layout.h"
#include "app/jobs/jobs.h"
#include "app/platform/headless.h"
#include "app/workspace/learning_run.h"
#include "core/base/error.h"
#include "core/base/output_file.h"
#include "core/base/output_guard.h"

namespace vitrine {

namespace {

constexpr int frames_to_settle = 4;  // ImGui and the zones' own heights need a few

std::string big_endian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFFU);
    return bytes;
}

/// The checksum of PNG's chunks (ISO 3309, as in the PNG specification, annex D).
std::uint32_t checksum(const std::string& bytes) {
    std::uint32_t crc = 0xFFFFFFFF;
    for (const char byte : bytes) {
        crc ^= static_cast<std::uint8_t>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320U & (0U - (crc & 1U)));
    }
    return ~crc;
}

/// A PNG file that says who made it, in a text chunk behind its header.
std::string with_software(std::string png) {
    constexpr std::size_t signature_and_header = 33;
    std::string content("tEXtSoftware\0", 13);
    content += software_name;
    const auto length = static_cast<std::uint32_t>(content.size() - 4);
    png.insert(signature_and_header, big_endian(length) + content + big_endian(checksum(content)));
    return png;
}

}  // namespace

void write_png(const std::filesystem::path& file, const DrawnPart& p) {
    std::string png;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
    };
    stbi_write_png_to_func(append, &png, p.width, p.height, p.channels, p.bytes.data(), p.width * p.channels);
    if (png.empty()) throw Error(file.string() + ": this picture is too large for a PNG file; take fewer pixels");
    OutputFile out(file);
    out.write(with_software(std::move(png)));
    out.commit();
}

struct Screen::Parts {
    Drawing drawing;
    Headless headless;
    std::unique_ptr<Shell> shell;

    explicit Parts(const Drawing& d) : drawing(d), headless(d.width * d.times, d.height * d.times) {
        drawing.scale = (d.scale > 0 ? d.scale : scale_of_window(d.width, d.height)) * d.times;
        drawing.width *= d.times;
        drawing.height *= d.times;
        if (d.transparent) headless.make_transparent();
    }

    void frame() {
        if (shell->prepare({static_cast<float>(drawing.width), static_cast<float>(drawing.height), 0.8F,
                            static_cast<float>(drawing.scale)}))
            headless.upload_fonts();
        headless.draw([&] { shell->frame(); });
        shell->settle();
        if (shell->error().empty()) return;
        const std::string words = shell->error();
        shell.reset();  // the next state begins afresh
        throw Error(words);
    }
};

Screen::Screen(const Drawing& drawing) : parts_(std::make_unique<Parts>(drawing)) {}
Screen::~Screen() = default;

const Shell& Screen::shell() const { return *parts_->shell; }

namespace {

/// Lets a job's runs learn so long, or to their end.
template <class Job>
void learn_so_long(Job& job, double seconds) {
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
    AppContext& context = parts_->shell->context();
    if (context.state.learning.texts)
        learn_so_long(context.jobs().text_learning(), seconds);
    else
        learn_so_long(context.jobs().learning(), seconds);
}

std::vector<std::uint8_t> Screen::draw(Opening opening) {
    auto& shell = parts_->shell;
    opening.state.transparent = parts_->drawing.transparent;
    opening.state.figure = parts_->drawing.figure;
    if (shell)
        shell->show(std::move(opening));
    else
        shell = std::make_unique<Shell>(std::move(opening));
    for (int i = 0; i < frames_to_settle; ++i) parts_->frame();
    return parts_->headless.pixels();
}

DrawnPart Screen::part(const std::string& name) const {
    const Drawing& d = parts_->drawing;
    check_is_there(name);
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
    if (!parts_->shell->is_on_screen(name))
        throw Error("--part " + name + ": is not on the screen in a lecture; take stage or window");
}

std::string Screen::svg(const std::string& name) {
    check_is_there(name);
    parts_->shell->record(name);
    parts_->frame();
    return parts_->shell->take_recording();
}

namespace {

void write_svg(Screen& screen, const std::string& part, const std::filesystem::path& file) {
    OutputFile out(file);
    out.write(sealed(screen.svg(part)));
    out.commit();
}

}  // namespace

std::span<const PictureFormat> picture_formats() {
    static constexpr PictureFormat formats[] = {
        {"png", [](Screen& screen, const std::string& part,
                   const std::filesystem::path& file) { write_png(file, screen.part(part)); }},
        {"svg", write_svg},
    };
    return formats;
}

const PictureFormat* picture_format_named(std::string_view name) {
    for (const PictureFormat& format : picture_formats())
        if (name == format.name) return &format;
    return nullptr;
}

const PictureFormat& picture_format_of(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    if (ending.empty()) return picture_formats().front();
    std::ranges::transform(ending, ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
    if (const PictureFormat* const named = picture_format_named(ending.substr(1))) return *named;
    std::string all;
    for (const PictureFormat& format : picture_formats())
        all += (all.empty() ? "." : " or .") + std::string(format.name);
    throw UsageError("--out " + file.string() + ": no picture of this kind is written; end the name in " + all);
}

}  // namespace vitrine
