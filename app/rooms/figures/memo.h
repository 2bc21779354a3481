#pragma once

#include <cstdint>
#include <memory>
#include <optional>

namespace vitrine {

/// Cache of one value computed by a figure from a stage of a run, so that unchanged frames do not compute it again.
/// `make` must be a pure function of stage and key.
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
    std::weak_ptr<const void> stage_;  // not kept alive; a new stage at the same address does not match
    std::uint64_t key_ = 0;
    std::optional<Value> value_;
};

}  // namespace vitrine
