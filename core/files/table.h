#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/names.h"

namespace vitrine {

/// Numbers to export: a named tensor with the names of its axes and the labels along them.
struct Table {
    std::string name;               // "rollout"; also the name of its file
    std::vector<std::string> axes;  // one for each axis: "block", "head"
    std::vector<std::size_t> shape;
    std::vector<float> values;                     // row by row
    std::vector<std::vector<std::string>> labels;  // by axis; an axis without labels counts from 0
};

/// Numbers under a name.
struct TableColumn {
    std::string name;
    std::vector<float> values;
};
/// A table of columns of equal length side by side; `rows` is the name of the first axis.
Table table_of_columns(const std::string& name, const std::string& rows, const std::vector<TableColumn>& columns);

enum class TableFormat { csv, npy, safetensors };
inline constexpr Named<TableFormat> table_format_names[] = {
    {TableFormat::csv, "csv"}, {TableFormat::npy, "npy"}, {TableFormat::safetensors, "safetensors"}};
/// The ending of the format's files, without a dot.
constexpr const char* ending_of(TableFormat format) { return name_in(table_format_names, format); }

/// True if a spreadsheet would read a label as a formula, which could run a program.
bool is_computed_by_spreadsheets(const std::string& label);

/// Text for a spreadsheet, with a line of headings: one line for each row of the last axis, preceded by the labels of
/// the other axes; a vector is one column. Numbers have as many digits as needed to restore them exactly. Names that
/// contain the separator or a quote are quoted; a ' precedes those that a spreadsheet would read as a formula.
std::string to_text(const Table& table, char separator);

/// A cell of a comma-separated table, quoted and made harmless in the same way.
std::string csv_cell(const std::string& words);

/// The header of a file in NumPy's format 1.0, C order, with elements of type `type` (by default little-endian
/// float32); at least `least_bytes` long.
std::string npy_header(const std::vector<std::size_t>& shape, std::size_t least_bytes = 0,
                       const std::string& type = "<f4");

/// The table as a file in NumPy's format 1.0: little-endian float32 in C order, without labels.
std::string to_npy(const Table& table);

/// The table as a file in a format.
std::string bytes_of(const Table& table, TableFormat format);

/// Writes the table's file atomically. Throws Error if it cannot be written.
void write_table(const std::filesystem::path& file, const Table& table, TableFormat format);

}  // namespace vitrine
