#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace vitrine {

/// What a shell is given to put a PNG file on the clipboard, which ImGui and GLFW only know for text: wl-copy under
/// Wayland, xclip under X11 keep it there for other programs. It ends with a sentence where neither is installed.
inline constexpr const char* shell_program = "/bin/sh";
std::vector<std::string> copy_picture_words(const std::filesystem::path& png);

}  // namespace vitrine
