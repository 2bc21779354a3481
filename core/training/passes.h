#pragma once

namespace vitrine {

/// The first half of a training step, which each family has its own of: the members of a team draw their shares of a
/// batch and pass them forward and backward. The trainer needs of it what `Passes<Pictures>` and `Passes<Texts>` have
/// in common.
template <class Family>
class Passes;

}  // namespace vitrine
