#pragma once

namespace vitrine {

/// Combines several function objects into one; the types of the arguments choose among them.
template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // deduction guide, needed by clang 14

}  // namespace vitrine
