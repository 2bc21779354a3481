#pragma once

namespace vitrine {

struct Color;
struct Palette;
struct Result;

/// True if a model that knows only drawn pictures was shown something else: its answer means nothing. Everything that
/// shows the answer says so, with "foreign.title".
bool answer_means_nothing(const Result& now);

/// The colour of the prediction's bars: grey where the answer means nothing.
Color answer_color(const Palette& palette, const Result& now);

}  // namespace vitrine
