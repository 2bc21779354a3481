#pragma once

#include <string>

namespace CLI {
class App;
}

namespace vitrine {

// Documentation for packages, generated from the program's own commands and options, so that it cannot become outdated.

/// The manual page, for man(1).
std::string manual_page(const CLI::App& app);

/// The last line of the .desktop file: the media types of sessions, lessons and all pictures that can be read.
std::string desktop_types();

/// A bash script that completes commands, options and enumerated values.
std::string bash_completion(const CLI::App& app);

}  // namespace vitrine
