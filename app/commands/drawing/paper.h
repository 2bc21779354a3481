#pragma once

#include <string>

namespace CLI {
class App;
}

namespace vitrine {

// What a package lays beside the program, made from its own table of commands and options, so that neither can drift.

/// The manual page, for man(1).
std::string manual_page(const CLI::App& app);

/// A script for bash that completes commands, options and those values of which there is a list.
std::string bash_completion(const CLI::App& app);

}  // namespace vitrine
