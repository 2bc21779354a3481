#pragma once

#include <span>

#include "app/rooms/laboratory/laboratory.h"
#include "app/rooms/panels/panels.h"
#include "app/ui/scales.h"

// The instruments of the laboratory, one row each, for the stage, the panel and the map.

namespace vitrine {

struct Comparison;
struct DependsOn;
struct Drafts;
struct InView;
struct LabPair;
class Selection;
class Text;

/// State shown and changed by an instrument's controls.
struct LabControls {
    const Explanation& explanation;
    const Measured* measured;  // null before the first measurement
    Drafts& drafts;
    WhatIfs& what_ifs;
    Commands& commands;
    bool alone;  // no run is shown beside this one
};

/// An instrument. Text keys: "lab.<name>.title" and ".sentence", "lab.tab.<name>" for its tab. Instruments of a group
/// follow one another, with the text "lab.group.<group>" before their tabs.
struct InstrumentRow {
    Instrument instrument;
    const char* group;
    void (*view)(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);
    void (*controls)(const LabControls& controls);
    const char* step;                                         // its place in the network, as a step of the map
    Comparison (*compared)(const LabPair& pair);              // the differences of two runs side by side
    DependsOn (*depends)(const Laboratory& lab) = nullptr;    // choices that its picture depends on; null: none
    bool (*about_classes)(const Laboratory& lab) = nullptr;   // true if it needs a classifier; null: false
    std::string (*subject)(const Laboratory& lab) = nullptr;  // its current subject, if it has several
    bool (*grows)(const Laboratory& lab) = nullptr;  // its picture is updated while it is measured; null: never
    // The colour ranges that change its picture, with the names by which their texts are found; null: all ranges.
    std::span<const Named<Scope>> (*ranges)(const Laboratory& lab) = nullptr;
};

/// The row of an instrument.
const InstrumentRow& row_of(Instrument instrument);

/// The chosen instrument's subject, whose texts are "lab.<subject>.formula", ".words" and ".source".
std::string subject_of(const Laboratory& lab);
/// Key of the title of the picture.
std::string title_key(const Laboratory& lab);
/// Key of the sentence above the picture.
std::string sentence_key(const Laboratory& lab);
/// Key of the caveat: what the picture does not show.
std::string not_key(const Text& text, const Laboratory& lab);

/// True if the picture of the chosen instrument is updated while it is measured.
bool grows_while_measured(const Laboratory& lab);

/// The colour ranges that the chosen instrument offers: those that change its picture; none if it has no choice.
std::span<const Named<Scope>> ranges_of(const Laboratory& lab);
/// The offered range that a scope stands for: itself if offered, else the widest one that follows the numbers.
Scope range_in_view(const Laboratory& lab, Scope scope);

/// Draws the chosen instrument's differences of two runs, or the reason why there are none.
void draw_lab_difference(const LabPair& pair, Canvas& canvas, Rect area);
/// The choices that the chosen instrument's picture depends on, in words: "class token · blocks ℓ = 1 to 4 · mean of
/// the heads".
std::vector<std::string> dependencies_of_instrument(const InView& shown);
/// The view of the chosen instrument.
void instrument_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);

// Controls of each instrument.
void gallery_controls(const LabControls& controls);
void compare_controls(const LabControls& controls);
void statistics_controls(const LabControls& controls);
void depth_controls(const LabControls& controls);
void tokens_controls(const LabControls& controls);
void lens_controls(const LabControls& controls);
void ledger_controls(const LabControls& controls);
void occlusion_controls(const LabControls& controls);
void causes_controls(const LabControls& controls);
void words_controls(const LabControls& controls);

}  // namespace vitrine
