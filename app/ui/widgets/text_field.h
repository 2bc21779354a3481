#pragma once

#include <string>

namespace vitrine {

struct Ui;

/// Appearance and behaviour of a text field.
struct FieldLook {
    float height = 0;              // at least
    std::string placeholder = {};  // shown while the field is empty
    bool still = false;            // keeps its height while it is edited
    bool one_line = false;         // one line of words: wrapped while it is edited, Enter and line breaks are removed
};
/// A multi-line text field that fills the remaining width; true if the text changed.
bool text_field(const Ui& ui, const std::string& id, std::string& words, const FieldLook& look);

}  // namespace vitrine
