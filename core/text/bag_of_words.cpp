#include "core/text/bag_of_words.h"

#include <cmath>
#include <vector>

#include "core/text/sentences.h"

namespace vitrine {

namespace {

/// A review as an unordered list of word ids, and its label.
struct Bag {
    std::vector<int> ids;
    int label;
};

std::vector<Bag> bags_of(const TextSet& set, TextStream stream, int count) {
    const Vocabulary vocabulary = source_vocabulary(set.task, set.to);
    std::vector<Bag> bags;
    for (int i = 0; i < count; ++i) {
        const TextExample example = draw_example(set, stream, static_cast<std::uint64_t>(i));
        bags.push_back({vocabulary.ids(example.source), *example.label});
    }
    return bags;
}

/// One weight per word: a review is positive if the sum over its words is.
class LogisticRegression {
public:
    explicit LogisticRegression(int words)
        : weights_(static_cast<std::size_t>(words)), first_(weights_), second_(weights_) {}

    double sum(const Bag& bag) const {
        double sum = 0;
        for (const int id : bag.ids) sum += weights_[static_cast<std::size_t>(id)];
        return sum;
    }

    /// A step of Adam (Kingma and Ba 2015) on the gradient of the mean cross-entropy.
    void learn(const std::vector<Bag>& bags, int step) {
        constexpr double rate = 0.05, one = 0.9, two = 0.999;
        std::vector<double> gradient(weights_.size());
        for (const Bag& bag : bags) {
            const double wrong = 1 / (1 + std::exp(-sum(bag))) - bag.label;
            for (const int id : bag.ids)
                gradient[static_cast<std::size_t>(id)] += wrong / static_cast<double>(bags.size());
        }
        for (std::size_t i = 0; i < weights_.size(); ++i) {
            first_[i] = one * first_[i] + (1 - one) * gradient[i];
            second_[i] = two * second_[i] + (1 - two) * gradient[i] * gradient[i];
            const double mean = first_[i] / (1 - std::pow(one, step)), square = second_[i] / (1 - std::pow(two, step));
            weights_[i] -= rate * mean / (std::sqrt(square) + 1e-8);
        }
    }

private:
    std::vector<double> weights_, first_, second_;
};

}  // namespace

double bag_of_words_accuracy(const BagOfWords& plan) {
    constexpr int steps = 60;
    const TextSet set{TextTask::sentiment, TextLanguage::english, plan.seed};
    const std::vector<Bag> learning = bags_of(set, TextStream::learning, plan.learning);
    LogisticRegression regression(source_vocabulary(set.task, set.to).size());
    for (int step = 1; step <= steps; ++step) regression.learn(learning, step);
    int right = 0;
    for (const Bag& bag : bags_of(set, TextStream::held_out, plan.tried))
        right += (regression.sum(bag) > 0) == (bag.label == 1) ? 1 : 0;
    return static_cast<double>(right) / plan.tried;
}

}  // namespace vitrine
