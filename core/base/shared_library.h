#pragma once

#include <string>

namespace vitrine {

/// A library loaded at run time; it stays loaded until the program ends.
class SharedLibrary {
public:
    /// `name` as the system's loader knows it: "libopenblas.so.0".
    explicit SharedLibrary(const std::string& name);

    bool found() const { return library_ != nullptr; }

    /// A function of the library; null if the library or the function does not exist.
    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(symbol(name));
    }

    /// Looks up several functions, given as pairs of a pointer and a name. False if any of them does not exist; its
    /// pointer is null.
    template <class Function, class... Others>
    bool look_up(Function*& function, const char* name, Others&&... others) const {
        function = this->function<Function>(name);
        if constexpr (sizeof...(others) > 0) return look_up(others...) && function != nullptr;
        return function != nullptr;
    }

private:
    void* symbol(const char* name) const;

    void* library_;
};

}  // namespace vitrine
