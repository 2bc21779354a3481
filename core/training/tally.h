#pragma once

// Counts over many examples.

namespace vitrine {

/// A head, and how much it attends to given keys.
struct TalliedHead {
    int block = 1, head = 0;
    double share = 0;  // share of rows whose largest weight is on a given key
    double mass = 0;   // mean weight on the given keys
    int count = 0;     // number of rows counted
};

/// The numbers of questions to a model and of its correct answers.
struct TextScore {
    int asked = 0, right = 0;

    double share() const { return asked > 0 ? static_cast<double>(right) / asked : 0; }
    TextScore& operator+=(const TextScore& other) {
        asked += other.asked;
        right += other.right;
        return *this;
    }
};

}  // namespace vitrine
