#pragma once

#include <span>

#include "core/text/text_model.h"
#include "core/text/text_trace.h"
#include "core/transformer/intervention.h"

namespace vitrine {

/// A head of a classifier's encoder, and its effect on the verdict on one text.
struct VerdictHead {
    int block = 1, head = 0;
    double change = 0;  // fall of the verdict's lead when the head is switched off
};

/// The lead of a class: its logit minus the largest other logit.
double lead_of(const TextTrace& trace, int label);

/// The head whose removal lowers the lead of the run's verdict most; `what_ifs` are those of the run.
VerdictHead verdict_head(const TextModel& model, const TextTrace& run, std::span<const Intervention> what_ifs = {});

}  // namespace vitrine
