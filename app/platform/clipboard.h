#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

/// The clipboard's content, copied by another program.
struct Pasted {
    std::vector<std::filesystem::path> files;  // copied in a file manager
    std::string picture;                       // an image file's bytes; empty if none was copied
    std::string ending;                        // of such a file: ".png"
    bool lacks_wl_paste = false;               // this is Wayland, and the program that reads its clipboard is missing
};

/// The files or the picture on the clipboard; empty where nothing of the kind was copied. X11's is read by a connection
/// of its own, so that no window is needed. Where that has nothing, Wayland's is read by the program wl-paste: it
/// reaches X11 only if the compositor hands it on. Waits for the owner for at most a few seconds.
Pasted read_clipboard();

/// The files that lines of text name: URIs as in text/uri-list (RFC 2483), or absolute paths; those that are not there
/// are left out.
std::vector<std::filesystem::path> files_named_in(std::string_view text);

}  // namespace vitrine
