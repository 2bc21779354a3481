#include "core/base/shared_library.h"

#include <dlfcn.h>

namespace vitrine {

SharedLibrary::SharedLibrary(const std::string& name) : library_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {}

void* SharedLibrary::symbol(const char* name) const { return library_ != nullptr ? dlsym(library_, name) : nullptr; }

}  // namespace vitrine
