#pragma once

#include <imgui.h>

#include <type_traits>

namespace vitrine {

/// A named number that the current window keeps from frame to frame. ImGui's own references to such numbers dangle as
/// soon as the window keeps another one; this one does not.
template <class T>
class Kept {
    static_assert(std::is_same_v<T, int> || std::is_same_v<T, float> || std::is_same_v<T, bool>);

public:
    explicit Kept(const char* name, T first = {})
        : storage_(*ImGui::GetStateStorage()), id_(ImGui::GetID(name)), first_(first) {}

    operator T() const {
        if constexpr (std::is_same_v<T, float>)
            return storage_.GetFloat(id_, first_);
        else
            return static_cast<T>(storage_.GetInt(id_, static_cast<int>(first_)));
    }
    void operator=(T value) {
        if constexpr (std::is_same_v<T, float>)
            storage_.SetFloat(id_, value);
        else
            storage_.SetInt(id_, static_cast<int>(value));
    }
    /// Sets the number; returns the previous one.
    T exchange(T value) {
        const T before = *this;
        *this = value;
        return before;
    }

private:
    ImGuiStorage& storage_;
    ImGuiID id_;
    T first_;
};

}  // namespace vitrine
