#include <algorithm>

#include "app/chapters/step.h"
#include "app/chapters/steps/entering.h"
#include "app/rooms/app_context.h"
#include "app/rooms/exercise/room.h"
#include "app/rooms/explore/room.h"
#include "app/rooms/laboratory/room.h"
#include "app/rooms/learning/room.h"
#include "app/rooms/room_parts.h"
#include "app/rooms/state.h"
#include "app/rooms/text/room.h"
#include "app/workspace/looked_at.h"
#include "app/workspace/result.h"
#include "app/workspace/selection.h"
#include "app/workspace/workspace.h"

namespace vitrine {

const Snapshot& Frame::shown() const { return workspace.shown; }
TextDraft Frame::text() const { return {text_experiment, selection.focus.text}; }

namespace {

std::vector<Room>& every_room() {
    static std::vector<Room> all = {
        // clang-format off
        explore_room(),
        laboratory_room(),
        learning_room(),
        exercise_room(),
        text_room(),
        // clang-format on
    };
    return all;
}

bool has_run(const AppContext& context) {
    const auto run = answers_of(context.state.room).work.run;
    return run != nullptr && run(context) != nullptr;
}

bool shows_steps(const AppContext& context) { return answers_of(context.state.room).places.step != nullptr; }

/// Chooses the block, head and query on which a chapter opens, and keeps the user's own for `give_map_back`.
void place_map(Workspace& workspace, int step, const Result& now) {
    Focus& focus = workspace.selection.focus;
    give_map_back(workspace);
    const PlacedMap before = map_of(focus);
    look_on_entering(step, now, focus);
    workspace.left_map = map_of(focus) == before ? std::nullopt : std::optional(before);
}

}  // namespace

const std::vector<Room>& rooms() { return every_room(); }

AnotherRoom::AnotherRoom(const Room& room) { every_room().push_back(room); }
AnotherRoom::~AnotherRoom() { every_room().pop_back(); }

const Room& room_of(std::string_view id) {
    const auto found = std::find_if(rooms().begin(), rooms().end(), [&](const Room& r) { return r.id == id; });
    return found == rooms().end() ? rooms().front() : *found;
}

bool is_room(std::string_view id) { return room_of(id).id == id; }

const RoomAnswers& answers_of(std::string_view room) {
    static const RoomAnswers none{
        .places = {}, .work = {.run = run_in_view}, .taking = rooms().front().answers().taking};
    const auto answers = room_of(room).answers;
    return answers == nullptr ? none : answers();
}

const Room& room_with_places(std::string_view word) {
    const auto found = std::ranges::find_if(rooms(), [&](const Room& room) {
        const char* const own = answers_of(room.id).places.word;
        return own != nullptr && own == word;
    });
    return found == rooms().end() ? rooms().front() : *found;
}

const RoomAnswers& chapters_of(std::string_view room) {
    const RoomAnswers& answers = answers_of(room);
    return answers.teaching.chapter != nullptr ? answers : rooms().front().answers();
}

LookedAt looked_at(const State& state, const Workspace& now, const Selection& at) {
    const auto looks = answers_of(state.room).work.looks;
    LookedAt looked = looks == nullptr ? LookedAt() : looks(now, at);
    if (now.roles.key && now.shown.result && (!looked.of || looked.of == now.shown.result)) {
        looked.of = now.shown.result;
        looked.blocks.insert(at.focus.block);  // the block whose weights the role reads
    }
    if (looked.of)
        std::erase_if(looked.blocks, [&](int block) { return block < 1 || block > looked.of->trace.blocks(); });
    return looked;
}

bool looks_ready(const AppContext& context) {
    const bool halves = answers_of(context.state.room).around.halves;
    return std::ranges::all_of(context.workspaces.all(), [&](const Workspace& each) {
        const bool shown = halves || &each == &context.workspace();
        return !shown || held_blocks(looked_at(context.state, each, each.selection)).has_value();
    });
}

std::string place_in(const State& state, const Focus& focus) {
    const auto here = answers_of(state.room).places.here;
    return here == nullptr ? state.room : state.room + "." + here(focus);
}

std::string place_in_view(const AppContext& context) { return place_in(context.state, context.focus()); }

bool has_place(std::string_view room, const std::string& place) {
    const auto all = answers_of(room).places.all;
    const std::vector<std::string> names = all == nullptr ? std::vector<std::string>() : all();
    return std::ranges::find(names, place) != names.end();
}

PlaceWords words_in_view(const RoomAnswers& room, const std::string& place, const View& view) {
    return room.teaching.seen != nullptr ? room.teaching.seen(view) : room.teaching.words(place);
}

PlaceWords words_under(const std::string& key) {
    return {
        key + ".title", key + ".sentence", key + ".words", key + ".question", key + ".notes", key + ".mistake", key};
}

const Result* run_in_view(const AppContext& context) { return context.result(); }
std::string no_subject(const View&) { return {}; }

void give_map_back(Workspace& workspace) {
    const std::optional<PlacedMap> own = std::exchange(workspace.left_map, std::nullopt);
    if (!own) return;
    Focus& focus = workspace.selection.focus;
    const Config& c = workspace.config();
    const PlacedMap now = map_of(focus), opened = map_of(workspace.entered.focus);
    if (now.at == opened.at && own->at.block <= c.blocks && own->at.head < c.heads) {
        focus.block = own->at.block;
        focus.head = own->at.head;
    }
    if (now.query == opened.query && own->query < c.tokens()) focus.token = own->query;
}

void enter_step(AppContext& context, int step) {
    if (context.focus().step != step || !shows_steps(context)) begin_step(context, step);
}

void begin_step(AppContext& context, int step) {
    Workspace& workspace = context.workspace();
    workspace.selection.focus.step = step;
    workspace.selection.focus.cell.reset();
    if (const Result* const now = context.result()) place_map(workspace, step, *now);
    workspace.selection.open_guess(false);
    workspace.enter_chapter(context.state.settings.motion);
    context.state.answer_shown = false;
    if (!shows_steps(context)) enter_room(context, std::string(rooms().front().id));
}

void enter_room(AppContext& context, const std::string& id) {
    if (is_room(id)) context.state.room = id;
}

void go_to_room(AppContext& context, const std::string& id) {
    const Around &here = answers_of(context.state.room).around, &there = answers_of(id).around;
    if (here.leads_to != nullptr && here.leads_to(context.focus(), id)) return;
    if (there.enter_by_tab != nullptr) there.enter_by_tab(context.focus());
    enter_room(context, id);
}

std::string_view tab_in_view(const State& state, const Focus& focus) {
    const auto tab = answers_of(state.room).around.tab;
    const std::string_view other = tab == nullptr ? std::string_view() : tab(focus);
    return other.empty() ? room_of(state.room).id : other;
}

bool can_do(const CommandRow& row, const AppContext& context) {
    const Room& room = room_of(context.state.room);
    const bool lecture = context.state.lecture.on;
    if (row.where.room != nullptr && room.id != row.where.room) return false;
    if (row.where.skin == KeyContext::Skin::lecture && !lecture) return false;
    if (row.where.skin == KeyContext::Skin::window && lecture) return false;
    if (row.where.on_a_run && !has_run(context)) return false;
    return row.can == nullptr || row.can(context);
}

}  // namespace vitrine
