#pragma once

namespace vitrine {

/// The family-specific first half of a training step: the members of a team draw their shares of a batch and run
/// forward and backward passes. The trainer uses what `Passes<Pictures>` and `Passes<Texts>` have in common.
template <class Family>
class Passes;

}  // namespace vitrine
