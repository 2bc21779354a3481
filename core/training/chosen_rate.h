#pragma once

namespace vitrine {

/// A learning rate, and whether the user has set it; a set rate survives a change of optimiser. Compares by value.
struct ChosenRate {
    float value = 0;
    bool by_user = false;

    ChosenRate(float rate, bool user = false) : value(rate), by_user(user) {}
    operator float() const { return value; }
    bool operator==(const ChosenRate& other) const { return value == other.value; }
};

}  // namespace vitrine
