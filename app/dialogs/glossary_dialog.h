#pragma once

namespace vitrine {

struct Frame;
struct AppContext;

/// The glossary: terms of the chapters and their meanings, with a search field.
void glossary_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
