#pragma once

#include <memory>
#include <span>

#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// The whole pass, for showing and for learning: embeddings, encoder, decoder, generator, whichever the model has.
/// Interventions say by `Where::stack` and `Where::attention` whose they are; absent means everywhere.
TextTrace text_forward(const TextModel& model, std::shared_ptr<const TextBatch> batch,
                       std::span<const Intervention> interventions = {});
TextTrace text_forward(const TextModel& model, TextBatch batch, std::span<const Intervention> interventions = {});

/// The encoder's stages alone, of a model that has one; else nothing but the batch.
TextTrace encode_text(const TextModel& model, std::shared_ptr<const TextBatch> batch,
                      std::span<const Intervention> interventions = {});

/// Such a run with another target, gone on with to its end.
TextTrace decode_text(const TextModel& model, const TextTrace& encoded, PackedSentences target,
                      std::span<const Intervention> interventions = {});

/// The same text with interventions: shares every stage of the baseline that they leave as it was.
TextTrace text_what_if(const TextModel& model, const TextTrace& baseline, std::span<const Intervention> interventions);

}  // namespace vitrine
