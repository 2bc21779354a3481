#pragma once

namespace vitrine {

/// A learning rate, and whether a user has set it, who then keeps it whatever the optimiser is. It is equal to another
/// of the same value.
struct ChosenRate {
    float value = 0;
    bool by_user = false;

    ChosenRate(float rate, bool user = false) : value(rate), by_user(user) {}
    operator float() const { return value; }
    bool operator==(const ChosenRate& other) const { return value == other.value; }
};

}  // namespace vitrine
