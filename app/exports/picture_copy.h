#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "app/jobs/latest.h"
#include "app/platform/child_process.h"

namespace vitrine {

class ScratchFolder;

/// Copies a picture to the clipboard, for which ImGui and GLFW only support text: another program holds it there,
/// wl-copy under Wayland, xclip under X11.
class PictureCopy : public Job {
public:
    explicit PictureCopy(const std::function<void()>& /*wake*/ = {}) {}

    /// Starts to copy a PNG file; its folder is deleted once the program has read it.
    void start(std::shared_ptr<const ScratchFolder> folder, const std::filesystem::path& png);
    void cancel();
    /// The program's exit status and output, once, after it has ended; does not wait.
    std::optional<ChildProcess::End> take_end();

    bool busy() const override { return program_ != nullptr; }
    void wait() const override {}  // `take_end` notices the program's end

private:
    std::shared_ptr<const ScratchFolder> folder_;
    std::unique_ptr<ChildProcess> program_;
};

}  // namespace vitrine
