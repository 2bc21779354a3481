#include "app/platform/key_names.h"

#include <algorithm>
#include <utility>

namespace vitrine {

namespace {

constexpr int last_printable = 162, keypad_subtract = 333, keypad_add = 334;  // GLFW's

Key key_after(Key first, int by) { return static_cast<Key>(static_cast<int>(first) + by); }

bool is_letter(Key key) { return key >= Key::a && key <= Key::z; }
bool is_digit(Key key) { return key >= Key::digit_0 && key <= Key::digit_9; }

/// The key of a letter, digit or sign; Key::count for other characters.
Key key_of(unsigned c) {
    if (c >= 'a' && c <= 'z') return key_after(Key::a, static_cast<int>(c - 'a'));
    if (c >= 'A' && c <= 'Z') return key_after(Key::a, static_cast<int>(c - 'A'));
    if (c >= '0' && c <= '9') return key_after(Key::digit_0, static_cast<int>(c - '0'));
    switch (c) {
        case '+':
        case '=': return Key::plus;
        case '-': return Key::minus;
        case '?':
        case '/': return Key::slash;
        case '.': return Key::period;
        case ',': return Key::comma;
        default: return Key::count;
    }
}

Key key_named(const std::string& name) {
    return name.size() == 1 ? key_of(static_cast<unsigned char>(name.front())) : Key::count;
}

/// True for keys used with Ctrl, which need their own place; others are also found by what they type with Shift.
bool needs_a_place(Key key) { return is_letter(key) || is_digit(key) || key == Key::plus || key == Key::minus; }

bool has(const std::map<int, Key>& places, Key key) {
    return std::any_of(places.begin(), places.end(), [&](const auto& row) { return row.second == key; });
}

/// The engraved label; empty for keys that type a character.
const char* name_of_control(Key key) {
    static const std::map<Key, const char*> names = {{Key::tab, "Tab"},
                                                     {Key::left, "←"},
                                                     {Key::right, "→"},
                                                     {Key::up, "↑"},
                                                     {Key::down, "↓"},
                                                     {Key::page_up, "Page Up"},
                                                     {Key::page_down, "Page Down"},
                                                     {Key::home, "Home"},
                                                     {Key::end, "End"},
                                                     {Key::remove, "Delete"},
                                                     {Key::backspace, "Backspace"},
                                                     {Key::space, "Space"},
                                                     {Key::enter, "Enter"},
                                                     {Key::escape, "Esc"},
                                                     {Key::ctrl, "Ctrl"},
                                                     {Key::shift, "Shift"},
                                                     {Key::alt, "Alt"}};
    const auto found = names.find(key);
    return found != names.end() ? found->second : "";
}

Keyboard& current() {
    static Keyboard keyboard;
    return keyboard;
}

}  // namespace

const KeyNames& us_key_names() {
    static const KeyNames names = [] {
        KeyNames all = {{39, "'"}, {44, ","},  {45, "-"}, {46, "."}, {47, "/"}, {59, ";"}, {61, "="},
                        {91, "["}, {92, "\\"}, {93, "]"}, {96, "`"}, {161, ""}, {162, ""}};
        for (int place = '0'; place <= '9'; ++place) all[place] = std::string(1, static_cast<char>(place));
        for (int place = 'A'; place <= 'Z'; ++place) all[place] = std::string(1, static_cast<char>(place - 'A' + 'a'));
        return all;
    }();
    return names;
}

Keyboard::Keyboard(const KeyNames& names) {
    for (const auto& [place, name] : names)
        if (const Key key = key_named(name); key != Key::count) plain_[place] = with_ctrl_[place] = key;
    give_places_of_the_us(names);
}

/// Assigns to each key that the layout does not type its place on a US keyboard, unless another key is there.
void Keyboard::give_places_of_the_us(const KeyNames& names) {
    const std::map<int, Key> typed = plain_;
    for (const auto& [place, us_name] : us_key_names()) {
        const Key key = key_named(us_name);
        if (key == Key::count || has(typed, key)) continue;
        const auto there = names.find(place);
        const std::string name = there != names.end() ? there->second : "";
        const bool taken = typed.contains(place);
        if (is_digit(key)) {
            plain_[place] = key;
            if (!taken) with_ctrl_[place] = key;
        } else if (!taken && (needs_a_place(key) || name.empty())) {
            plain_[place] = with_ctrl_[place] = key;
            if (!is_letter(key) && !name.empty()) odd_labels_[key] = name;
        }
    }
}

Key Keyboard::key(int place, With with) const {
    if (place == keypad_add) return Key::plus;
    if (place == keypad_subtract) return Key::minus;
    if (place > last_printable || place == ' ') return key_of_glfw(place);
    const std::map<int, Key>& places = with == With::ctrl ? with_ctrl_ : plain_;
    const auto found = places.find(place);
    return found != places.end() ? found->second : Key::count;
}

Key Keyboard::key_that_typed(unsigned code_point, int place, Shift shift) const {
    const Key untyped = key(place, With::nothing), sign = key_of(code_point);
    const bool engraved = is_digit(untyped) && shift == Shift::up;
    return sign == Key::count || is_letter(sign) || engraved ? untyped : sign;
}

std::string Keyboard::label(Key key) const {
    const auto odd = odd_labels_.find(key);
    if (odd != odd_labels_.end()) return odd->second;
    if (is_letter(key))
        return std::string(1, static_cast<char>('A' + static_cast<int>(key) - static_cast<int>(Key::a)));
    if (is_digit(key))
        return std::string(1, static_cast<char>('0' + static_cast<int>(key) - static_cast<int>(Key::digit_0)));
    if (key >= Key::f1 && key <= Key::f12)
        return "F" + std::to_string(1 + static_cast<int>(key) - static_cast<int>(Key::f1));
    switch (key) {
        case Key::plus: return "+";
        case Key::minus: return "-";
        case Key::slash: return "?";
        case Key::period: return ".";
        case Key::comma: return ",";
        default: return name_of_control(key);
    }
}

const Keyboard& keyboard() { return current(); }

void set_keyboard(Keyboard keyboard) { current() = std::move(keyboard); }

}  // namespace vitrine
