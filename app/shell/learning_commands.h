#pragma once

#include "app/rooms/house.h"

namespace vitrine {

// What is done with models that learn. They throw Error.

void carry(const command::ChangeLearning& command, House& house);
void carry(const command::WatchLearning& command, House& house);
void carry(const command::OpenLearned& command, House& house);
void carry(const command::SaveLearned& command, House& house);

}  // namespace vitrine
