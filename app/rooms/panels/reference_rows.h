#pragma once

#include <string>

#include "app/library/references.h"
#include "app/rooms/room.h"

namespace vitrine {

class Commands;
struct Ui;

/// A full citation across the remaining width: a click opens it in the browser, its button copies it. Probe ids are
/// `id` for the row and "<id>.copy" for the button.
void reference_row(const Ui& ui, const std::string& id, const Reference& reference, Commands& commands);

/// Draws the references of a chapter ("step.<id>") or an instrument ("lab.<subject>"), if any.
void reference_rows(const Ui& ui, const std::string& place, Commands& commands);

}  // namespace vitrine
