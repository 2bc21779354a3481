#include "tests/monkey/actions.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/frame/keymap.h"
#include "app/platform/imgui_compat.h"
#include "app/rooms/room.h"
#include "core/files/image.h"
#include "tests/monkey/record.h"
#include "tests/monkey/wishes.h"

namespace vitrine::monkey {

namespace {

// ---- the keyboard -------------------------------------------------------------------------------------------------

void press_key(Window& w, Dice& dice) {
    const Key key = static_cast<Key>(dice.below(static_cast<int>(Key::ctrl)));
    const bool ctrl = dice.chance(0.2), shift = dice.chance(0.15);
    note("key " + chord_words({key, ctrl, shift ? Chord::Shift::down : Chord::Shift::either}));
    if (ctrl) w.input.key(glfw_number(Key::ctrl), true);
    if (shift) w.input.key(glfw_number(Key::shift), true);
    w.input.key(glfw_number(key), true);
    if (dice.chance(0.05)) w.frames(dice.between(2, 40));  // it repeats
    w.input.key(glfw_number(key), false);
    if (shift) w.input.key(glfw_number(Key::shift), false);
    if (ctrl) w.input.key(glfw_number(Key::ctrl), false);
    w.frames();
}

void type_text(Window& w, Dice& dice) {
    static constexpr std::u32string_view words[] = {U"attention", U"step:",    U"7",  U"-1e9",      U"0.5",
                                                    U"é漢字한",   U"𝕏🙂", U" ",  U"/dev/null", U"../..",
                                                    U"{token}",   U"%s%n%d",   U"##", U"\xFFFD",    U"nan"};
    std::u32string text(dice.one_of(words));
    for (int i = dice.below(4); i > 0; --i) text += static_cast<char32_t>(dice.between(32, 126));
    note("type " + std::to_string(text.size()) + " letters, the first " + std::to_string(text.front()));
    for (const char32_t letter : text) w.input.character(letter);
    w.frames(2);
}

// ---- the pointer --------------------------------------------------------------------------------------------------

/// On something that can be seen, or anywhere, also outside the window.
Point place(Window& w, Dice& dice) {
    const auto& items = w.app().probe().items();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    const Point anywhere{(dice.real() * 1.1F - 0.05F) * size.x, (dice.real() * 1.1F - 0.05F) * size.y};
    const float u = dice.real(), v = dice.real();
    if (items.empty() || dice.chance(0.25)) return anywhere;
    const auto item = std::next(items.begin(), dice.below(static_cast<int>(items.size())));
    if (!item->second.visible) return anywhere;
    const Rect& r = item->second.rect;
    return {r.x0 + u * r.width(), r.y0 + v * r.height()};
}

std::string words_of(Point p) {
    return std::to_string(static_cast<int>(p.x)) + " " + std::to_string(static_cast<int>(p.y));
}

void move_pointer(Window& w, Dice& dice) {
    const Point to = place(w, dice);
    note("move " + words_of(to));
    w.input.move(to.x, to.y);
    if (dice.chance(0.02)) w.input.leave();
    w.frames(dice.between(1, 3));
}

void click(Window& w, Dice& dice) {
    const Point at = place(w, dice);
    const int button = dice.chance(0.85) ? 0 : dice.between(1, 2), times = dice.chance(0.1) ? 2 : 1;
    note("click " + std::to_string(button) + " x" + std::to_string(times) + " at " + words_of(at));
    w.input.move(at.x, at.y);
    w.frames(2);
    for (int i = 0; i < times; ++i) {
        w.input.button(button, true);
        w.input.button(button, false);
    }
    w.frames(2);
}

void drag(Window& w, Dice& dice) {
    const Point from = place(w, dice), to = place(w, dice);
    const int steps = dice.between(1, 8);
    note("drag " + words_of(from) + " to " + words_of(to));
    w.input.move(from.x, from.y);
    w.frames();
    w.input.button(0, true);
    w.frames();
    for (int i = 1; i <= steps; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(steps);
        w.input.move(from.x + t * (to.x - from.x), from.y + t * (to.y - from.y));
        w.frames();
    }
    w.input.button(0, false);
    w.frames();
}

void turn_wheel(Window& w, Dice& dice) {
    const Point at = place(w, dice);
    const float by = static_cast<float>(dice.between(-5, 5));
    const bool ctrl = dice.chance(0.2);
    note("wheel " + std::to_string(by) + (ctrl ? " ctrl" : "") + " at " + words_of(at));
    w.input.move(at.x, at.y);
    if (ctrl) w.input.key(glfw_number(Key::ctrl), true);
    w.input.wheel(dice.chance(0.2) ? by : 0, by);
    w.frames(2);
    if (ctrl) w.input.key(glfw_number(Key::ctrl), false);
    w.frames();
}

// ---- the window ---------------------------------------------------------------------------------------------------

void resize(Window& w, Dice& dice) {
    static constexpr Point usual[] = {{800, 600}, {1280, 720}, {1920, 1080}, {3840, 2160}, {1024, 1366}};
    const Point any{static_cast<float>(dice.between(800, 2200)), static_cast<float>(dice.between(600, 1400))};
    const Point size = dice.chance(0.5) ? dice.one_of(usual) : any;
    note("resize " + words_of(size));
    w.resize(size.x, size.y);
    w.frames(2);
}

void open_anew(Window& w, Dice&) {
    note("open anew");
    w.open_anew();
    w.frames();
}

void drop(Window& w, Dice& dice) {
    std::vector<std::filesystem::path> paths;
    const auto& kind = dice.chance(0.3) ? w.zoo().models() : dice.chance(0.4) ? w.zoo().images() : w.zoo().files();
    for (int i = dice.chance(0.9) ? 1 : dice.between(2, 4); i > 0; --i) paths.push_back(dice.one_of(kind));
    std::string words = "drop";
    for (const auto& path : paths) words += " " + path.filename().string();
    note(words);
    w.app().open(paths);
    w.frames();
}

/// A file on the disk becomes another one while its picture or model is open.
void touch(Window& w, Dice& dice) {
    const auto& model = dice.one_of(w.zoo().models());
    const std::filesystem::path file = model / "model.safetensors";
    std::error_code ignored;
    note("touch " + model.filename().string());
    const auto now = std::filesystem::last_write_time(file, ignored);
    if (!ignored) std::filesystem::last_write_time(file, now + std::chrono::seconds(1), ignored);
    w.frames(dice.between(1, 70));  // a second, after which the window looks
}

// ---- commands -----------------------------------------------------------------------------------------------------

void do_row(Window& w, Dice& dice) {
    const CommandRow& row = dice.one_of(command_table().rows());
    note("do " + row.id);
    w.app().ask(command::Do{row.id});
    w.frames();
}

void ask(Window& w, Dice& dice) {
    const Command command = any_command(w, dice);
    if (w.app().context().result() == nullptr) return;  // its words need a model
    const std::string line = to_line(command, w.app().context().workspace().config());
    note("ask " + line);
    if (dice.chance(0.1))
        w.app().play({line});
    else
        w.app().ask(command);
    w.frames();
}

/// Another process writes: seldom, since that takes its time.
void take_away(Window& w, Dice& dice) {
    const Command command = any_export(w, dice);
    note("ask " + to_line(command, w.app().context().workspace().config()));
    w.app().ask(command);
    w.frames(dice.between(1, 20));
}

/// Two workspaces side by side, the other one of them, linked or not, or one of them closed.
void change_workspaces(Window& w, Dice& dice) {
    constexpr const char* rows[] = {"beside.open", "beside.open",       "beside.open",       "beside.other",
                                    "beside.link", "beside.close_left", "beside.close_right"};
    const char* const id = rows[dice.below(static_cast<int>(std::size(rows)))];
    note(std::string("do ") + id);
    w.app().ask(command::Do{id});
    w.frames();
}

// ---- what must hold -----------------------------------------------------------------------------------------------

void wait(Window& w, Dice& dice) {
    const int frames = dice.chance(0.1) ? 120 : dice.between(1, 10);
    note("wait " + std::to_string(frames));
    w.frames(frames);
}

void settle(Window& w, Dice&) {
    note("settle");
    w.settle();
}

void undo_and_redo(Window& w, Dice&) {
    note("undo, redo");
    demand_undo(w);
}

void go_back_to_session(Window& w, Dice&) {
    note("session");
    demand_session(w);
}

constexpr Action all[] = {
    {"key", 200, press_key},
    {"type", 40, type_text},
    {"move", 130, move_pointer},
    {"click", 220, click},
    {"drag", 50, drag},
    {"wheel", 40, turn_wheel},
    {"resize", 4, resize},
    {"open anew", 2, open_anew},
    {"drop", 12, drop},
    {"touch", 2, touch},
    {"do", 110, do_row},
    {"ask", 110, ask},
    {"take away", 1, take_away},
    {"workspaces", 12, change_workspaces},
    {"wait", 30, wait},
    {"settle", 40, settle},
    {"undo and redo", 10, undo_and_redo},
    {"session", 8, go_back_to_session},
};

}  // namespace

std::span<const Action> actions() { return all; }

const Action& choose(Dice& dice) {
    int sum = 0;
    for (const Action& action : all) sum += action.weight;
    int at = dice.below(sum);
    for (const Action& action : all)
        if ((at -= action.weight) < 0) return action;
    return all[0];
}

}  // namespace vitrine::monkey
