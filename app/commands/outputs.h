#pragma once

#include <filesystem>

#include "core/base/output_guard.h"
#include "core/vit/experiment.h"

namespace vitrine {

/// The guard of a command that reads this model and this image: neither may be written over; what else is there stays
/// unless the user says --force.
OutputGuard guard_of(bool force, const ModelSource& model, const ImageSource& image = {});

/// Throws UsageError where an option names no file: "-", which is the standard output elsewhere.
void check_is_name(const char* option, const std::filesystem::path& out);

}  // namespace vitrine
