#pragma once

#include "app/rooms/room.h"

namespace vitrine {

struct AppContext;

// Dialogs without state of their own: a function each.

/// Export of pictures, numbers and sessions.
void export_dialog(const Frame& frame, const AppContext& context);
/// Offers to restore the sessions of killed windows.
void recover_dialog(const Frame& frame, const AppContext& context);

/// The glossary: terms of the chapters and their meanings, with a search field.
void glossary_dialog(const Frame& frame, const AppContext& context);

/// The screen's content and question, ways to help, and all keyboard shortcuts with the labels of this keyboard.
void help_dialog(const Frame& frame, const AppContext& context);

/// All cited papers: search, open or copy by click, export as BibTeX.
void references_dialog(const Frame& frame, const AppContext& context);

/// Asks for the session's name.
void save_as_dialog(const Frame& frame, const AppContext& context);

/// Part of the browser: choice of the next drawn picture: class, difficulty and size.
void drawing_choice(const Frame& frame);

}  // namespace vitrine
