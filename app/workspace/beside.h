#pragma once

namespace vitrine {

/// What a chapter shows beside the run, which is computed once it is asked for.
struct Beside {
    bool batch = false, other = false, gradient_flows = false;  // the parts of a `Result`

    bool operator==(const Beside&) const = default;
};
inline Beside operator|(const Beside& a, const Beside& b) {
    return {a.batch || b.batch, a.other || b.other, a.gradient_flows || b.gradient_flows};
}

}  // namespace vitrine
