#pragma once

#include <stdexcept>
#include <string>

namespace vitrine {

/// Something from outside (image, weights, configuration, argument, folder) that cannot be used.
///
/// `what()` is one sentence without a newline: what is wrong, where, and what to do about it. Thrown only where bytes
/// enter; caught in `main`, the commands and the worker, nowhere else. Inside, shapes are asserted.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace vitrine
