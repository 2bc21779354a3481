#include "core/files/table.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/base/output_file.h"
#include "core/files/safetensors.h"

namespace vitrine {

namespace {

/// A number as text; NaN is an empty cell, which spreadsheets and readers of CSV read as a missing number.
std::string number(float value) {
    if (std::isnan(value)) return "";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    char buffer[32];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value);
    return {buffer, result.ptr};
}

/// A label that a spreadsheet treats as text: preceded by ' if it would be a formula.
std::string harmless(const std::string& words) { return is_computed_by_spreadsheets(words) ? "'" + words : words; }

std::string quoted(const std::string& label, char separator) {
    const std::string words = harmless(label);
    if (words.find_first_of(std::string("\"\n\r") + separator) == std::string::npos) return words;
    std::string out = "\"";
    for (const char c : words) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

std::string label(const Table& t, std::size_t axis, std::size_t place, char separator) {
    const bool named = axis < t.labels.size() && place < t.labels[axis].size();
    return named ? quoted(t.labels[axis][place], separator) : std::to_string(place);
}

}  // namespace

Table table_of_columns(const std::string& name, const std::string& rows, const std::vector<TableColumn>& columns) {
    Table t{name, {rows, "number"}, {columns.front().values.size(), columns.size()}, {}, {{}, {}}};
    for (const TableColumn& column : columns) t.labels.back().push_back(column.name);
    for (std::size_t row = 0; row < t.shape.front(); ++row)
        for (const TableColumn& column : columns) t.values.push_back(column.values[row]);
    return t;
}

bool is_computed_by_spreadsheets(const std::string& label) {
    const std::size_t begin = label.find_first_not_of(' ');
    if (begin == std::string::npos) return false;
    char* end = nullptr;
    std::strtod(label.c_str(), &end);
    if (*end == '\0') return false;  // a number
    const std::string_view words = std::string_view(label).substr(begin);
    constexpr std::string_view beginnings[] = {"=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"};
    return std::ranges::any_of(beginnings, [&](std::string_view b) { return words.starts_with(b); });
}

std::string to_text(const Table& t, char separator) {
    const std::size_t axes = t.shape.size();
    const bool vector = axes == 1;
    const std::size_t leading = vector ? 1 : axes - 1, columns = vector ? 1 : t.shape.back();
    std::string out;
    for (std::size_t axis = 0; axis < leading; ++axis)
        out += (axis > 0 ? std::string(1, separator) : "") + quoted(t.axes[axis], separator);
    if (vector) out += separator + quoted(t.name, separator);
    for (std::size_t c = 0; !vector && c < columns; ++c) out += separator + label(t, axes - 1, c, separator);
    out += '\n';
    std::vector<std::size_t> at(leading, 0);
    for (std::size_t first = 0; first < t.values.size(); first += columns) {
        for (std::size_t axis = 0; axis < leading; ++axis)
            out += (axis > 0 ? std::string(1, separator) : "") + label(t, axis, at[axis], separator);
        for (std::size_t c = 0; c < columns; ++c) out += separator + number(t.values[first + c]);
        out += '\n';
        for (std::size_t axis = leading; axis-- > 0;) {
            if (++at[axis] < t.shape[axis]) break;
            at[axis] = 0;
        }
    }
    return out;
}

std::string csv_cell(const std::string& words) { return quoted(words, ','); }

std::string npy_header(const std::vector<std::size_t>& shape, std::size_t least_bytes, const std::string& type) {
    std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (";
    for (const std::size_t n : shape) header += std::to_string(n) + ", ";
    header += "), }";
    constexpr std::size_t before = 10, alignment = 64;
    while ((before + header.size() + 1) % alignment != 0 || before + header.size() + 1 < least_bytes) header += ' ';
    header += '\n';
    std::string out = "\x93NUMPY";
    out += '\x01';
    out += '\0';
    const auto length = static_cast<std::uint16_t>(header.size());
    out += static_cast<char>(length & 0xFF);
    out += static_cast<char>(length >> 8);
    return out + header;
}

std::string to_npy(const Table& t) {
    static_assert(std::endian::native == std::endian::little);
    std::string out = npy_header(t.shape);
    const std::size_t start = out.size();
    out.resize(start + t.values.size() * sizeof(float));
    std::memcpy(out.data() + start, t.values.data(), t.values.size() * sizeof(float));
    return out;
}

std::string bytes_of(const Table& t, TableFormat format) {
    switch (format) {
        case TableFormat::csv: return to_text(t, ',');
        case TableFormat::npy: return to_npy(t);
        case TableFormat::safetensors: {
            const NamedTensor tensor{t.name, t.shape, t.values.data()};
            return safetensors_bytes(std::span(&tensor, 1));
        }
    }
    return "";
}

void write_table(const std::filesystem::path& file, const Table& t, TableFormat format) {
    replace_file(file, bytes_of(t, format));
}

}  // namespace vitrine
