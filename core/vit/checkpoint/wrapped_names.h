#pragma once

#include <memory>

#include "core/files/tensor_file.h"

namespace vitrine {

/// The tensors of one encoder in a file that a training script saved: of a teacher and a student, or of a model and its
/// average (EMA), the one that evaluation uses, without losses and the heads of self-supervised training. Prefixes of
/// DataParallel ("module."), torch.compile ("_orig_mod.") and Lightning ("model.") stay, since layouts match the ends
/// of names. Adds notes on what was found; returns the same file if there is nothing to note.
std::shared_ptr<const TensorFile> look_through_names(std::shared_ptr<const TensorFile> file);

}  // namespace vitrine
