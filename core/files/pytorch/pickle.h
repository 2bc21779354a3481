#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/byte_source.h"

namespace vitrine {

/// The index of a value among all values of a pickle.
using PickleId = std::uint32_t;

/// A value that a pickle describes. Containers refer to their parts by index, so that parts can be shared.
struct PickleValue {
    enum class Kind {
        none,
        boolean,
        integer,
        real,
        text,
        list,
        tuple,
        dictionary,  // `parts`: keys and values alternate
        global,      // `text`: "module.name"
        object,      // opaque; `text` names its class
        foreign,     // a value of the host, which `integer` identifies
    };
    Kind kind = Kind::none;
    std::int64_t integer = 0;
    std::string text = {};
    std::vector<PickleId> parts = {};
};

class PickleValues;

/// Gives a pickle's globals their meaning. Nothing is ever imported or run.
class PickleHost {
public:
    virtual ~PickleHost() = default;
    /// Throws Error, with a remedy, if a global is not allowed.
    virtual void require_global(const std::string& global) = 0;
    /// The value that stands for a call of a global with these arguments.
    virtual PickleId call(PickleValues& values, const std::string& global, std::span<const PickleId> arguments) = 0;
    /// The value behind a persistent id.
    virtual PickleId persistent(PickleValues& values, PickleId id) = 0;
};

/// All values of one pickle. Their indices stay valid.
class PickleValues {
public:
    const PickleValue& operator[](PickleId id) const { return values_[id]; }
    PickleValue& operator[](PickleId id) { return values_[id]; }
    /// Adds a value and returns its index. Throws Error for more values than a weight file has.
    PickleId add(PickleValue value);

    /// Text of a value; "" if it is not a text.
    std::string_view text(PickleId id) const;
    bool is(PickleId id, PickleValue::Kind kind) const { return values_[id].kind == kind; }

    std::string file;  // for messages

private:
    std::vector<PickleValue> values_;
};

/// The result of `read_pickle`.
struct PickleRead {
    PickleId value = 0;
    std::size_t end = 0;  // offset in the source of the pickle's end
};
/// Reads one pickle of protocol 2 to 5, from offset `begin`, by an allow-list of opcodes (CPython's Lib/pickletools.py
/// describes each). Throws Error for every other opcode, and for counts and sizes that no weight file has.
PickleRead read_pickle(const ByteSource& source, std::size_t begin, PickleValues& values, PickleHost& host);

}  // namespace vitrine
