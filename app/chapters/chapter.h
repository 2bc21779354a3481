#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine {

class Text;

/// A line of numbers beside the picture: label, formatted number, and all digits on hover.
struct Fact {
    std::string label;
    std::string value;
    std::string full;
};

/// A number as a fact.
Fact number_fact(const std::string& label, double value);

/// The shape of a tensor as a fact: "(65, 64)".
Fact shape_fact(const std::string& label, std::initializer_list<int> shape);

/// A chapter of a family, which says what its functions read and what its chapters alone have: that of pictures
/// (app/chapters/step.h), that of texts (app/rooms/text/chapter.h). Its words in assets/text have the keys of `key_of`:
/// title, sentence, equation (in plain letters), words, question, answer, notes, and mistake if the syllabus has one.
template <class Family>
struct Chapter {
    std::string_view id;
    typename Family::Own own = {};
    typename Family::Facts* facts = nullptr;
    typename Family::Switches* switches = nullptr;  // what-ifs offered here
    std::vector<const char*> sliders = {};          // what-ifs with a slider here, by their names
    /// The answer with this run's numbers; null: the fixed words "answer".
    typename Family::Answer* answer = nullptr;
    /// True once the learner has done what the question asks.
    typename Family::Answered* answered = nullptr;
    /// The equation for the computed run, a file in assets/equations; null: the chapter's own.
    typename Family::Equation* equation = nullptr;
    /// Runs that show it in training; null: training has nothing to show.
    const char* learn = nullptr;
};

/// "step.attention", under which its words, notes and references are found.
template <class Family>
std::string key_of(const Chapter<Family>& chapter) {
    return std::string(Family::words) + std::string(chapter.id);
}
/// The key of a chapter's text by its last part: "title".
template <class Family>
std::string key_of(const Chapter<Family>& chapter, std::string_view part) {
    return key_of(chapter) + "." + std::string(part);
}
template <class Family>
bool has_switches(const Chapter<Family>& chapter) {
    return chapter.switches != nullptr || !chapter.sliders.empty();
}

/// A chapter's equation for the computed run.
struct Formula {
    std::string id, words = {};            // a file in assets/equations, and the same in plain letters
    std::vector<std::string> others = {};  // those for other what-ifs: there is room for the highest
};

/// In plain letters: a file's own "equation.<id>_words", or else the chapter's text.
const std::string& equation_words(const Text& text, const std::string& id, const std::string& usual_key);

}  // namespace vitrine
