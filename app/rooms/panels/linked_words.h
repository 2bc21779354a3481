#pragma once

#include <string>

#include "app/rooms/room.h"

namespace vitrine {

/// A paragraph whose terms are underlined where they first occur: explained while they are pointed at or have the
/// keyboard; a click opens all of them. `part` names it for the probe: "term.words.softmax.0".
void glossary_paragraph(const Ui& ui, const std::string& part, const std::string& markup, Commands& commands);

}  // namespace vitrine
