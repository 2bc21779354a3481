#pragma once

#include <string>
#include <vector>

namespace vitrine {

struct Table;
struct TextConfig;
struct TextMeasures;
struct TextModel;
struct TextRun;

/// A measure of a text's run, for `vitrine export --text`. Measures of attention have one name for each kind of
/// attention: "attention.encoder".
struct TextMeasureEntry {
    std::string name;
    const char* axes;   // "block, head, query, key"
    const char* words;  // description in English, for help
};
/// The measures of a model; null: those of all kinds of models.
std::vector<TextMeasureEntry> text_measure_catalogue(const TextConfig* config = nullptr);

/// A finished run with its measures.
struct TextMeasureOf {
    const TextModel& model;
    const TextRun& run;
    const TextMeasures& measures;
};

/// A measure of the model's catalogue as a table: blocks count from 1, heads from 0, words are labels. A statistic that
/// is undefined for this text is NaN. Throws Error for an unknown name.
Table text_measure(const TextMeasureOf& of, const std::string& name);

}  // namespace vitrine
