#include "app/shell/learning_commands.h"

#include <algorithm>

#include "app/platform/new_file.h"
#include "app/platform/user.h"
#include "app/rooms/learning/learning_view.h"
#include "app/rooms/learning/text_learning_view.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/room.h"
#include "app/shell/session_commands.h"
#include "core/text/text_checkpoint.h"
#include "core/vit/checkpoint/save.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

/// The moment of a run that is shown; null where there is none yet.
std::shared_ptr<const LearningMoment> moment_of(House& house, int run) {
    const std::vector<RunView> runs = house.jobs.learning().latest();
    if (run < 0 || run >= static_cast<int>(runs.size())) return nullptr;
    auto moment = shown_moment(runs[static_cast<std::size_t>(run)], house.state.learning);
    return moment && moment->model ? moment : nullptr;
}

/// Its model, named after the run, ready for the explorer.
std::shared_ptr<const Model> model_of(const House& house, const LearningMoment& moment, int run) {
    auto model = std::make_shared<Model>(*moment.model);
    model->provenance.name = house.text("learn.run", {{"run", std::string(1, static_cast<char>('A' + run))}}) + " · " +
                             std::to_string(moment.report.pictures);
    prepare(*model);
    return model;
}

}  // namespace

void remember_home(House& house, const std::filesystem::path& folder) {
    std::string& home = house.state.settings.model_folder;
    if (home.empty()) home = folder.parent_path().string();
}

std::filesystem::path model_home(const Settings& settings) {
    if (!settings.model_folder.empty()) return settings.model_folder;
    return home_folder() / "vitrine-models";
}

void carry(const command::ChangeLearning& c, House& house) { take_choice(house, parse_learning(c.json)); }

void carry(const command::WatchLearning& c, House& house) { watch_learning(house, c.runs); }

void carry(const command::OpenLearned& c, House& house) {
    if (house.state.learning.texts) return;  // the explorer shows pictures
    if (const auto moment = moment_of(house, c.run)) show_model(house, {{}, {}, model_of(house, *moment, c.run)});
}

namespace {

/// The text Transformer of a run, at the moment that is shown, into a folder.
void save_text(const command::SaveLearned& c, House& house) {
    const std::vector<TextRunView> runs = house.jobs.text_learning().latest();
    if (c.run < 0 || c.run >= static_cast<int>(runs.size())) return;
    const auto moment = shown_moment(runs[static_cast<std::size_t>(c.run)], house.state.learning.scrub);
    if (!moment) return;
    const std::string name = std::string(name_of(moment->model->task)) + "-" + static_cast<char>('a' + c.run) + "-" +
                             std::to_string(moment->report.sentences);
    const std::filesystem::path folder = unused(model_home(house.state.settings) / name);
    save_text_model(*moment->model, folder, Precision::f32);
    house.state.saved_told = house.text("learn.saved", {{"path", folder.string()}});
}

}  // namespace

void carry(const command::SaveLearned& c, House& house) {
    if (house.state.learning.texts) return save_text(c, house);
    const auto moment = moment_of(house, c.run);
    if (!moment) return;
    const std::string name =
        "learned-" + std::string(1, static_cast<char>('a' + c.run)) + "-" + std::to_string(moment->report.pictures);
    const std::filesystem::path folder = unused(model_home(house.state.settings) / name);
    save_model(*model_of(house, *moment, c.run), folder, Precision::f32);
    house.state.saved_told = house.text("learn.saved", {{"path", folder.string()}});
    remember_home(house, folder);
}

}  // namespace vitrine
