#pragma once

#include <memory>

#include "core/files/tensor_file.h"

namespace vitrine {

/// The tensors of one encoder among those that training scripts keep together under names of their own: of a teacher
/// and a student, or an average (EMA) and its model, those that evaluation uses; without the heads of self-supervised
/// training and without losses. Prefixes of DataParallel ("module."), torch.compile ("_orig_mod.") and Lightning
/// ("model.") stay, since layouts match the ends of names; notes say all of it. The same file if nothing is to be said.
std::shared_ptr<const TensorFile> look_through_names(std::shared_ptr<const TensorFile> file);

}  // namespace vitrine
