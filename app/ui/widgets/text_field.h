#pragma once

#include <string>

namespace vitrine {

struct Ui;

/// A text field's height, at least; the words it shows while it is empty; whether it keeps its height while it is
/// edited; whether its words are one line, in which breaks replace spaces, so that it wraps while it is edited.
struct FieldLook {
    float height = 0;
    std::string placeholder = {};
    bool still = false;
    bool one_line = false;
};
/// A multi-line text field that fills the remaining width; true if the text changed.
bool text_field(const Ui& ui, const std::string& id, std::string& words, const FieldLook& look);

}  // namespace vitrine
