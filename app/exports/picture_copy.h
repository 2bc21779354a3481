#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "app/jobs/latest.h"
#include "app/platform/child_process.h"
#include "app/platform/scratch_folder.h"

namespace vitrine {

/// Puts a picture on the clipboard, which ImGui and GLFW only know for text: another program keeps it there, wl-copy
/// under Wayland, xclip under X11.
class PictureCopy : public Job {
public:
    explicit PictureCopy(const std::function<void()>& /*wake*/ = {}) {}

    /// Hands a PNG file over; its folder goes once the program has read it.
    void start(std::shared_ptr<const ScratchFolder> folder, const std::filesystem::path& png);
    void cancel();
    /// How it ended, once; does not wait.
    std::optional<ChildProcess::End> take_end();

    bool busy() const override { return program_ != nullptr; }
    void wait() const override {}  // the program's end is noticed by `take_end`

private:
    std::shared_ptr<const ScratchFolder> folder_;
    std::unique_ptr<ChildProcess> program_;
};

}  // namespace vitrine
