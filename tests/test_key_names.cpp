#include <gtest/gtest.h>

#include "app/platform/key_names.h"

namespace vitrine {
namespace {

using With = Keyboard::With;
using Shift = Keyboard::Shift;

/// A layout as its rows stand on the keyboard, from the key left of 1 to the one left of the right Shift. A space is a
/// dead key.
Keyboard layout(const std::vector<std::string>& signs) {
    const std::string places = "`1234567890-=QWERTYUIOP[]ASDFGHJKL;'\\ZXCVBNM,./";
    EXPECT_EQ(signs.size(), places.size());
    KeyNames names;
    for (std::size_t i = 0; i < places.size(); ++i) names[places[i]] = signs[i] == " " ? "" : signs[i];
    return Keyboard(names);
}

/// One sign for every code point.
std::vector<std::string> signs(const std::string& text) {
    std::vector<std::string> all;
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) all.emplace_back();
        all.back() += c;
    }
    return all;
}

Keyboard azerty() { return layout(signs("²&é\"'(-è_çà)=azertyuiop $qsdfghjklmù*wxcvbn,;:!")); }
Keyboard qwertz() { return layout(signs(" 1234567890ß qwertzuiopü+asdfghjklöä#yxcvbnm,.-")); }
Keyboard dvorak() { return layout(signs("`1234567890[]',.pyfgcrl/=aoeuidhtns-\\;qjkxbmwvz")); }
Keyboard czech() { return layout(signs(";+ěščřžýáíé= qwertzuiopú)asdfghjklů§ yxcvbnm,.-")); }
Keyboard japanese() { return layout(signs(" 1234567890-^qwertyuiop@[asdfghjkl;:]zxcvbnm,./")); }
Keyboard russian() { return layout(signs("ё1234567890-=йцукенгшщзхъфывапролджэ\\ячсмитьбю.")); }
Keyboard greek() { return layout(signs("`1234567890-=;ςερτυθιοπ[]ασδφγηξκλ '\\ζχψωβνμ,./")); }
Keyboard kana() {
    return layout(
        signs("ろぬふあうえおやゆよわほへたていすかんなにらせ゛゜ちとしはきくまのりれけむつさそひこみもねるめ"));
}

TEST(Keyboard, LettersAreTheOnesOnTheKeys) {
    EXPECT_EQ(azerty().key('Q', With::ctrl), Key::a) << "Ctrl and the key that says A must not quit";
    EXPECT_EQ(azerty().key('A', With::ctrl), Key::q);
    EXPECT_EQ(azerty().key('W', With::ctrl), Key::z);
    EXPECT_EQ(azerty().key(';', With::nothing), Key::m);
    EXPECT_EQ(qwertz().key('Y', With::ctrl), Key::z);
    EXPECT_EQ(qwertz().key('Z', With::ctrl), Key::y);
    EXPECT_EQ(dvorak().key('X', With::ctrl), Key::q);
    EXPECT_EQ(dvorak().key('/', With::ctrl), Key::z);
}

TEST(Keyboard, EveryLayoutHasEveryLetterAndDigitExactlyOnce) {
    const Keyboard layouts[] = {Keyboard(), azerty(),  qwertz(), dvorak(), czech(),
                                japanese(), russian(), greek(),  kana()};
    for (std::size_t i = 0; i < std::size(layouts); ++i)
        for (const With with : {With::nothing, With::ctrl})
            for (int key = static_cast<int>(Key::digit_0); key <= static_cast<int>(Key::z); ++key) {
                int places = 0;
                for (const auto& [place, name] : us_key_names())
                    places += layouts[i].key(place, with) == static_cast<Key>(key) ? 1 : 0;
                const bool sign = with == With::ctrl && ((i == 1 && static_cast<Key>(key) == Key::digit_6) ||
                                                         (i == 4 && static_cast<Key>(key) == Key::digit_1));
                EXPECT_EQ(places, sign ? 0 : 1) << "layout " << i << ", key " << key;
            }
}

TEST(Keyboard, LayoutsWithoutLatinLettersHaveThemAtTheirUsPlaces) {
    for (const Keyboard& k : {russian(), greek(), kana()}) {
        EXPECT_EQ(k.key('Q', With::ctrl), Key::q);
        EXPECT_EQ(k.key('Z', With::ctrl), Key::z);
        EXPECT_EQ(k.key('1', With::nothing), Key::digit_1);
        EXPECT_EQ(k.label(Key::z), "Z");
    }
    EXPECT_EQ(russian().key('/', With::nothing), Key::period) << "its full stop";
}

TEST(Keyboard, DigitsThatNeedShiftAreDigitsByThemselves) {
    for (int digit = 0; digit < 10; ++digit) {
        const Key wanted = static_cast<Key>(static_cast<int>(Key::digit_0) + digit);
        EXPECT_EQ(azerty().key('0' + digit, With::nothing), wanted);
        EXPECT_EQ(azerty().key_that_typed(static_cast<unsigned>('0' + digit), '0' + digit, Shift::down), wanted);
    }
    EXPECT_EQ(azerty().key_that_typed('-', '6', Shift::up), Key::digit_6);
    EXPECT_EQ(azerty().key('6', With::ctrl), Key::minus) << "Ctrl - makes the type smaller";
    EXPECT_EQ(azerty().key('0', With::ctrl), Key::digit_0);
    EXPECT_EQ(czech().key('1', With::nothing), Key::digit_1);
    EXPECT_EQ(czech().key('1', With::ctrl), Key::plus);
}

TEST(Keyboard, SignsAreWhatIsTyped) {
    EXPECT_EQ(Keyboard().key('=', With::ctrl), Key::plus);
    EXPECT_EQ(qwertz().key(']', With::ctrl), Key::plus);
    EXPECT_EQ(qwertz().key('/', With::ctrl), Key::minus);
    EXPECT_EQ(qwertz().key('-', With::ctrl), Key::count) << "the key of ß";
    EXPECT_EQ(azerty().key('=', With::ctrl), Key::plus);
    EXPECT_EQ(azerty().key('.', With::nothing), Key::count) << "the key of : is no full stop";
    EXPECT_EQ(azerty().key_that_typed('.', ',', Shift::down), Key::period) << "Shift and the key of ;";
    EXPECT_EQ(qwertz().key_that_typed('/', '7', Shift::down), Key::slash);
    EXPECT_EQ(qwertz().key_that_typed('?', '-', Shift::down), Key::slash) << "of both signs";
    EXPECT_EQ(Keyboard().key_that_typed('&', '7', Shift::down), Key::digit_7);
    EXPECT_EQ(Keyboard().key_that_typed('+', '=', Shift::down), Key::plus);
    EXPECT_EQ(russian().key_that_typed(',', '/', Shift::down), Key::comma);
    EXPECT_EQ(azerty().key_that_typed('a', 'Q', Shift::up), Key::a);
}

TEST(Keyboard, TheKeypadAddsAndTypesDigitsUnderNumLock) {
    constexpr int keypad_5 = 325, keypad_subtract = 333, keypad_add = 334;
    EXPECT_EQ(azerty().key(keypad_add, With::ctrl), Key::plus);
    EXPECT_EQ(azerty().key(keypad_subtract, With::ctrl), Key::minus);
    EXPECT_EQ(azerty().key(keypad_5, With::nothing), Key::count);
    EXPECT_EQ(azerty().key_that_typed('5', keypad_5, Shift::up), Key::digit_5);
}

TEST(Keyboard, KeysThatTypeNothingAreTheirTokens) {
    for (const Key key : {Key::escape, Key::f11, Key::left, Key::page_down, Key::enter, Key::space, Key::ctrl})
        EXPECT_EQ(azerty().key(glfw_number(key), With::nothing), key);
    EXPECT_EQ(azerty().key('[', With::nothing), Key::count) << "a dead key where the US has no key of ours";
    KeyNames silent = us_key_names();
    for (auto& [place, name] : silent) name.clear();
    EXPECT_EQ(Keyboard(silent).key('Z', With::ctrl), Key::z) << "where the system tells nothing";
    EXPECT_EQ(Keyboard(silent).key('.', With::nothing), Key::period);
}

TEST(Keyboard, LabelsAreWhatStandsOnTheKeys) {
    EXPECT_EQ(Keyboard().label(Key::z), "Z");
    EXPECT_EQ(qwertz().label(Key::z), "Z");
    EXPECT_EQ(azerty().label(Key::digit_7), "7");
    EXPECT_EQ(Keyboard().label(Key::plus), "+");
    EXPECT_EQ(azerty().label(Key::period), ".");
    EXPECT_EQ(japanese().label(Key::plus), "^") << "+ needs Shift there, which Ctrl hides";
    EXPECT_EQ(Keyboard().label(Key::f11), "F11");
    EXPECT_EQ(Keyboard().label(Key::escape), "Esc");
    for (int key = 0; key < static_cast<int>(Key::count); ++key)
        EXPECT_FALSE(azerty().label(static_cast<Key>(key)).empty()) << key;
}

TEST(Keyboard, TheLayoutMayChange) {
    EXPECT_EQ(keyboard().key('Z', With::nothing), Key::z);
    set_keyboard(qwertz());
    EXPECT_EQ(keyboard().key('Z', With::nothing), Key::y);
    set_keyboard(japanese());
    EXPECT_EQ(key_label(Key::plus), "^");
    set_keyboard(Keyboard());
}

}  // namespace
}  // namespace vitrine
