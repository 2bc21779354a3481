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
};

/// The files or the picture on X11's clipboard, by a connection of its own, so that no window and no other program is
/// needed; empty without X11 and where nothing of the kind was copied. Waits for the owner for at most a few seconds.
Pasted read_clipboard();

/// The files that lines of text name: URIs as in text/uri-list (RFC 2483), or absolute paths; those that are not there
/// are left out.
std::vector<std::filesystem::path> files_named_in(std::string_view text);

}  // namespace vitrine
