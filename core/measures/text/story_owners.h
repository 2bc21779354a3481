#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace vitrine {

/// A sentence of a story that gives someone a thing which, by the facts at its beginning, is not theirs: "Tom lost his
/// blue ball", where Tom has a red hat.
struct WrongOwner {
    std::size_t at = 0;                     // position of the colour in the story
    std::string owner;                      // the person of the sentence
    std::string possessive, colour, thing;  // "his", "blue", "ball"
    std::string whose;                      // who has it by the facts; empty: nobody
};

/// All such sentences of a story, in order. People about whom no fact is given are skipped.
std::vector<WrongOwner> wrong_owners(std::span<const std::string> story);

}  // namespace vitrine
