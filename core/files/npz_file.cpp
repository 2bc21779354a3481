#include "core/files/npz_file.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/base/error.h"

namespace vitrine {

namespace {

constexpr std::size_t most_array_axes = 8;
constexpr std::size_t longest_array_header = 10'000;  // numpy's own limit for files that are not trusted
constexpr const char* save_numbers =
    "; save it in Python with numpy.savez(FILE, **{name: numpy.asarray(x, numpy.float32)})";

/// Parses the text of an array's header from left to right.
class HeaderWords {
public:
    HeaderWords(std::string_view words, const std::string& what) : rest_(words), what_(what) {}

    bool skip(char c) {
        space();
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!skip(c)) refuse();
    }
    std::string_view quoted() {
        space();
        if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) refuse();
        const std::size_t end = rest_.find(rest_.front(), 1);
        if (end == std::string_view::npos) refuse();
        const std::string_view word = rest_.substr(1, end - 1);
        rest_.remove_prefix(end + 1);
        return word;
    }
    bool boolean() {
        space();
        for (const std::string_view word : {"True", "False"})
            if (rest_.starts_with(word)) {
                rest_.remove_prefix(word.size());
                return word == "True";
            }
        refuse();
    }
    std::vector<std::size_t> tuple() {
        std::vector<std::size_t> numbers;
        expect('(');
        while (!skip(')')) {
            numbers.push_back(number());
            if (numbers.size() > most_array_axes) refuse();
            if (!skip(',')) {
                expect(')');
                break;
            }
        }
        return numbers;
    }
    bool at_end() {
        space();
        return rest_.empty();
    }
    [[noreturn]] void refuse() const {
        throw Error(what_ + " has a header that is not of an array of numbers" + save_numbers);
    }

private:
    void space() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
    }
    std::size_t number() {
        space();
        constexpr std::size_t longest = 15;
        std::size_t digits = 0, value = 0;
        while (digits < rest_.size() && rest_[digits] >= '0' && rest_[digits] <= '9')
            value = value * 10 + static_cast<std::size_t>(rest_[digits++] - '0');
        if (digits == 0 || digits > longest) refuse();
        rest_.remove_prefix(digits);
        if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);  // of Python 2
        return value;
    }

    std::string_view rest_;
    const std::string& what_;
};

TensorType type_of_array(std::string_view descr, const std::string& what) {
    struct Row {
        std::string_view descr;
        TensorType type;
    };
    static constexpr Row rows[] = {{"<f8", TensorType::f64},  {"<f4", TensorType::f32},    {"<f2", TensorType::f16},
                                   {"|V2", TensorType::bf16}, {"<V2", TensorType::bf16},   {"<i8", TensorType::i64},
                                   {"<i4", TensorType::i32},  {"<i2", TensorType::i16},    {"|i1", TensorType::i8},
                                   {"|u1", TensorType::u8},   {"|b1", TensorType::boolean}};
    for (const Row& row : rows)
        if (row.descr == descr) return row.type;
    if (descr.find('O') != std::string_view::npos)
        throw Error(what + " holds Python objects, which would have to be run, and Vitrine runs nothing from a file" +
                    save_numbers);
    throw Error(what + " has the type \"" + std::string(descr) + "\", which Vitrine does not read" + save_numbers);
}

}  // namespace

ArrayHeader read_array_header(std::string_view text, const std::string& what) {
    HeaderWords words(text, what);
    ArrayHeader header;
    std::set<std::string_view> keys;
    words.expect('{');
    while (!words.skip('}')) {
        const std::string_view key = words.quoted();
        words.expect(':');
        if (!keys.insert(key).second) words.refuse();
        if (key == "descr")
            header.type = type_of_array(words.quoted(), what);
        else if (key == "fortran_order")
            header.column_major = words.boolean();
        else if (key == "shape")
            header.shape = words.tuple();
        else
            words.refuse();
        if (!words.skip(',')) {
            words.expect('}');
            break;
        }
    }
    if (keys.size() != 3 || !words.at_end()) words.refuse();
    return header;
}

NpzFile::NpzFile(ZipArchive archive) : TensorFile(archive.name(), "NumPy archive"), archive_(std::move(archive)) {
    constexpr std::string_view ending = ".npy";
    for (const ZipArchive::Entry& entry : archive_.entries()) {
        if (!entry.name.ends_with(ending)) continue;
        const std::string tensor = entry.name.substr(0, entry.name.size() - ending.size());
        const std::string what = name_ + ": the array \"" + tensor + "\"";
        std::array<std::uint8_t, 12> front = {};
        if (entry.size < front.size()) throw Error(what + " is cut short; download the file again");
        archive_.read(entry, 0, front);
        const std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
        if (!text.starts_with("\x93NUMPY") || front[6] < 1 || front[6] > 3)
            throw Error(what + " is not an array; download the file again");
        const std::size_t begin = front[6] == 1 ? 10 : 12;
        const std::size_t length = little_endian(std::span(front).subspan(8, begin - 8));
        if (length > longest_array_header || length > entry.size - begin)
            throw Error(what + " has a header longer than any array of numbers" + save_numbers);
        std::vector<std::uint8_t> words(length);
        archive_.read(entry, begin, words);
        const ArrayHeader header = read_array_header({reinterpret_cast<const char*>(words.data()), words.size()}, what);
        std::optional<std::size_t> bytes = count_of(header.shape);
        if (bytes && __builtin_mul_overflow(*bytes, bytes_of(header.type), &*bytes)) bytes.reset();
        if (bytes != entry.size - begin - length)
            throw Error(what + " has a shape that does not match its number of bytes; download the file again");
        entries_.emplace(tensor, TensorEntry{header.type, header.shape, begin + length, *bytes});
        arrays_.emplace(tensor, Array{&entry, header.column_major});
    }
}

std::shared_ptr<const float> NpzFile::numbers(const std::string& tensor, std::size_t first, std::size_t count) const {
    const TensorEntry& entry = entries_.at(tensor);
    const ZipArchive::Entry& packed = *arrays_.at(tensor).entry;
    const std::size_t size = bytes_of(entry.type), begin = entry.offset + first * size;
    const std::shared_ptr<float[]> out(new float[count]);
    if (entry.type == TensorType::f32) {
        archive_.read(packed, begin, {reinterpret_cast<std::uint8_t*>(out.get()), count * size});
    } else {
        std::vector<std::uint8_t> bytes(count * size);
        archive_.read(packed, begin, bytes);
        convert_numbers(entry.type, bytes, out.get(), name_, tensor);
    }
    require_finite({out.get(), count}, name_, tensor);
    return {out, out.get()};
}

std::shared_ptr<const float> NpzFile::floats(const std::string& tensor) const {
    const std::vector<std::size_t>& shape = entries_.at(tensor).shape;
    const std::size_t count = count_of(shape).value_or(0);
    const std::shared_ptr<const float> stored = numbers(tensor, 0, count);
    if (!arrays_.at(tensor).column_major || shape.size() < 2 || count == 0) return stored;
    const std::shared_ptr<float[]> rows(new float[count]);
    std::vector<std::size_t> index(shape.size()), strides(shape.size(), 1);
    for (std::size_t i = 1; i < shape.size(); ++i) strides[i] = strides[i - 1] * shape[i - 1];
    std::size_t at = 0;
    for (std::size_t n = 0; n < count; ++n) {
        rows[n] = stored.get()[at];
        for (std::size_t i = shape.size(); i-- > 0;) {
            at += strides[i];
            if (++index[i] < shape[i]) break;
            at -= shape[i] * strides[i];
            index[i] = 0;
        }
    }
    return {rows, rows.get()};
}

std::shared_ptr<const float> NpzFile::row(const std::string& tensor, std::size_t index) const {
    const Array& array = arrays_.at(tensor);
    if (array.column_major || array.entry->deflated) return TensorFile::row(tensor, index);
    const std::size_t count = count_of(std::span(entries_.at(tensor).shape).subspan(1)).value_or(0);
    return numbers(tensor, index * count, count);
}

}  // namespace vitrine
