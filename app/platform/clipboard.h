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
    std::string ending;                        // the picture's file name extension: ".png"
    bool lacks_wl_paste = false;               // this is Wayland, and the program that reads its clipboard is missing
};

/// The files or the picture on the clipboard; empty if neither was copied. Reads X11's clipboard through its own
/// connection, so no window is needed; if that is empty, reads Wayland's through the program wl-paste, since some
/// compositors do not pass it on to X11. Waits for each answer of the owner for a few seconds at most.
Pasted read_clipboard();

/// The existing files named in a text, one a line: as URIs (text/uri-list, RFC 2483) or absolute paths.
std::vector<std::filesystem::path> files_named_in(std::string_view text);

}  // namespace vitrine
