#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/byte_source.h"

namespace vitrine {

/// The place of a value among all values of a pickle.
using PickleId = std::uint32_t;

/// A value that a pickle describes. Containers name their parts by place, so that parts can be shared.
struct PickleValue {
    enum class Kind {
        none,
        boolean,
        integer,
        real,
        text,
        list,
        tuple,
        dictionary,  // keys and values in turns
        global,      // `text`: "module.name"
        object,      // of which nothing is known: `text` names its class
        foreign,     // `integer` is the host's own number
    };
    Kind kind = Kind::none;
    std::int64_t integer = 0;
    std::string text = {};
    std::vector<PickleId> parts = {};
};

class PickleValues;

/// Says what the globals of a pickle mean. Nothing is ever imported or run.
class PickleHost {
public:
    virtual ~PickleHost() = default;
    /// Whether a global may occur. Throws Error, with the remedy, if it may not.
    virtual void require_global(const std::string& global) = 0;
    /// The value of a call of a global with arguments.
    virtual PickleId call(PickleValues& values, const std::string& global, std::span<const PickleId> arguments) = 0;
    /// The value behind a persistent id.
    virtual PickleId persistent(PickleValues& values, PickleId id) = 0;
};

/// All values of one pickle. Places stay valid.
class PickleValues {
public:
    const PickleValue& operator[](PickleId id) const { return values_[id]; }
    PickleValue& operator[](PickleId id) { return values_[id]; }
    /// Throws Error for more values than a training script puts beside its weights.
    PickleId add(PickleValue value);

    /// Text of a value; "" if it is not a text.
    std::string_view text(PickleId id) const;
    bool is(PickleId id, PickleValue::Kind kind) const { return values_[id].kind == kind; }

    std::string file;  // for messages

private:
    std::vector<PickleValue> values_;
};

/// Reads one pickle of protocol 2 to 5 by an allow-list of opcodes (docs.python.org/3/library/pickletools; CPython's
/// Lib/pickletools.py describes each). Every other opcode is refused by its name, as are depths, counts and sizes that
/// no weight file has.
struct PickleRead {
    PickleId value = 0;
    std::size_t end = 0;  // where the pickle ends in the source
};
PickleRead read_pickle(const ByteSource& source, std::size_t begin, PickleValues& values, PickleHost& host);

}  // namespace vitrine
