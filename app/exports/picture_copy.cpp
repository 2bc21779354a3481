#include "app/exports/picture_copy.h"

#include <utility>

namespace vitrine {

namespace {

constexpr const char* shell = "/bin/sh";

/// Shell command that copies the file $1. wl-copy and xclip continue in the background and must not keep inherited
/// output files open, since Vitrine waits until these are closed. Prints a sentence if neither is installed.
constexpr const char* copy_to_clipboard = R"(if [ -n "${WAYLAND_DISPLAY:-}" ] && command -v wl-copy >/dev/null; then
    exec wl-copy --type image/png <"$1" >/dev/null 2>&1
elif command -v xclip >/dev/null; then
    exec xclip -selection clipboard -t image/png -i "$1" >/dev/null 2>&1
fi
echo "a picture needs xclip (X11) or wl-copy (Wayland) to reach the clipboard: install the package xclip or wl-clipboard" >&2
exit 1)";

}  // namespace

void PictureCopy::start(std::shared_ptr<const ScratchFolder> folder, const std::filesystem::path& png) {
    folder_ = std::move(folder);
    program_ =
        std::make_unique<ChildProcess>(ChildProcess::Command{{"-c", copy_to_clipboard, "sh", png.string()}, shell});
}

void PictureCopy::cancel() {
    program_.reset();
    folder_.reset();
}

std::optional<ChildProcess::End> PictureCopy::take_end() {
    const auto end = program_ ? program_->poll() : std::nullopt;
    if (end) cancel();
    return end;
}

}  // namespace vitrine
