#pragma once

namespace vitrine {

/// One function object of several, of which the types of the arguments choose.
template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};

}  // namespace vitrine
