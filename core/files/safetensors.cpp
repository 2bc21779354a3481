#include "core/files/safetensors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/base/output_file.h"
#include "core/base/output_guard.h"

namespace vitrine {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

// Far more than any model has: reading a longer header would only keep the user waiting.
constexpr std::uint64_t max_header_bytes = 32 << 20;
constexpr std::size_t max_tensors = most_tensors;
constexpr const char* download_again = "; download the file again";

struct TypeRow {
    const char* name;
    Safetensors::Type type;
    std::size_t bytes;
};
constexpr TypeRow types[] = {
    {"F64", Safetensors::Type::f64, 8},      {"F32", Safetensors::Type::f32, 4}, {"F16", Safetensors::Type::f16, 2},
    {"BF16", Safetensors::Type::bf16, 2},    {"I64", Safetensors::Type::i64, 8}, {"I32", Safetensors::Type::i32, 4},
    {"I16", Safetensors::Type::i16, 2},      {"I8", Safetensors::Type::i8, 1},   {"U8", Safetensors::Type::u8, 1},
    {"BOOL", Safetensors::Type::boolean, 1},
};

/// Explains why a file that begins like this is not a safetensors file, with the remedy.
std::string what_instead(std::span<const std::uint8_t> bytes) {
    struct Row {
        std::string_view beginning;
        const char* words;
    };
    static constexpr Row rows[] = {
        {"version https://git-lfs", "only a Git LFS pointer to the weights; fetch them with git lfs pull"},
        {"<", "a web page; download the file itself, not the page that shows it"},
        {"PK", "a ZIP archive such as PyTorch's own; save the weights with safetensors.torch.save_file"},
        {"GGUF", "a GGUF file, which Vitrine does not read; save the weights as safetensors"},
    };
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (const Row& row : rows)
        if (text.starts_with(row.beginning)) return row.words;
    return std::string("not a safetensors file, or one that is cut short") + download_again;
}

/// Finds problems that nlohmann's parser accepts, before it builds anything: duplicate names in an object, deep
/// nesting, more tensors than a model has. A callback of that parser would take quadratic time: the parser scans all
/// rows after each row.
class HeaderCheck : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit HeaderCheck(const std::string& file) : file_(file) {}

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(number_integer_t) override { return true; }
    bool number_unsigned(number_unsigned_t) override { return true; }
    bool number_float(number_float_t, const string_t&) override { return true; }
    bool string(string_t&) override { return true; }
    bool binary(binary_t&) override { return true; }
    bool start_object(std::size_t) override { return enter(); }
    bool start_array(std::size_t) override { return enter(); }
    bool end_object() override { return leave(); }
    bool end_array() override { return leave(); }
    bool key(string_t& name) override {
        std::set<std::string>& names = names_.back();
        if (!names.insert(name).second)
            throw Error(file_ + ": the name \"" + name + "\" appears twice in the header" + download_again);
        if (names.size() > max_tensors)
            throw Error(file_ + ": the header names more than " + std::to_string(max_tensors) +
                        " tensors, which no model has" + download_again);
        return true;
    }
    bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

private:
    bool enter() {
        constexpr std::size_t deepest = 8;
        if (names_.size() > deepest)
            throw Error(file_ + ": the header is nested too deeply for a safetensors file" + download_again);
        names_.emplace_back();
        return true;
    }
    bool leave() {
        names_.pop_back();
        return true;
    }

    const std::string& file_;
    std::vector<std::set<std::string>> names_;  // by open object or list
};

nlohmann::json parse_header(std::string_view text, const std::string& file) {
    HeaderCheck check(file);
    if (!nlohmann::json::sax_parse(text.begin(), text.end(), &check))
        throw Error(file + ": the header is not valid JSON, so this is not a whole safetensors file" + download_again);
    nlohmann::json header = nlohmann::json::parse(text.begin(), text.end());
    if (!header.is_object()) throw Error(file + ": the header is not a JSON object" + download_again);
    return header;
}

/// a · b, or none on overflow.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
    if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) return std::nullopt;
    return a * b;
}

std::uint64_t whole_number(const nlohmann::json& value, const std::string& what) {
    if (!value.is_number_unsigned()) throw Error(what + " holds something that is not a whole number" + download_again);
    return value.get<std::uint64_t>();
}

Safetensors::Entry read_entry(const std::string& name, const nlohmann::json& row, std::size_t data_bytes,
                              const std::string& file) {
    const std::string what = file + ": tensor \"" + name + "\"";
    if (!row.is_object() || !row.contains("dtype") || !row.contains("shape") || !row.contains("data_offsets") ||
        !row["dtype"].is_string() || !row["shape"].is_array() || !row["data_offsets"].is_array() ||
        row["data_offsets"].size() != 2)
        throw Error(what + " lacks its dtype, shape or data_offsets" + download_again);

    const std::string dtype = row["dtype"].get<std::string>();
    const TypeRow* type = nullptr;
    for (const TypeRow& t : types)
        if (dtype == t.name) type = &t;
    if (type == nullptr)
        throw Error(what + " has the type " + dtype + ", which Vitrine does not read; save it as F32 or F16");

    Safetensors::Entry entry;
    entry.type = type->type;
    std::optional<std::uint64_t> bytes = type->bytes;
    for (const nlohmann::json& size : row["shape"]) {
        const std::uint64_t n = whole_number(size, what);
        entry.shape.push_back(n);
        if (bytes) bytes = product(*bytes, n);
    }
    const std::uint64_t begin = whole_number(row["data_offsets"][0], what),
                        end = whole_number(row["data_offsets"][1], what);
    if (begin > end || end > data_bytes)
        throw Error(what + " is outside the file, which is cut short or damaged" + download_again);
    if (!bytes || *bytes != end - begin)
        throw Error(what + " has a shape that does not match its number of bytes" + download_again);
    entry.offset = begin;
    entry.bytes = end - begin;
    return entry;
}

/// Checks that the tensors fill the file without gaps or overlaps.
void check_layout(const std::map<std::string, Safetensors::Entry>& entries, std::size_t data_bytes,
                  const std::string& file) {
    std::size_t end = 0;
    std::multimap<std::size_t, std::pair<std::size_t, const std::string*>> sorted;
    for (const auto& [name, entry] : entries)
        if (entry.bytes > 0) sorted.insert({entry.offset, {entry.bytes, &name}});
    for (const auto& [begin, row] : sorted) {
        if (begin != end)
            throw Error(file + ": tensor \"" + *row.second + "\" overlaps another one or leaves a gap before it" +
                        download_again);
        end = begin + row.first;
    }
    if (end != data_bytes) throw Error(file + ": there are bytes after the last tensor" + download_again);
}

/// The size of the header, from the file's first bytes. Throws Error if it is impossible.
std::size_t header_size(std::span<const std::uint8_t> beginning, std::uint64_t file_bytes, const std::string& name) {
    std::uint64_t bytes = 0;
    if (beginning.size() < sizeof bytes) throw Error(name + ": too short for a safetensors file" + download_again);
    std::memcpy(&bytes, beginning.data(), sizeof bytes);
    if (bytes > max_header_bytes || bytes > file_bytes - sizeof bytes)
        throw Error(name + ": this is " + what_instead(beginning));
    return bytes;
}

}  // namespace

Safetensors::Safetensors(std::string name, std::span<const std::uint8_t> header, std::size_t data_bytes)
    : TensorFile(std::move(name), "safetensors") {
    const nlohmann::json rows = parse_header({reinterpret_cast<const char*>(header.data()), header.size()}, name_);
    for (const auto& [key, row] : rows.items()) {
        if (key != "__metadata__") {
            entries_.emplace(key, read_entry(key, row, data_bytes, name_));
        } else if (row.is_object()) {
            for (const auto& [word, value] : row.items())
                if (value.is_string()) metadata_.emplace(word, value.get<std::string>());
        }
    }
    check_layout(entries_, data_bytes, name_);
}

Safetensors Safetensors::open(const std::filesystem::path& path) {
    const auto file = std::make_shared<const InputFile>(path);
    if (!file->is_regular())
        throw Error(path.string() + ": this is not a file; give a weight file or a folder with model.safetensors");
    if (file->size() == 0) throw Error(path.string() + ": this file is empty" + download_again);
    constexpr std::size_t looked_at = 64;  // enough to recognise other kinds of files
    std::vector<std::uint8_t> beginning(std::min(file->size(), looked_at));
    file->read(0, beginning);
    std::vector<std::uint8_t> header(header_size(beginning, file->size(), path.string()));
    file->read(sizeof(std::uint64_t), header);
    const std::size_t data_begin = sizeof(std::uint64_t) + header.size();
    Safetensors opened(path.string(), header, file->size() - data_begin);
    opened.file_ = file;
    opened.data_begin_ = data_begin;
    return opened;
}

Safetensors Safetensors::from_bytes(std::span<const std::uint8_t> bytes, std::string name) {
    const std::size_t header = header_size(bytes, bytes.size(), name);
    const std::span<const std::uint8_t> data = bytes.subspan(sizeof(std::uint64_t) + header);
    Safetensors opened(std::move(name), bytes.subspan(sizeof(std::uint64_t), header), data.size());
    opened.data_ = data;
    return opened;
}

/// A tensor's bytes as they are stored.
std::vector<std::uint8_t> Safetensors::read(const Entry& entry) const {
    std::vector<std::uint8_t> bytes(entry.bytes);
    if (file_)
        file_->read(data_begin_ + entry.offset, bytes);
    else
        std::copy_n(data_.data() + entry.offset, entry.bytes, bytes.data());
    return bytes;
}

/// A tensor's elements as float32, in newly allocated memory.
std::shared_ptr<const float> Safetensors::copied(const Entry& entry, const std::string& tensor) const {
    const std::size_t count =
        std::accumulate(entry.shape.begin(), entry.shape.end(), std::size_t{1}, std::multiplies<>());
    const std::shared_ptr<float[]> copy(new float[count]);
    if (entry.type == Type::f32 && file_) {
        file_->read(data_begin_ + entry.offset, {reinterpret_cast<std::uint8_t*>(copy.get()), entry.bytes});
        return {copy, copy.get()};
    }
    convert_numbers(entry.type, read(entry), copy.get(), name_, tensor);
    return {copy, copy.get()};
}

std::shared_ptr<const float> Safetensors::floats(const std::string& tensor) const {
    const Entry& entry = entries_.at(tensor);
    const std::uint8_t* const there = file_ ? nullptr : data_.data() + entry.offset;
    const bool in_place =
        there != nullptr && entry.type == Type::f32 && reinterpret_cast<std::uintptr_t>(there) % alignof(float) == 0;
    const std::shared_ptr<const float> values =
        in_place ? std::shared_ptr<const float>(std::shared_ptr<void>(), reinterpret_cast<const float*>(there))
                 : copied(entry, tensor);
    const std::size_t count =
        std::accumulate(entry.shape.begin(), entry.shape.end(), std::size_t{1}, std::multiplies<>());
    require_finite({values.get(), count}, name_, tensor);
    return values;
}

namespace {

/// IEEE half precision, rounded to nearest, ties to even; overflow becomes infinite.
std::uint16_t to_f16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000);
    const float magnitude = std::fabs(value);
    if (std::isnan(value)) return static_cast<std::uint16_t>(sign | 0x7E00);
    if (magnitude >= 65520.0F) return static_cast<std::uint16_t>(sign | 0x7C00);
    if (magnitude < 0x1p-14F) {  // subnormal: multiples of 2⁻²⁴
        const auto steps = static_cast<std::uint16_t>(std::nearbyint(magnitude * 0x1p24F));
        return static_cast<std::uint16_t>(sign | steps);
    }
    const std::uint32_t rebased = (bits & 0x7FFFFFFF) - (112U << 23);  // the exponent's bias is 15, not 127
    const std::uint32_t rounded = rebased + 0xFFF + ((rebased >> 13) & 1);
    return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

std::size_t count_of_named(const NamedTensor& t) { return count_of(t.shape).value_or(0); }

std::string header_of(std::span<const NamedTensor> tensors, const WriteOptions& options) {
    nlohmann::ordered_json header;
    header["__metadata__"] = options.metadata;
    header["__metadata__"]["software"] = software_name;
    std::size_t offset = 0;
    for (const NamedTensor& t : tensors) {
        const std::size_t bytes = count_of_named(t) * (options.half ? sizeof(std::uint16_t) : sizeof(float));
        header[t.name] = {
            {"dtype", options.half ? "F16" : "F32"}, {"shape", t.shape}, {"data_offsets", {offset, offset + bytes}}};
        offset += bytes;
    }
    std::string text = header.dump();
    while (text.size() % 8 != 0) text += ' ';  // aligns the tensors after it
    return text;
}

}  // namespace

namespace {

/// Passes the bytes of a safetensors file to write(data, size), part by part.
template <class Write>
void for_bytes_of(std::span<const NamedTensor> tensors, const WriteOptions& options, const Write& write) {
    const std::string header = header_of(tensors, options);
    const std::uint64_t header_bytes = header.size();
    write(&header_bytes, sizeof header_bytes);
    write(header.data(), header.size());
    for (const NamedTensor& t : tensors) {
        const std::size_t count = count_of_named(t);
        const std::shared_ptr<const float> made = t.make ? t.make() : nullptr;
        const float* const data = t.make ? made.get() : t.data;
        if (!options.half) {
            write(data, count * sizeof(float));
            continue;
        }
        std::vector<std::uint16_t> halves(count);
        std::transform(data, data + count, halves.begin(), to_f16);
        write(halves.data(), count * sizeof(std::uint16_t));
    }
}

}  // namespace

void write_safetensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors,
                       const WriteOptions& options) {
    OutputFile file(path);
    for_bytes_of(tensors, options, [&](const void* data, std::size_t size) { file.write(data, size); });
    file.commit();
}

std::string safetensors_bytes(std::span<const NamedTensor> tensors, const WriteOptions& options) {
    std::string bytes;
    for_bytes_of(tensors, options,
                 [&](const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); });
    return bytes;
}

}  // namespace vitrine
