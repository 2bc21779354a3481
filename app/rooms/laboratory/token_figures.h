#pragma once

#include "app/rooms/laboratory/laboratory.h"
#include "app/workspace/laboratory_state.h"

// The figures of the instrument about tokens, one row each.

namespace vitrine {

struct Comparison;
struct LabPair;

/// A figure of tokens. Its words are "lab.tokens.<name>. …".
struct TokenRow {
    TokenFigure figure;
    void (*draw)(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);
    Comparison (*compared)(const LabPair& pair);  // what it compares of two runs side by side
    bool of_a_token = true;                       // it depends on the chosen token
    bool by_level = true;   // it depends on the level; else it shows what is learned, and has a sentence of its own
    bool by_scope = false;  // its range and curve can be chosen
};
const TokenRow& row_of(TokenFigure figure);

}  // namespace vitrine
