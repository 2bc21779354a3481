#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace vitrine {

/// The last thing that a figure worked out of a stage of a run, so that frames in which nothing changes do not work it
/// out again. A pure function's value: whoever asks for the same stage and key gets what `make` would give.
template <class Value>
class Memo {
public:
    template <class Make>
    const Value& of(const std::shared_ptr<const void>& stage, std::uint64_t key, Make make) {
        if (!value_ || stage_.lock() != stage || key_ != key) {
            value_ = make();
            stage_ = stage;
            key_ = key;
        }
        return *value_;
    }

private:
    std::weak_ptr<const void> stage_;  // not kept alive; another one at its address is not it
    std::uint64_t key_ = 0;
    std::optional<Value> value_;
};

}  // namespace vitrine
