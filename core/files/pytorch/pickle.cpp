#include "core/files/pytorch/pickle.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "core/base/error.h"

namespace vitrine {

namespace {

using Kind = PickleValue::Kind;

constexpr std::size_t most_values = 2'000'000;
constexpr std::size_t most_steps = 16'000'000;       // opcodes
constexpr std::size_t most_pickle_bytes = 64 << 20;  // enough for a training script's logs beside its weights
constexpr std::size_t most_text = 64 << 20;
constexpr std::size_t longest_global = 512;

constexpr const char* save_weights_alone =
    "; where you trust the file, save its weights alone in Python: torch.save(torch.load(FILE)[\"state_dict\"], "
    "\"weights.pth\")";

/// Names of the opcodes that are refused, for messages.
std::string name_of_opcode(std::uint8_t code) {
    struct Row {
        char code;
        const char* name;
    };
    static constexpr Row rows[] = {{'i', "INST"},
                                   {'o', "OBJ"},
                                   {'P', "PERSID"},
                                   {'F', "FLOAT"},
                                   {'I', "INT"},
                                   {'L', "LONG"},
                                   {'S', "STRING"},
                                   {'V', "UNICODE"},
                                   {'g', "GET"},
                                   {'p', "PUT"},
                                   {'\x82', "EXT1"},
                                   {'\x83', "EXT2"},
                                   {'\x84', "EXT4"},
                                   {'\x97', "NEXT_BUFFER"},
                                   {'\x98', "READONLY_BUFFER"}};
    for (const Row& row : rows)
        if (static_cast<std::uint8_t>(row.code) == code) return row.name;
    constexpr const char* digits = "0123456789abcdef";
    return std::string("0x") + digits[code >> 4] + digits[code & 15];
}

/// Reads the source's bytes in order, in pieces.
class PickleBytes {
public:
    PickleBytes(const ByteSource& source, std::size_t begin)
        : source_(source), at_(begin), last_(std::min(source.size(), begin + most_pickle_bytes)) {}

    std::size_t at() const { return at_ - (held_.size() - next_); }

    std::uint8_t byte() {
        if (next_ == held_.size()) fetch();
        return held_[next_++];
    }
    std::uint64_t number(std::size_t bytes) {
        std::array<std::uint8_t, 8> digits = {};
        for (std::size_t i = 0; i < bytes; ++i) digits[i] = byte();
        return little_endian(digits);
    }
    std::string text(std::uint64_t size) {
        if (size > most_text || size > last_ - at())
            throw Error(source_.name() + ": a text in it is longer than the file; download it again");
        std::string words;
        words.reserve(size);
        while (words.size() < size) {
            if (next_ == held_.size()) fetch();
            const std::size_t part = std::min(held_.size() - next_, static_cast<std::size_t>(size) - words.size());
            words.append(reinterpret_cast<const char*>(held_.data()) + next_, part);
            next_ += part;
        }
        return words;
    }
    std::string line() {
        std::string words;
        for (std::uint8_t c = byte(); c != '\n'; c = byte()) {
            if (words.size() >= longest_global)
                throw Error(source_.name() + ": a name in it is longer than any part of a program; download it again");
            words += static_cast<char>(c);
        }
        return words;
    }

private:
    void fetch() {
        const std::size_t part = std::min<std::size_t>(last_ - at_, 1 << 16);
        if (part == 0) throw Error(source_.name() + ": the description of its tensors is cut short; download it again");
        held_.resize(part);
        source_.read(at_, held_);
        at_ += part;
        next_ = 0;
    }

    const ByteSource& source_;
    std::size_t at_, last_;  // offset of the next fetch; end of the readable bytes
    std::vector<std::uint8_t> held_;
    std::size_t next_ = 0;
};

/// The stack machine that interprets one pickle's opcodes.
class Machine {
public:
    Machine(const ByteSource& source, std::size_t begin, PickleValues& values, PickleHost& host)
        : bytes_(source, begin), values_(values), host_(host) {
        none_ = values.add({.kind = Kind::none});
        no_ = values.add({.kind = Kind::boolean, .integer = 0});
        yes_ = values.add({.kind = Kind::boolean, .integer = 1});
    }

    PickleRead run() {
        for (std::size_t steps = 0; steps < most_steps; ++steps) {
            const std::uint8_t code = bytes_.byte();
            if (code == '.') return {pop(), bytes_.at()};
            if (!constant(code) && !container(code) && !memory(code)) made(code);
        }
        refuse("is a program of more steps than a weight file has");
    }

private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw Error(values_.file + ": its pickle " + what + save_weights_alone);
    }

    void push(PickleId id) { stack_.push_back(id); }
    void push(PickleValue value) { push(values_.add(std::move(value))); }
    PickleId pop() {
        if (stack_.size() <= floor()) refuse("takes a value that is not there");
        const PickleId id = stack_.back();
        stack_.pop_back();
        return id;
    }
    PickleId top() const {
        if (stack_.size() <= floor()) refuse("takes a value that is not there");
        return stack_.back();
    }
    std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }
    std::vector<PickleId> since_mark() {
        if (marks_.empty()) refuse("lacks a mark");
        const auto begin = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
        std::vector<PickleId> parts(begin, stack_.end());
        stack_.erase(begin, stack_.end());
        marks_.pop_back();
        return parts;
    }
    std::vector<PickleId> popped(std::size_t count) {
        std::vector<PickleId> parts(count);
        for (std::size_t i = count; i-- > 0;) parts[i] = pop();
        return parts;
    }

    /// Pushes an integer of up to 8 bytes; a longer one, which cannot be part of a shape, becomes an unknown object.
    void push_long(std::uint64_t size) {
        const std::string digits = bytes_.text(size);
        if (size > 8) return push({.kind = Kind::object, .text = "int"});
        std::uint64_t number = little_endian({reinterpret_cast<const std::uint8_t*>(digits.data()), digits.size()});
        if (size > 0 && size < 8 && (digits.back() & 0x80) != 0) number |= ~std::uint64_t{0} << (8 * size);
        push({.kind = Kind::integer, .integer = static_cast<std::int64_t>(number)});
    }
    void push_integer(std::int64_t number) { push({.kind = Kind::integer, .integer = number}); }
    void push_text(std::uint64_t size) { push({.kind = Kind::text, .text = bytes_.text(size)}); }
    /// Skips a value of bytes, which has no name or shape, and pushes an unknown object.
    void skip_bytes(std::uint64_t size) {
        bytes_.text(size);
        push({.kind = Kind::object, .text = "bytes"});
    }

    bool constant(std::uint8_t code) {
        switch (code) {
            case 0x80: {  // PROTO
                const std::uint8_t protocol = bytes_.byte();
                if (protocol < 2 || protocol > 5)
                    refuse("has protocol " + std::to_string(protocol) + ", where Vitrine reads 2 to 5");
                return true;
            }
            case 0x95: bytes_.number(8); return true;  // FRAME
            case 'N': push(none_); return true;
            case 0x88: push(yes_); return true;
            case 0x89: push(no_); return true;
            case 'J': push_integer(static_cast<std::int32_t>(bytes_.number(4))); return true;
            case 'K': push_integer(static_cast<std::int64_t>(bytes_.number(1))); return true;
            case 'M': push_integer(static_cast<std::int64_t>(bytes_.number(2))); return true;
            case 0x8a: push_long(bytes_.number(1)); return true;
            case 0x8b: push_long(bytes_.number(4)); return true;
            case 'G': bytes_.number(8), push({.kind = Kind::real}); return true;
            case 'X': push_text(bytes_.number(4)); return true;
            case 0x8c: push_text(bytes_.number(1)); return true;
            case 0x8d: push_text(bytes_.number(8)); return true;
            case 'T': push_text(bytes_.number(4)); return true;  // Python 2, whose strings are bytes
            case 'U': push_text(bytes_.number(1)); return true;
            case 'B': skip_bytes(bytes_.number(4)); return true;
            case 'C': skip_bytes(bytes_.number(1)); return true;
            case 0x8e:
            case 0x96: skip_bytes(bytes_.number(8)); return true;  // BINBYTES8, BYTEARRAY8
            default: return false;
        }
    }

    bool container(std::uint8_t code) {
        switch (code) {
            case '(': marks_.push_back(stack_.size()); return true;
            case '1': since_mark(); return true;
            case ']': push({.kind = Kind::list}); return true;
            case ')': push({.kind = Kind::tuple}); return true;
            case '}': push({.kind = Kind::dictionary}); return true;
            case 0x8f: push({.kind = Kind::object, .text = "set"}); return true;
            case 't': push({.kind = Kind::tuple, .parts = since_mark()}); return true;
            case 'l': push({.kind = Kind::list, .parts = since_mark()}); return true;
            case 0x91: since_mark(), push({.kind = Kind::object, .text = "set"}); return true;
            case 0x85: push({.kind = Kind::tuple, .parts = popped(1)}); return true;
            case 0x86: push({.kind = Kind::tuple, .parts = popped(2)}); return true;
            case 0x87: push({.kind = Kind::tuple, .parts = popped(3)}); return true;
            case 'd': push({.kind = Kind::dictionary, .parts = in_pairs(since_mark())}); return true;
            case 'a': append(popped(1)); return true;
            case 'e':
            case 0x90: append(since_mark()); return true;  // APPENDS, ADDITEMS
            case 's': set_items(popped(2)); return true;
            case 'u': set_items(since_mark()); return true;
            default: return false;
        }
    }
    std::vector<PickleId> in_pairs(std::vector<PickleId> parts) const {
        if (parts.size() % 2 != 0) refuse("has a key without a value");
        return parts;
    }
    void append(const std::vector<PickleId>& parts) {
        PickleValue& list = values_[top()];
        if (list.kind == Kind::list)
            list.parts.insert(list.parts.end(), parts.begin(), parts.end());
        else if (list.kind != Kind::object)
            refuse("appends to a value that is not a list");
    }
    void set_items(const std::vector<PickleId>& parts) {
        in_pairs(parts);
        PickleValue& dictionary = values_[top()];
        if (dictionary.kind == Kind::dictionary)
            dictionary.parts.insert(dictionary.parts.end(), parts.begin(), parts.end());
        else if (dictionary.kind != Kind::object)
            refuse("gives items to a value that is not a dictionary");
    }

    bool memory(std::uint8_t code) {
        switch (code) {
            case '0': pop(); return true;
            case '2': push(top()); return true;
            case 'h': recall(bytes_.number(1)); return true;
            case 'j': recall(bytes_.number(4)); return true;
            case 'q': memo_[bytes_.number(1)] = top(); return true;
            case 'r': memo_[bytes_.number(4)] = top(); return true;
            case 0x94: memo_[memo_.size()] = top(); return true;
            default: return false;
        }
    }
    void recall(std::uint64_t index) {
        const auto found = memo_.find(index);
        if (found == memo_.end()) refuse("recalls a value that it never kept");
        push(found->second);
    }

    /// Opcodes that name or call globals. Nothing is run: the host supplies the value of a call.
    void made(std::uint8_t code) {
        switch (code) {
            case 'c': {
                const std::string module = bytes_.line();
                return push_global(module + "." + bytes_.line());
            }
            case 0x93: {  // STACK_GLOBAL
                const std::vector<PickleId> names = popped(2);
                if (!values_.is(names[0], Kind::text) || !values_.is(names[1], Kind::text) ||
                    values_.text(names[0]).size() + values_.text(names[1]).size() > longest_global)
                    refuse("names a part of a program by a value that is not a name");
                return push_global(std::string(values_.text(names[0])) + "." + std::string(values_.text(names[1])));
            }
            case 'R':
            case 0x81: return call(popped(2));  // REDUCE, NEWOBJ
            case 0x92: {                        // NEWOBJ_EX: keyword arguments are ignored
                const std::vector<PickleId> parts = popped(3);
                return call({parts[0], parts[1]});
            }
            case 'b':  // BUILD: parts of an object beside its items, such as a dictionary's metadata
                pop();
                if (top(); !values_.is(top(), Kind::dictionary) && !values_.is(top(), Kind::object) &&
                           !values_.is(top(), Kind::foreign))
                    refuse("gives parts to a value that has none");
                return;
            case 'Q': return push(host_.persistent(values_, pop()));
            default: refuse("uses the opcode " + name_of_opcode(code) + ", which no weight file needs");
        }
    }
    void push_global(std::string name) {
        host_.require_global(name);
        push({.kind = Kind::global, .text = std::move(name)});
    }
    void call(const std::vector<PickleId>& parts) {
        if (!values_.is(parts[0], Kind::global)) refuse("calls a value that is not a part of a program");
        if (!values_.is(parts[1], Kind::tuple)) refuse("calls with arguments that are not a tuple");
        const std::string global = values_[parts[0]].text;
        constexpr std::size_t most_arguments = 32;  // they are copied, and a tuple can be recalled again and again
        if (values_[parts[1]].parts.size() > most_arguments) refuse("calls with more arguments than any tensor needs");
        const std::vector<PickleId> arguments = values_[parts[1]].parts;
        push(host_.call(values_, global, arguments));
    }

    PickleBytes bytes_;
    PickleValues& values_;
    PickleHost& host_;
    std::vector<PickleId> stack_;
    std::vector<std::size_t> marks_;
    std::unordered_map<std::uint64_t, PickleId> memo_;
    PickleId none_, no_, yes_;
};

}  // namespace

PickleId PickleValues::add(PickleValue value) {
    if (values_.size() >= most_values)
        throw Error(file + ": its pickle holds more values than a weight file has" + save_weights_alone);
    values_.push_back(std::move(value));
    return static_cast<PickleId>(values_.size() - 1);
}

std::string_view PickleValues::text(PickleId id) const {
    return values_[id].kind == Kind::text ? std::string_view(values_[id].text) : std::string_view();
}

PickleRead read_pickle(const ByteSource& source, std::size_t begin, PickleValues& values, PickleHost& host) {
    return Machine(source, begin, values, host).run();
}

}  // namespace vitrine
