#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace vitrine {

/// An input from outside (image, weights, configuration, argument, folder) that cannot be used.
///
/// `what()` is one sentence without a newline: what is wrong, where, and what to do about it. Thrown only where input
/// is read; caught only in `main`, the commands and the jobs. Code behind that asserts shapes.
class Error : public std::runtime_error {
public:
    explicit Error(std::string sentence) : std::runtime_error(on_one_line(std::move(sentence))) {}

private:
    /// Names of files and tensors may contain line breaks; the sentence that quotes them must not.
    static std::string on_one_line(std::string sentence) {
        for (char& c : sentence)
            if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
        return sentence;
    }
};

}  // namespace vitrine
