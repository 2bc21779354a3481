#pragma once

#include <string>

namespace vitrine {

/// A library loaded at run time; it stays loaded until the program ends.
class SharedLibrary {
public:
    /// `name` as the system's loader knows it: "libopenblas.so.0".
    explicit SharedLibrary(const std::string& name);

    bool found() const { return library_ != nullptr; }

    /// One of its functions; null if the library or the function does not exist.
    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(symbol(name));
    }

private:
    void* symbol(const char* name) const;

    void* library_;
};

}  // namespace vitrine
