#include "app/exports/stack.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/output_file.h"
#include "core/base/sha256.h"

namespace vitrine {

namespace {

using Json = Manifest::Json;
namespace fs = std::filesystem;

constexpr int stack_form = 1;  // version of the journal's format
constexpr const char* table_of_images = "images.csv";
/// Sizes of the headers in bytes, which suffice for any shape.
constexpr std::size_t header_bytes_of_npy = 256, header_bytes_of_safetensors = 1024;

/// A line of CSV, whose cells a spreadsheet reads as text.
std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + csv_cell(cell);
    return line + "\n";
}

std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// The table with the image as its first axis.
Table stacked(Table table, std::size_t number) {
    table.axes.insert(table.axes.begin(), "image");
    table.shape.insert(table.shape.begin(), 1);
    table.labels.insert(table.labels.begin(), {std::to_string(number)});
    return table;
}

void append(const fs::path& file, const std::string& bytes) {
    std::ofstream out(file, std::ios::binary | std::ios::app);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) throw Error(file.string() + ": cannot be written; free some space or write elsewhere");
}

void overwrite_begin(const fs::path& file, const std::string& bytes) {
    std::fstream out(file, std::ios::binary | std::ios::in | std::ios::out);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.flush();
    if (!out) throw Error(file.string() + ": cannot be written; free some space or write elsewhere");
}

/// Size in bytes of a file's blank header, which suffices for any shape.
std::size_t bytes_before_numbers(TableFormat format) {
    switch (format) {
        case TableFormat::csv: return 0;
        case TableFormat::npy: return header_bytes_of_npy;
        case TableFormat::safetensors: return header_bytes_of_safetensors;
    }
    return 0;
}

}  // namespace

MeasureStack::MeasureStack(const MeasureExport& what, const std::vector<std::string>& names, fs::path folder)
    : what_(what), folder_(std::move(folder)) {
    std::string listed;
    for (const std::string& name : names) listed += name + "\n";
    Json run = {{"model", what.facts},
                {"image",
                 {{"count", names.size()}, {"sha256", sha256(listed)}, {"sha256_of", "the images' names, one a line"}}},
                {"settings", settings_of(what)}};
    head_ = {{"software", software_name}, {"stack", stack_form},  {"version", program_version()}, {"run", run},
             {"measures", what.measures}, {"format", what.format}};
    Manifest manifest(folder_, run, what.guard);
    for (const std::string& name : what.measures) manifest.check(what.file_of(name));
    manifest.check(table_of_images);
    complete_ = what.resume && manifest.has(table_of_images) &&
                std::ranges::all_of(what.measures, [&](const auto& name) { return manifest.has(what_.file_of(name)); });
    if (complete_) {
        const Json there = Json::parse(words_of_manifest(folder_));
        const Json& list = there["run"].value("images", Json::array());
        entries_.assign(list.begin(), list.end());
        if (entries_.size() == names.size()) {
            manifest.write();  // a killed export may have left an outdated manifest and a journal
            std::error_code ignored;
            fs::remove(journal(), ignored);
            return;
        }
        entries_.clear();
        complete_ = false;
    }
    if (!what.resume || !take_up()) begin();
}

fs::path MeasureStack::data_of(const std::string& measure) const {
    return folder_ / (what_.file_of(measure) + ".part");
}
fs::path MeasureStack::journal() const { return folder_ / "stack.jsonl.part"; }

/// Starts with empty files.
void MeasureStack::begin() {
    std::error_code ignored;
    for (const fs::path& file : {journal()})
        if (fs::exists(file, ignored)) {
            std::ifstream in(file);
            std::string first;
            std::getline(in, first);
            const Json there = nests_too_deeply(first) ? Json() : Json::parse(first, nullptr, false);
            if (!there.is_object() || there.value("software", "") != software_name) what_.guard.check(file);
            fs::remove(file, ignored);
        }
    const std::string blank_header(bytes_before_numbers(*value_in(table_format_names, what_.format)), ' ');
    ends_.assign(what_.measures.size(), blank_header.size());
    for (const std::string& name : what_.measures) {
        what_.guard.check_is_not_read(data_of(name));
        fs::remove(data_of(name), ignored);
        append(data_of(name), blank_header);
    }
    append(journal(), dumped(head_) + "\n");
}

/// Continues after the last image in the journal; false if there is no journal. Throws Error if it does not match.
bool MeasureStack::take_up() {
    std::ifstream in(journal());
    std::string line;
    if (!std::getline(in, line)) return false;
    const Json there = nests_too_deeply(line) ? Json() : Json::parse(line, nullptr, false);
    if (there != head_)
        throw Error(journal().string() +
                    ": the export that was interrupted here had another model, other images, measures or settings, or "
                    "was another version's; leave --resume out to begin again");
    const std::string blank_header(bytes_before_numbers(*value_in(table_format_names, what_.format)), ' ');
    ends_.assign(what_.measures.size(), blank_header.size());
    std::size_t complete_bytes = line.size() + 1;
    while (std::getline(in, line) && !in.eof()) {  // an unfinished last line is dropped
        Json entry = nests_too_deeply(line) ? Json() : Json::parse(line, nullptr, false);
        if (!entry.is_object()) break;
        if (entry.contains("ends")) {
            ends_ = entry["ends"].get<std::vector<std::uint64_t>>();
            ++written_;
        }
        if (entry.contains("arrays")) rows_ = entry["arrays"];
        entries_.push_back(entry["entry"]);
        complete_bytes += line.size() + 1;
    }
    in.close();
    fs::resize_file(journal(), complete_bytes);
    for (std::size_t i = 0; i < what_.measures.size(); ++i) {
        const fs::path file = data_of(what_.measures[i]);
        std::error_code error;
        const bool in_place = fs::exists(folder_ / what_.file_of(what_.measures[i]), error);
        if (!fs::exists(file, error) && in_place) continue;  // killed while the arrays were being renamed
        if (fs::file_size(file, error) < ends_[i] || error)
            throw Error(file.string() +
                        ": is shorter than the interrupted export left it; leave --resume out to begin again");
        fs::resize_file(file, ends_[i]);
    }
    return true;
}

void MeasureStack::check(std::size_t number, const ImageSource& source) const {
    const Json& entry = entries_[number];
    if (source.path.empty() || entry.contains("error")) return;
    if (entry.value("sha256", "") != sha256_of_file(source.path))
        throw Error(source.path.string() +
                    ": has changed since it was added to the stack; leave --resume out to begin again");
}

void MeasureStack::note(Json entry, const std::vector<std::uint64_t>& ends) {
    Json line = {{"entry", entry}};
    if (!ends.empty()) line["ends"] = ends;
    if (written_ == 1 && !ends.empty()) line["arrays"] = rows_;
    append(journal(), dumped(line) + "\n");
    entries_.push_back(std::move(entry));
}

void MeasureStack::add(const OpenImage& image, const MeasuredPass& pass, const Progress& progress) {
    const TableFormat format = *value_in(table_format_names, what_.format);
    std::vector<std::uint64_t> ends = ends_;
    for (std::size_t i = 0; i < what_.measures.size(); ++i) {
        const double parts = static_cast<double>(what_.measures.size());
        const Table table = stacked(table_of(what_, pass, what_.measures[i],
                                             [&](double f) { report(progress, (static_cast<double>(i) + f) / parts); }),
                                    written_);
        if (written_ == 0) {
            Json row = row_of(table, what_.file_of(what_.measures[i]));
            row["axes"][0] = {{"name", "image"}, {"size", 1}, {"first", 0}};
            rows_.push_back(std::move(row));
        }
        std::vector<std::size_t> shape = rows_[i]["shape"];
        if (!std::equal(shape.begin() + 1, shape.end(), table.shape.begin() + 1, table.shape.end()))
            throw Error(what_.measures[i] + ": the images have arrays of different shapes; export them with --each");
        std::string bytes;
        if (format == TableFormat::csv) {
            bytes = to_text(table, ',');
            if (written_ > 0) bytes.erase(0, bytes.find('\n') + 1);
        } else {
            bytes.assign(reinterpret_cast<const char*>(table.values.data()), table.values.size() * sizeof(float));
        }
        append(data_of(what_.measures[i]), bytes);
        ends[i] += bytes.size();
    }
    ends_ = ends;
    Json entry = facts_of(image);
    entry["row"] = written_++;
    entry["class"] = class_of(what_, pass.trace);
    if (Json change = change_by(what_, pass); !change.is_null()) entry["change"] = std::move(change);
    note(std::move(entry), ends);
}

void MeasureStack::fail(const std::string& name, const std::string& reason) {
    for (std::size_t i = 0; i < what_.measures.size(); ++i) fs::resize_file(data_of(what_.measures[i]), ends_[i]);
    if (written_ == 0) rows_ = Json::array();
    note({{"name", name}, {"error", reason}}, {});
}

/// An array's header for its final shape, padded to the size of the blank header.
std::string MeasureStack::header_of(const Json& row) const {
    const TableFormat format = *value_in(table_format_names, what_.format);
    Table table;
    table.name = row["measure"];
    table.shape = row["shape"].get<std::vector<std::size_t>>();
    std::string header;
    if (format == TableFormat::npy) {
        header = npy_header(table.shape, header_bytes_of_npy);
    } else if (format == TableFormat::safetensors) {
        std::uint64_t bytes = sizeof(float);
        for (const std::size_t n : table.shape) bytes *= n;
        Json words = {{"__metadata__", {{"software", software_name}}},
                      {table.name, {{"dtype", "F32"}, {"shape", table.shape}, {"data_offsets", {0, bytes}}}}};
        const std::uint64_t length = header_bytes_of_safetensors - sizeof length;
        header.assign(reinterpret_cast<const char*>(&length), sizeof length);
        header += dumped(words);
        if (header.size() > header_bytes_of_safetensors)
            throw Error(table.name + ": the name is too long for a stack's header; leave it out");
        header.resize(header_bytes_of_safetensors, ' ');
    }
    return header;
}

void MeasureStack::finish() {
    if (written_ == 0) {
        std::error_code ignored;
        for (const std::string& name : what_.measures) fs::remove(data_of(name), ignored);
        fs::remove(journal(), ignored);
        return;
    }
    Json run = head_["run"];
    Json images = Json::array(), failed = Json::array();
    std::string table = csv_line({"row", "name", "path", "width", "height", "sha256", "class", "label"});
    for (const Json& entry : entries_) {
        images.push_back(entry);
        if (entry.contains("error")) continue;
        const Json& known = entry["class"];
        table += csv_line({std::to_string(entry["row"].get<int>()), entry["name"], entry["path"],
                           std::to_string(entry["width"].get<int>()), std::to_string(entry["height"].get<int>()),
                           entry["sha256"], known.is_null() ? "" : std::to_string(known["index"].get<int>()),
                           known.is_null() ? "" : known["label"].get<std::string>()});
    }
    run["images"] = images;
    Manifest manifest(folder_, run, what_.guard);
    std::error_code ignored;
    std::vector<std::string> coming;
    for (std::size_t i = 0; i < what_.measures.size(); ++i) {
        Json row = rows_[i];
        row["shape"][0] = written_;
        row["axes"][0]["size"] = written_;
        const std::string file = what_.file_of(what_.measures[i]);
        const fs::path part = data_of(what_.measures[i]);
        const bool in_place = !fs::exists(part, ignored);  // a killed export has renamed it already
        if (!in_place) overwrite_begin(part, header_of(row));
        manifest.expect(std::move(row), sha256_of_file(in_place ? folder_ / file : part));
        if (in_place)
            manifest.settle(file);
        else
            coming.push_back(file);
    }
    OutputFile out(folder_ / table_of_images);
    out.write(table);
    manifest.expect({{"file", table_of_images}, {"table", "the images in the order of the arrays' first axis"}},
                    sha256(table));
    manifest.write();
    for (const std::string& file : coming) {
        fs::rename(folder_ / (file + ".part"), folder_ / file);
        manifest.settle(file);
    }
    out.commit();
    manifest.settle(table_of_images);
    manifest.write();
    fs::remove(journal(), ignored);
}

}  // namespace vitrine
