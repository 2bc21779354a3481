#pragma once

namespace vitrine {

/// Extra results of a chapter, computed on request.
struct Beside {
    bool batch = false, other = false, gradient_flows = false;  // the corresponding members of `Result`

    bool operator==(const Beside&) const = default;
};
inline Beside operator|(const Beside& a, const Beside& b) {
    return {a.batch || b.batch, a.other || b.other, a.gradient_flows || b.gradient_flows};
}

}  // namespace vitrine
