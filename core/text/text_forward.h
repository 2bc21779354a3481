#pragma once

#include <memory>
#include <span>

#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// The whole forward pass, for display and for training: embeddings, encoder, decoder and generator, as far as the
/// model has them. `Where::stack` and `Where::attention` address an intervention; absent means everywhere.
TextTrace text_forward(const TextModel& model, std::shared_ptr<const TextBatch> batch,
                       std::span<const Intervention> interventions = {});
TextTrace text_forward(const TextModel& model, TextBatch batch, std::span<const Intervention> interventions = {});

/// Runs only the encoder; without one, the trace has only the batch.
TextTrace encode_text(const TextModel& model, std::shared_ptr<const TextBatch> batch,
                      std::span<const Intervention> interventions = {});

/// Completes a run of the encoder: runs the decoder on `target`, then the generator.
TextTrace decode_text(const TextModel& model, const TextTrace& encoded, PackedSentences target,
                      std::span<const Intervention> interventions = {});

/// The same text with interventions: shares every stage of the baseline that they do not change.
TextTrace text_what_if(const TextModel& model, const TextTrace& baseline, std::span<const Intervention> interventions);

}  // namespace vitrine
