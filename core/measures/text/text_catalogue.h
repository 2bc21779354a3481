#pragma once

#include <string>
#include <vector>

namespace vitrine {

struct Table;
struct TextConfig;
struct TextMeasures;
struct TextModel;
struct TextRun;

/// All measures of a run of a text, by name, for `vitrine export --text`. Those of attention have a name for each kind
/// of it: "attention.encoder".
struct TextMeasureEntry {
    std::string name;
    const char* axes;   // "block, head, query, key"
    const char* words;  // description in English, for help
};
/// The measures of a model; without one, those of every model.
std::vector<TextMeasureEntry> text_measure_catalogue(const TextConfig* config = nullptr);

/// A finished run with its measures.
struct TextMeasureOf {
    const TextModel& model;
    const TextRun& run;
    const TextMeasures& measures;
};

/// A measure of that model's catalogue as a table: blocks count from 1, heads from 0, words are labels. A statistic
/// that no query of the text has is not a number. Throws Error for another name.
Table text_measure(const TextMeasureOf& of, const std::string& name);

}  // namespace vitrine
