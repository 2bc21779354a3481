#pragma once

#include "app/rooms/laboratory/laboratory.h"
#include "app/workspace/laboratory_state.h"

// The table of the figures that the Tokens instrument draws.

namespace vitrine {

struct Comparison;
struct LabPair;

/// A figure of tokens. Its texts' keys begin with "lab.tokens.<name>".
struct TokenRow {
    TokenFigure figure;
    void (*draw)(const LabScene& lab, Selection& selection, WhatIfs& what_ifs);
    Comparison (*compared)(const LabPair& pair);  // the numbers compared for two runs side by side
    bool of_a_token = true;                       // depends on the chosen token
    bool by_level = true;   // depends on the level; otherwise it shows learned weights, and has its own sentence
    bool by_scope = false;  // the range and the curve of its colour scale can be chosen
};
const TokenRow& row_of(TokenFigure figure);

}  // namespace vitrine
