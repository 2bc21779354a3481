#include "app/sessions/session.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/chapters/step.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/library/source_words.h"
#include "app/rooms/room.h"
#include "app/rooms/room_parts.h"
#include "app/workspace/focus_words.h"
#include "app/workspace/settings.h"
#include "app/workspace/workspace.h"
#include "core/base/error.h"
#include "core/base/json_limits.h"
#include "core/base/names.h"
#include "core/base/output_file.h"
#include "core/vit/what_ifs.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr int version = 1;
constexpr std::uintmax_t most_bytes = 1 << 20;

/// "explore, laboratory or learn".
std::string room_names() {
    std::string names;
    for (const Room& room : rooms())
        names += (names.empty() ? "" : &room == &rooms().back() ? " or " : ", ") + std::string(room.id);
    return names;
}

/// Parses a session's JSON; errors are sentences with the file's name.
class Reader {
public:
    Reader(const Json& json, std::string name) : json_(json), name_(std::move(name)) {}

    Session read() const {
        only(json_,
             {"vitrine_session", "model", "image", "what_ifs", "mode", "step", "time", "view", "unsaved", "beside",
              "lecture"},
             "");
        if (integer(json_, "vitrine_session", 0) != version)
            fail("is not a session this version reads; open one that this Vitrine wrote");
        Session s;
        s.room = text(json_, "mode", s.room);
        if (!is_room(s.room)) fail("'mode' is '" + s.room + "'; write " + room_names());
        const std::string step = text(json_, "step", "image");
        s.focus.step = step_index(step);
        if (s.focus.step < 0) fail("'step' is '" + step + "', which does not exist; vitrine info lists the steps");
        s.time = moment();
        run(s.model, s.image, s.what_ifs, {s.focus, s.text_experiment});
        s.unsaved = unsaved();
        if (const Json u = json_.value("unsaved", Json::object()); u.contains("runs")) s.learning = u.at("runs").dump();
        if (json_.contains("beside")) s.other = Reader(json_.at("beside"), name_).other(s);
        if (json_.contains("lecture")) s.lecture = lecture(json_.at("lecture"));
        return s;
    }

    /// Reads the run beside session `s`, in the same chapter.
    OtherHalf other(Session& s) const {
        only(json_, {"model", "image", "what_ifs", "view", "side", "linked", "difference"}, "beside");
        OtherHalf o;
        o.focus.step = s.focus.step;
        run(o.experiment.model, o.experiment.image, s.other_what_ifs, {o.focus, o.text_experiment});
        const std::string side = text(json_, "side", "right");
        if (side != "left" && side != "right") fail("'side' is '" + side + "'; write left or right");
        o.left = side == "left";
        o.side_by_side = {.linked = flag("linked", true), .difference = flag("difference", false)};
        return o;
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw Error(name_ + ": " + what); }

    void only(const Json& object, const std::vector<std::string>& keys, const std::string& where) const {
        if (!object.is_object())
            fail((where.empty() ? "it" : "'" + where + "'") + " is not a JSON object; open a session file");
        for (const auto& [key, value] : object.items())
            if (std::find(keys.begin(), keys.end(), key) == keys.end())
                fail("'" + key + "' does not belong in a session; remove it");
    }

    std::string text(const Json& object, const char* key, const std::string& otherwise) const {
        if (!object.contains(key)) return otherwise;
        if (!object.at(key).is_string()) fail(std::string("'") + key + "' is not text in quotes");
        return object.at(key).get<std::string>();
    }

    int integer(const Json& object, const char* key, int otherwise) const {
        if (!object.contains(key)) return otherwise;
        const Json& value = object.at(key);
        if (!value.is_number_integer() || value.get<double>() < -1e9 || value.get<double>() > 1e9)
            fail(std::string("'") + key + "' is not a whole number");
        return value.get<int>();
    }

    ModelSource model() const {
        ModelSource source;
        const Json m = json_.value("model", Json::object());
        std::vector<std::string> keys = {"path", "bundled"};
        for (const SourceWord& word : source_words()) keys.emplace_back(word.key);
        only(m, keys, "model");
        source.path = text(m, "path", "");
        if (source.path.empty()) {
            const std::string name = text(m, "bundled", oldest_bundled_model);
            if (&bundled_model(name) != &bundled_models().front()) source.bundled = name;
        }
        for (const SourceWord& word : source_words()) {
            if (word.is_number() && m.contains(word.key) && !m.at(word.key).is_number())
                fail(std::string("'") + word.key + "' is not a number");
            const std::string value =
                word.is_number() ? m.contains(word.key) ? m.at(word.key).dump() : "" : text(m, word.key, "");
            if (value.empty()) continue;
            try {
                word.read(source, value);
            } catch (const Error& error) {
                fail(error.what());
            }
        }
        return source;
    }

    ImageSource image() const {
        if (!json_.contains("image")) return with_set({sample_names({}).front(), {}}, {});
        const Json& i = json_.at("image");
        only(i, {"sample", "path"}, "image");
        ImageSource source{text(i, "sample", ""), text(i, "path", "")};
        if (source.sample.empty() == source.path.empty()) fail("'image' needs either a 'sample' or a 'path'");
        if (!source.sample.empty() && !is_sample(source.sample))
            fail("'" + source.sample + "' is not a sample; write one such as pictograms:cat");
        return with_set(source, Scenes::pictograms);  // the set in old files, which name none
    }

    std::vector<std::string> words(const char* key) const {
        std::vector<std::string> list;
        if (!json_.contains(key)) return list;
        if (!json_.at(key).is_array()) fail(std::string("'") + key + "' is not a list");
        for (const Json& word : json_.at(key)) {
            if (!word.is_string()) fail(std::string("'") + key + "' contains something that is not text in quotes");
            list.push_back(word.get<std::string>());
        }
        return list;
    }

    /// Reads one run and its view.
    void run(ModelSource& of_model, ImageSource& of_image, std::vector<std::string>& what_ifs,
             const MutableView& seen) const {
        of_model = model();
        of_image = image();
        what_ifs = words("what_ifs");
        view(seen);
    }

    float moment() const {
        if (!json_.contains("time")) return 1;
        const Json& time = json_.at("time");
        if (!time.is_number() || !(time.get<double>() >= 0 && time.get<double>() <= 1))
            fail("'time' is not a number from 0 to 1");
        return time.get<float>();
    }

    bool flag(const char* key, bool otherwise) const {
        if (!json_.contains(key)) return otherwise;
        if (!json_.at(key).is_boolean()) fail(std::string("'") + key + "' is neither true nor false");
        return json_.at(key).get<bool>();
    }

    UnsavedLearning unsaved() const {
        const Json u = json_.value("unsaved", Json::object());
        only(u, {"pictures", "sentences", "runs"}, "unsaved");
        return {std::max(0, integer(u, "pictures", 0)), std::max(0, integer(u, "sentences", 0))};
    }

    StopOfLesson lecture(const Json& l) const {
        only(l, {"lesson", "stop"}, "lecture");
        return {text(l, "lesson", ""), std::max(0, integer(l, "stop", 1) - 1)};
    }

    void view(const MutableView& view) const {
        if (!json_.contains("view")) return;
        if (!json_.at("view").is_object()) fail("'view' is not a JSON object");
        for (const auto& [key, value] : json_.at("view").items()) {
            if (!value.is_string()) fail("'" + key + "' in 'view' is not text in quotes");
            try {
                set_focus(view, {key, value.get<std::string>()});
            } catch (const Error& error) {
                fail(error.what());
            }
        }
    }

    const Json& json_;
    std::string name_;
};

/// Quotes a word for the shell with single quotes, if necessary.
std::string for_shell(const std::string& word) {
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) != 0 || std::string("_-./:=,+@%").find(static_cast<char>(c)) != std::string::npos;
    };
    if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

}  // namespace

Session session_of(const Workspace& workspace, const std::string& room) {
    const Experiment& experiment = workspace.experiment;
    const auto& arrival = workspace.arrival;  // the requested state, though its model is still being opened
    Session s{experiment.model,
              experiment.image,
              {},
              room,
              workspace.motion.time,
              arrival ? arrival->text_experiment : workspace.text_experiment,
              arrival ? arrival->focus.value_or(workspace.selection.focus) : workspace.selection.focus,
              {}};
    const auto whole = [](fs::path& path) {
        std::error_code error;
        if (const fs::path absolute = fs::absolute(path, error); !path.empty() && !error) path = absolute;
    };
    whole(s.model.path);
    whole(s.image.path);
    s.model.learned = nullptr;
    for (const Intervention& i : experiment.what_ifs) s.what_ifs.push_back(to_word(i, workspace.config()));
    return s;
}

Session other_of(const Session& session) {
    const OtherHalf& other = *session.other;
    Session alone;
    alone.model = other.experiment.model;
    alone.image = other.experiment.image;
    alone.what_ifs = session.other_what_ifs;
    alone.room = session.room;
    alone.time = session.time;
    alone.text_experiment = other.text_experiment;
    alone.focus = other.focus;
    return alone;
}

std::vector<Intervention> what_ifs_of(const Session& session, const Config& config) {
    std::vector<Intervention> what_ifs;
    for (const std::string& word : session.what_ifs) put(what_ifs, parse_intervention(word, config));
    return what_ifs;
}

namespace {

/// Writes model, image and what-ifs.
void write_run(const Session& s, Json& json) {
    if (s.model.path.empty())
        json["model"]["bundled"] = bundled_model(s.model.bundled).name;
    else
        json["model"]["path"] = s.model.path.string();
    for (const SourceWord& word : source_words())
        if (const std::string value = word.write(s.model); !value.empty())
            json["model"][word.key] = word.is_number() ? Json::parse(value) : Json(value);
    if (s.image.path.empty())
        json["image"]["sample"] = with_set(s.image, bundled_pictures().scenes).sample;
    else
        json["image"]["path"] = s.image.path.string();
    json["what_ifs"] = s.what_ifs;
}

Json view_of(const Session& s) {
    Json view = Json::object();
    for (const auto& [name, value] : focus_words({s.focus, s.text_experiment})) view[name] = value;
    return view;
}

}  // namespace

std::string to_json(const Session& s) {
    Json json = {{"vitrine_session", version}};
    write_run(s, json);
    json["mode"] = s.room;
    json["step"] = std::string(step_at(s.focus).id);
    json["time"] = s.time;
    json["view"] = view_of(s);
    if (const auto& other = s.other) {
        Json& beside = json["beside"];
        write_run(other_of(s), beside);
        beside["view"] = view_of(other_of(s));
        beside["side"] = other->left ? "left" : "right";
        beside["linked"] = other->side_by_side.linked;
        if (other->side_by_side.difference) beside["difference"] = true;
    }
    if (s.unsaved != UnsavedLearning())
        json["unsaved"] = {{"pictures", s.unsaved.pictures}, {"sentences", s.unsaved.sentences}};
    if (!s.learning.empty()) json["unsaved"]["runs"] = Json::parse(s.learning);
    if (s.lecture) {
        json["lecture"] = Json::object();
        if (!s.lecture->source.empty())
            json["lecture"] = {{"lesson", s.lecture->source}, {"stop", s.lecture->stop + 1}};
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Session parse_session(std::string_view text, const std::string& name) {
    if (nests_too_deeply(text))
        throw Error(name + ": is not a session file (it nests too deeply); open one that Vitrine wrote");
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::exception&) {
        throw Error(name + ": is not a session file (it is not JSON); open one that Vitrine wrote");
    }
    return Reader(json, name).read();
}

void save_session(const Session& session, const fs::path& file, OutputFile::Readers readers) {
    replace_file(file, to_json(session), readers);
}

Session load_session(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) throw Error(file.string() + ": there is no such session file; check the path");
    if (fs::file_size(file, error) > most_bytes || error)
        throw Error(file.string() + ": is too large for a session, or not a file; open one that Vitrine wrote");
    std::ifstream in(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    if (!in) throw Error(file.string() + ": cannot be read; check its permissions");
    return parse_session(text, file.string());
}

std::string command_line_of(const Session& s, const Look& look) {
    std::vector<std::string> words = {"vitrine", "snapshot",
                                      s.image.path.empty() ? s.image.sample : s.image.path.string()};
    const auto option = [&](const std::string& name, const std::string& value) {
        words.push_back(name);
        words.push_back(value);
    };
    const auto settings_of = [&](const ModelSource& model, const char* prefix) {
        for (const SourceWord& word : source_words())
            if (const std::string value = word.write(model); !value.empty()) option(word.option(prefix), value);
    };
    if (!s.model.path.empty()) option("--model", s.model.path.string());
    if (!s.model.bundled.empty()) option("--model", s.model.bundled);
    settings_of(s.model, "");
    if (!s.what_ifs.empty()) option("--what-if", comma_separated(s.what_ifs));
    if (const auto& other = s.other) {
        const ModelSource& model = other->experiment.model;
        const ImageSource& image = other->experiment.image;
        if (model != s.model) {
            option("--beside-model", model.path.empty() ? bundled_model(model.bundled).name : model.path.string());
            settings_of(model, "beside-");
        }
        option("--beside", image.path.empty() ? image.sample : image.path.string());
        if (!s.other_what_ifs.empty()) option("--beside-what-if", comma_separated(s.other_what_ifs));
        if (other->side_by_side.difference) words.emplace_back("--difference");
    }
    std::vector<std::string> settings;
    const Places& places = answers_of(s.room).places;
    const PlaceOptions here =
        (places.options == nullptr ? chapters_of(s.room).places.options : places.options)({s.focus, s.text_experiment});
    for (const auto& [name, value] : focus_words({s.focus, s.text_experiment}))
        if (std::ranges::find(here.parts, name) == here.parts.end() && value.find(',') == std::string::npos)
            settings.push_back(name + "=" + value);
    for (const auto& [name, value] : here.options) option(name, value);
    if (!look.chosen.empty()) option("--chosen", look.chosen);
    if (!settings.empty()) option("--set", comma_separated(settings));
    if (places.step != nullptr && s.time != 1) option("--time", Json(s.time).dump());
    if (look.theme != "dark") option("--theme", look.theme);
    if (look.language != "en") option("--lang", look.language);
    if (look.lecture) words.emplace_back("--lecture");
    option("--size", std::to_string(look.width) + "x" + std::to_string(look.height));
    option("--out", "picture.png");
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + for_shell(word);
    return line;
}

}  // namespace vitrine
