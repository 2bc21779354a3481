#pragma once

#include <string>
#include <vector>

namespace vitrine {

struct DependsOn;
struct Frame;
struct InView;

/// The chosen parts that a figure of an image's run depends on: "Block 2", "Head 1", "class token".
std::vector<std::string> chosen_parts(const InView& shown, const DependsOn& depends);
/// The changes in an image's run, its image and its model, in words.
std::vector<std::string> run_in_words(const InView& shown);

/// A figure's caption for exports: its title, and its room's caption for each run.
std::string figure_caption(const Frame& frame, const std::string& title);

}  // namespace vitrine
