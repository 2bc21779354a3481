#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "core/training/pictures/pictures.h"

namespace vitrine {

/// FNV-1a hash of pictures of every class, every difficulty and several sizes, with their masks.
inline std::string hash_of_pictures(Scenes scenes = Scenes::pictograms) {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    const auto mix_in = [&](const std::vector<std::uint8_t>& bytes) {
        for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001B3ULL;
    };
    const int classes = class_numbers(scenes).different() + 1;
    for (const Difficulty difficulty : {Difficulty::easy, Difficulty::normal, Difficulty::hard})
        for (const int size : {33, 64, 150})
            for (int i = 0; i < 2 * classes; ++i) {
                const DrawnPicture p =
                    draw_picture({{42, difficulty, true, scenes}, static_cast<std::uint64_t>(i), size, i % classes});
                mix_in(p.image.rgb);
                mix_in(p.object);
                mix_in(p.distractor);
                mix_in(p.occluder);
            }
    char words[32];
    std::snprintf(words, sizeof words, "%016llx", static_cast<unsigned long long>(hash));
    return words;
}

}  // namespace vitrine
