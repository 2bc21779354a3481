#include "app/jobs/saving.h"

#include <exception>
#include <memory>
#include <utility>

#include "core/base/sentence.h"

namespace vitrine {

namespace fs = std::filesystem;

Saving::Saving(std::function<void()> on_change)
    : job_([](auto& run) { run.publish(std::make_shared<const fs::path>(run.request().write())); },
           std::move(on_change)) {}

void Saving::save(Write write, Then then, Otherwise otherwise) {
    asked_[++number_] = {std::move(then), std::move(otherwise)};
    job_.request(number_, {number_, std::move(write)}, {.priority = 0, .running = Overtaken::finishes});
}

std::vector<std::string> Saving::take_ends() {
    std::vector<std::string> failures;
    while (!asked_.empty()) {
        const auto first = asked_.begin();
        const auto end = job_.latest(first->first);
        if (end.running) break;
        const Asked asked = std::move(first->second);
        job_.forget(first->first);
        asked_.erase(first);
        try {
            if (end.result) asked.then(*end.result);
            if (end.failure && asked.otherwise) asked.otherwise();
        } catch (...) {
            failures.push_back(sentence_of(std::current_exception()));
        }
        if (end.failure) failures.push_back(*end.failure);
    }
    return failures;
}

}  // namespace vitrine
