#pragma once

#include "app/rooms/laboratory/laboratory.h"
#include "app/rooms/panels/panels.h"

// The instruments of the laboratory, a row for each: the stage, the panel and the map read it.

namespace vitrine {

struct Drafts;
class Selection;
class Text;

/// What an instrument's controls read and change.
struct LabControls {
    const Explanation& explanation;
    const Measured* measured;  // null before the first measurement
    Drafts& drafts;
};

/// One instrument. Its title and sentence are the words "lab.<name>.title" and ".sentence", its tab "lab.tab.<name>".
struct InstrumentRow {
    Instrument instrument;
    void (*view)(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);
    void (*controls)(const LabControls& controls);
    const char* step;                                         // where in the network it looks, as a step of the map
    std::string (*subject)(const Laboratory& lab) = nullptr;  // what it is about where it is about several things
    bool grows = false;                                       // its picture grows while it is measured
};

/// The row of an instrument.
const InstrumentRow& row_of(Instrument instrument);

/// Whose words stand beside the picture: "lab.<subject>.formula", ".words" and ".source".
std::string subject_of(const Laboratory& lab);
/// The key of what the picture is not.
std::string not_key(const Text& text, const Laboratory& lab);

/// The view of the chosen instrument.
void instrument_view(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);

// The controls beside each.
void gallery_controls(const LabControls& controls);
void compare_controls(const LabControls& controls);
void statistics_controls(const LabControls& controls);
void depth_controls(const LabControls& controls);
void tokens_controls(const LabControls& controls);
void lens_controls(const LabControls& controls);
void ledger_controls(const LabControls& controls);
void occlusion_controls(const LabControls& controls);

}  // namespace vitrine
