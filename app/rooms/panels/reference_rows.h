#pragma once

#include <string>

#include "app/rooms/room.h"
#include "app/workspace/references.h"

namespace vitrine {

class Commands;
struct Ui;

/// A reference in full, as wide as what is left: a click opens it in the browser, its button copies it. `id` is the
/// row's, "<id>.copy" the button's.
void reference_row(const Ui& ui, const std::string& id, const Reference& reference, Commands& commands);

/// Those that belong to a chapter ("step.<id>") or an instrument ("lab.<subject>"); nothing where there are none.
void reference_rows(const Ui& ui, const std::string& place, Commands& commands);

}  // namespace vitrine
