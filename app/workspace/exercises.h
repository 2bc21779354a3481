#pragma once

#include "core/base/names.h"

namespace vitrine {

/// Mistakes in course code, which students repair: those of a ViT in the order of its forward pass, then those of a
/// text Transformer.
/// app/rooms/exercise/exercise_table has a row for each, assets/exercises its code.
enum class Exercise {
    token_count,
    positions,
    maximum_one,
    norm_axis,
    key_is_query,
    value_is_query,
    head_slices,
    root_of_width,
    softmax_axis,
    normed_residual,
    bare_return,
    doc_comment,
    // text Transformers
    text_epsilon,
    text_root,
    text_values,
    text_mask,
    text_softmax_axis,
    text_eos,
};
inline constexpr Named<Exercise> exercise_names[] = {
    {Exercise::token_count, "token_count"},
    {Exercise::positions, "positions"},
    {Exercise::maximum_one, "maximum_one"},
    {Exercise::norm_axis, "norm_axis"},
    {Exercise::key_is_query, "key_is_query"},
    {Exercise::value_is_query, "value_is_query"},
    {Exercise::head_slices, "head_slices"},
    {Exercise::root_of_width, "root_of_width"},
    {Exercise::softmax_axis, "softmax_axis"},
    {Exercise::normed_residual, "normed_residual"},
    {Exercise::bare_return, "bare_return"},
    {Exercise::doc_comment, "doc_comment"},
    {Exercise::text_epsilon, "text_epsilon"},
    {Exercise::text_root, "text_root"},
    {Exercise::text_values, "text_values"},
    {Exercise::text_mask, "text_mask"},
    {Exercise::text_softmax_axis, "text_softmax_axis"},
    {Exercise::text_eos, "text_eos"},
};
constexpr const char* name_of(Exercise exercise) { return name_in(exercise_names, exercise); }

/// Number of predictions and repairs in each exercise, and most lines of its code.
inline constexpr int predictions_offered = 3, repairs_offered = 3, most_lines = 20;

/// A learner's choices in an exercise; −1: none yet.
struct ExerciseProgress {
    int predicted = -1;  // index of the prediction
    int line = -1;       // line of code marked as wrong
    int repair = -1;     // index of the repair

    bool operator==(const ExerciseProgress&) const = default;
};

}  // namespace vitrine
