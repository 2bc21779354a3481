#include <algorithm>
#include <array>
#include <cmath>

#include "app/rooms/exercise/exercise.h"
#include "core/text/text_config.h"
#include "core/vit/model.h"

namespace vitrine {

namespace {

using Mistake = std::vector<Intervention>;

/// ÷ √D is ÷ √d at the temperature √(D/d) = √h.
Mistake root_of_width(const Config& c) { return {temperature(std::sqrt(static_cast<float>(c.heads)))}; }

Mistake root_of_text_width(const TextConfig& c) { return {temperature_of({}, std::sqrt(static_cast<float>(c.heads)))}; }
Mistake soften_crossing_over_queries(const TextConfig&) {
    return {softmax_over_queries_of({Stack::decoder, Attention::cross})};
}

const std::array rows = {
    ExerciseRow{.exercise = Exercise::token_count, .step = "class_token", .prediction = 1},
    ExerciseRow{.exercise = Exercise::positions,
                .step = "position_embedding",
                .prediction = 2,
                .drawn = Drawn::attention,
                .mistake = [](const Config&) { return Mistake{remove_positions()}; }},
    ExerciseRow{.exercise = Exercise::maximum_one, .step = "layer_norm", .prediction = 0, .drawn = Drawn::features},
    ExerciseRow{.exercise = Exercise::norm_axis, .step = "norm_variants", .prediction = 1, .drawn = Drawn::features},
    ExerciseRow{.exercise = Exercise::key_is_query,
                .step = "attention_matrix",
                .prediction = 2,
                .drawn = Drawn::scores,
                .mistake = [](const Config&) { return Mistake{key_is_query()}; }},
    ExerciseRow{.exercise = Exercise::value_is_query,
                .step = "qkv",
                .prediction = 0,
                .drawn = Drawn::values,
                .mistake = [](const Config&) { return Mistake{value_is_query()}; }},
    ExerciseRow{.exercise = Exercise::head_slices,
                .step = "heads",
                .prediction = 1,
                .drawn = Drawn::attention,
                .mistake = [](const Config&) { return Mistake{slice_without_transpose()}; }},
    ExerciseRow{.exercise = Exercise::root_of_width,
                .step = "scores",
                .prediction = 0,
                .drawn = Drawn::attention,
                .mistake = root_of_width},
    ExerciseRow{.exercise = Exercise::softmax_axis,
                .step = "attention_matrix",
                .prediction = 2,
                .drawn = Drawn::attention,
                .mistake = [](const Config&) { return Mistake{softmax_over_queries()}; }},
    ExerciseRow{.exercise = Exercise::normed_residual,
                .step = "residual",
                .prediction = 0,
                .drawn = Drawn::lengths,
                .mistake = [](const Config&) { return Mistake{carry_normed()}; }},
    ExerciseRow{.exercise = Exercise::bare_return, .step = "depth", .prediction = 1},
    ExerciseRow{.exercise = Exercise::doc_comment, .step = "prediction", .prediction = 2},
    ExerciseRow{.exercise = Exercise::text_epsilon,
                .prediction = 0,
                .drawn = Drawn::features,
                .text = TextMistake{TextChapter::encoder}},
    ExerciseRow{.exercise = Exercise::text_root,
                .prediction = 1,
                .drawn = Drawn::attention,
                .text = TextMistake{.chapter = TextChapter::self_attention, .edits = root_of_text_width}},
    ExerciseRow{.exercise = Exercise::text_values, .prediction = 2, .text = TextMistake{TextChapter::self_attention}},
    ExerciseRow{.exercise = Exercise::text_mask,
                .prediction = 2,
                .drawn = Drawn::attention,
                .text = TextMistake{.chapter = TextChapter::mask,
                                    .attention = TextAttention::decoder,
                                    .edits = [](const TextConfig&) { return Mistake{look_ahead(1)}; }}},
    ExerciseRow{.exercise = Exercise::text_softmax_axis,
                .prediction = 0,
                .drawn = Drawn::attention,
                .text = TextMistake{.chapter = TextChapter::cross_attention,
                                    .attention = TextAttention::cross,
                                    .edits = soften_crossing_over_queries}},
    ExerciseRow{.exercise = Exercise::text_eos,
                .prediction = 1,
                .drawn = Drawn::words,
                .text = TextMistake{.chapter = TextChapter::decoding,
                                    .to = TextLanguage::english,
                                    .attention = TextAttention::decoder,
                                    .ending = Ending::at_longest}},
};

}  // namespace

const ExerciseRow& row_of(Exercise exercise) {
    return *std::find_if(rows.begin(), rows.end(), [&](const ExerciseRow& r) { return r.exercise == exercise; });
}

int place_of(Exercise exercise) {
    const auto at = std::find_if(std::begin(exercise_names), std::end(exercise_names),
                                 [&](const Named<Exercise>& entry) { return entry.value == exercise; });
    return static_cast<int>(at - std::begin(exercise_names));
}

}  // namespace vitrine
