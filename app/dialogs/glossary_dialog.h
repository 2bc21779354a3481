#pragma once

namespace vitrine {

struct Frame;
struct AppContext;

/// Every word that chapters use before they explain it, with what it means, to be searched by typing.
void glossary_dialog(const Frame& frame, const AppContext& context);

}  // namespace vitrine
