#include "app/workspace/text_request.h"

namespace vitrine {

TextRequest request_of(const TextLook& look) {
    TextRequest r;
    r.task = look.shown_task();
    if (r.task == TextTask::translate) r.to = look.to;
    r.text = look.text();
    r.what_ifs = look.what_ifs;
    r.swap = look.swap;
    if (r.task == TextTask::sentiment) return r;
    r.forced = look.forced;
    r.method = look.method;
    if (look.method == DecodingMethod::beam) r.width = look.width;
    if (look.method != DecodingMethod::sample) return r;
    r.temperature = look.temperature;  // other methods use the model's own probabilities
    r.top_k = look.top_k;
    r.top_p = look.top_p;
    r.seed = look.seed;
    return r;
}

}  // namespace vitrine
