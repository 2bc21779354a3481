#pragma once

namespace vitrine {

struct Frame;
struct House;

/// Every word that chapters use before they explain it, with what it means, to be searched by typing.
void glossary_dialog(const Frame& frame, const House& house);

}  // namespace vitrine
