#include "app/commands/tried.h"

#include <exception>

#include "core/base/error.h"
#include "core/base/sentence.h"

namespace vitrine {

std::string tried(const std::string& name, const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    } catch (...) {
        return name + ": " + sentence_of(std::current_exception());
    }
    return "";
}

void fail(const std::vector<std::string>& failures, std::size_t count, const char* things) {
    std::string words = failures.front();
    for (std::size_t i = 1; i < failures.size(); ++i) words += " | " + failures[i];
    if (count > failures.size())
        words += " (" + std::to_string(count - failures.size()) + " of " + std::to_string(count) + " " + things + ")";
    throw Error(words);
}

}  // namespace vitrine
