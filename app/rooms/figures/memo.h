#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace vitrine {

/// Cache of a value computed by a figure from a stage of a run, so that unchanged frames do not compute it again; it
/// holds two, for the runs side by side. `make` must be a pure function of stage and key.
template <class Value>
class Memo {
public:
    template <class Make>
    const Value& of(const std::shared_ptr<const void>& stage, std::uint64_t key, Make make) {
        for (std::size_t i = 0; i < kept_.size(); ++i)
            if (kept_[i].value && kept_[i].stage.lock() == stage && kept_[i].key == key)
                return *kept_[newest_ = i].value;
        newest_ = 1 - newest_;
        kept_[newest_] = {stage, key, make()};
        return *kept_[newest_].value;
    }

private:
    struct Kept {
        std::weak_ptr<const void> stage;  // not kept alive; a new stage at the same address does not match
        std::uint64_t key = 0;
        std::optional<Value> value;
    };
    std::array<Kept, 2> kept_;
    std::size_t newest_ = 0;
};

}  // namespace vitrine
