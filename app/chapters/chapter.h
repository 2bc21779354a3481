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

/// The choices that a figure's numbers depend on: its caption names these and no others.
struct DependsOn {
    bool block = false, head = false, token = false;
    bool target = false;  // a class
    bool level = false;   // ℓ of the tokens
    bool half = false;    // which of a block's two norms or sums
};

/// A number as a fact.
Fact number_fact(const std::string& label, double value);

/// The shape of a tensor as a fact: "(65, 64)".
Fact shape_fact(const std::string& label, std::initializer_list<int> shape);

/// A chapter about images (`OfPictures`, app/chapters/step.h) or about texts (`OfTexts`, app/rooms/text/chapter.h). The
/// family defines the functions' signatures and `Own`, the members of its chapters alone. A chapter's texts in
/// assets/text have the keys of `key_of`: title, sentence, equation (in plain letters), words, question, answer, notes,
/// and mistake if the syllabus has one.
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
    /// Id of the training experiment about the chapter's subject (core/training/presets); null: none.
    const char* learn = nullptr;
};

/// The key of a chapter, "step.attention": the prefix of its texts' keys, and the key of its notes and references.
template <class Family>
std::string key_of(const Chapter<Family>& chapter) {
    return std::string(Family::words) + std::string(chapter.id);
}
/// The key of one of a chapter's texts: "step.attention.title" for the part "title".
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
    std::vector<std::string> others = {};  // equations for other what-ifs; the panel reserves the height of the tallest
};

/// An equation in plain letters: the text "equation.<id>_words" if there is one, else the text of `usual_key`.
const std::string& equation_words(const Text& text, const std::string& id, const std::string& usual_key);

}  // namespace vitrine
