#pragma once

#include "app/rooms/house.h"

namespace vitrine {

// What is done with models that learn. They throw Error.

void carry(const command::ChangeLearning& command, House& house);
void carry(const command::WatchLearning& command, House& house);
void carry(const command::OpenLearned& command, House& house);
void carry(const command::SaveLearned& command, House& house);

/// Where models that were trained in the window are kept: the folder that models are opened from, else one at home.
std::filesystem::path model_home(const Settings& settings);
/// A model was kept in this folder: its neighbours are offered from now on.
void remember_home(House& house, const std::filesystem::path& folder);

}  // namespace vitrine
