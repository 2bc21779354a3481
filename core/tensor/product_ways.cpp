#include "core/tensor/product_ways.h"

#include <mutex>
#include <set>

namespace vitrine {

namespace {

std::mutex kernels_mutex;

std::set<std::string>& kernels() {
    static std::set<std::string> names;
    return names;
}

}  // namespace

std::vector<std::string> noted_kernels() {
    const std::lock_guard lock(kernels_mutex);
    return {kernels().begin(), kernels().end()};
}

void note_kernel(const std::string& name) {
    const std::lock_guard lock(kernels_mutex);
    kernels().insert(name);
}

}  // namespace vitrine
