#include "app/workspace/text_request.h"

namespace vitrine {

TextRequest request_of(const TextExperiment& experiment, TextChapter chapter) {
    TextRequest r;
    r.task = experiment.task_in(chapter);
    if (r.task == TextTask::translate) r.to = experiment.to;
    r.text = experiment.text_in(chapter);
    r.what_ifs = experiment.what_ifs;
    r.swap = experiment.swap;
    if (r.task == TextTask::sentiment) return r;
    r.forced = experiment.forced;
    r.method = experiment.method;
    if (experiment.method == DecodingMethod::beam) r.width = experiment.width;
    if (experiment.method != DecodingMethod::sample) return r;
    r.temperature = experiment.temperature;  // other methods use the model's own probabilities
    r.top_k = experiment.top_k;
    r.top_p = experiment.top_p;
    r.seed = experiment.seed;
    return r;
}

}  // namespace vitrine
