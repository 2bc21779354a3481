#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace vitrine::fuzz {

using Bytes = std::span<const std::uint8_t>;

// The program's inputs from outside: for each a function with a file in targets/, seeds in seeds/ and a dictionary in
// words/. Each accepts any bytes; throwing Error is fine, anything else is a bug.
void archives(Bytes bytes);
void array_headers(Bytes bytes);
void byte_pairs(Bytes bytes);
void commands(Bytes bytes);
void configurations(Bytes bytes);
void equations(Bytes bytes);
void exif(Bytes bytes);
void hub_answers(Bytes bytes);
void images(Bytes bytes);
void lessons(Bytes bytes);
void pickles(Bytes bytes);
void recipes(Bytes bytes);
void safetensors(Bytes bytes);
void sentence_pieces(Bytes bytes);
void sessions(Bytes bytes);
void settings(Bytes bytes);
void text_models(Bytes bytes);
void typed_text(Bytes bytes);
void videos(Bytes bytes);
void weight_maps(Bytes bytes);
void what_ifs(Bytes bytes);

/// All targets, for tests that run the seeds.
struct Target {
    const char* name;
    void (*run)(Bytes bytes);
};
inline constexpr Target targets[] = {
    {"archives", archives},
    {"array_headers", array_headers},
    {"byte_pairs", byte_pairs},
    {"commands", commands},
    {"configurations", configurations},
    {"equations", equations},
    {"exif", exif},
    {"hub_answers", hub_answers},
    {"images", images},
    {"lessons", lessons},
    {"pickles", pickles},
    {"recipes", recipes},
    {"safetensors", safetensors},
    {"sentence_pieces", sentence_pieces},
    {"sessions", sessions},
    {"settings", settings},
    {"text_models", text_models},
    {"typed_text", typed_text},
    {"videos", videos},
    {"weight_maps", weight_maps},
    {"what_ifs", what_ifs},
};

inline std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

/// Ends the program if a condition is violated.
inline void demand(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "fuzz: it does not hold that %s\n", what);
    std::abort();
}

/// Demands that an error message is a sentence.
inline void demand_sentence(std::string_view words) { demand(words.size() > 10, "an error says what is wrong"); }

}  // namespace vitrine::fuzz
