#include "app/rooms/house.h"

#include <imgui.h>

#include "app/jobs/jobs.h"
#include "app/platform/user.h"
#include "core/base/error.h"

namespace vitrine {

House::House(std::function<void()> wake) : jobs_(std::make_unique<Jobs>(std::move(wake))) {}
House::~House() = default;

void House::close_workspace(std::size_t place) {
    const auto& all = workspaces.all();
    if (all.size() < 2 || place >= all.size()) return;
    const int id = all[place]->id;
    workspaces.close(place);
    jobs().forget(id);
}

std::filesystem::path export_folder(const House& house) {
    return house.playing ? house.scratch->path() : export_folder(house.state.settings);
}

std::filesystem::path model_home(const House& house) {
    if (house.playing) return house.scratch->path();
    const std::string& chosen = house.state.settings.model_folder;
    return chosen.empty() ? home_folder() / "vitrine-models" : std::filesystem::path(chosen);
}

bool lies_in_scratch(const House& house, const std::filesystem::path& file) {
    if (!house.scratch) return false;
    std::error_code unreachable;
    const std::filesystem::path from = std::filesystem::weakly_canonical(house.scratch->path(), unreachable),
                                way = std::filesystem::weakly_canonical(file, unreachable).lexically_relative(from);
    return !unreachable && !way.empty() && *way.begin() != "..";
}

void check_may_write(const House& house, const std::filesystem::path& file) {
    if (house.playing && !lies_in_scratch(house, file))
        throw Error(file.string() + ": is left as it is, since a recording that is played writes only into " +
                    house.scratch->path().string() + "; do it by hand if it is wanted");
}

void notify(House& house, const std::string& words) {
    constexpr double seconds = 5;
    house.state.notice = words;
    house.state.notice_until = ImGui::GetTime() + seconds;
}

void show_dialog(House& house, const std::string& id) {
    if (id != house.state.dialog) {
        house.drafts.find_text[0] = '\0';
        house.drafts.find_chosen = 0;
    }
    house.state.dialog = id;
    house.state.told.clear();
}

}  // namespace vitrine
