#include "app/rooms/panels/own_photo.h"

#include "app/rooms/room.h"
#include "app/rooms/state.h"
#include "app/ui/text.h"
#include "app/ui/ui.h"
#include "app/workspace/photo_model.h"

namespace vitrine {

std::vector<Command> own_photo(const State& state) {
    std::vector<Command> commands = {command::EnterRoom{"explore"}};
    if (state.photo_model) commands.emplace_back(command::OpenModel{{state.photo_model->folder, {}}});
    commands.emplace_back(command::GoToChapter{"image"});
    commands.emplace_back(command::ShowDialog{"open_image"});
    return commands;
}

std::string own_photo_words(const Frame& frame) {
    const auto& model = frame.state().photo_model;
    return model ? frame.ui.text("photo.with", {{"name", short_name(*model)}}) : frame.ui.text("first_minute.photo");
}

}  // namespace vitrine
