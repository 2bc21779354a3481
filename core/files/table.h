#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/names.h"

namespace vitrine {

/// Numbers to be taken away: a tensor with a name, and what its axes and their places are called.
struct Table {
    std::string name;               // "rollout", also of its file
    std::vector<std::string> axes;  // one for each axis: "block", "head"
    std::vector<std::size_t> shape;
    std::vector<float> values;                     // row by row
    std::vector<std::vector<std::string>> labels;  // by axis; an axis without labels counts from 0
};

enum class TableFormat { csv, npy, safetensors };
inline constexpr Named<TableFormat> table_format_names[] = {
    {TableFormat::csv, "csv"}, {TableFormat::npy, "npy"}, {TableFormat::safetensors, "safetensors"}};
/// The name is the files' ending.
constexpr const char* ending_of(TableFormat format) { return name_in(table_format_names, format); }

/// Whether a spreadsheet would take a label for something to compute, which could run a program.
bool is_computed_by_spreadsheets(const std::string& label);

/// Words for a spreadsheet: a line for every row of the last axis, what the other axes are at in front; a vector is one
/// column. Numbers with as many digits as tell them apart; names that hold the separator or a quote are quoted,
/// and ' stands before those that a spreadsheet would compute.
std::string to_text(const Table& table, char separator);

/// The bytes of NumPy's format 1.0, little-endian float32 in C order.
std::string to_npy(const Table& table);

/// What a file of words or of an array will hold; empty of safetensors, whose files say themselves whose they are.
std::string bytes_of(const Table& table, TableFormat format);

/// Writes one file so that a reader never sees half of it. Throws Error.
void write_table(const std::filesystem::path& file, const Table& table, TableFormat format);

}  // namespace vitrine
