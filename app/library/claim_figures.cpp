#include "app/library/claim_figures.h"

#include <cmath>

#include "app/platform/embedded.h"
#include "app/ui/widgets/number.h"
#include "core/base/error.h"
#include "embedded/assets.h"

namespace vitrine {

namespace {

std::string figure_text(const std::string& quoted) {
    try {
        const Figure figure = claim_log().figure(quoted);
        if (figure.kind == FigureKind::number) return number_text(figure.value);
        return count_text(std::lround(100 * figure.value)) + " %";
    } catch (const Error&) {
        return "⟦" + quoted + "⟧";  // the mark of a missing text, which a test finds
    }
}

}  // namespace

const ClaimLog& claim_log() {
    static const ClaimLog log = [] {
        const std::string file = "claims/log.json";
        return claim_log_from_json(std::string(embedded(assets(), file).text()), file);
    }();
    return log;
}

std::string with_claim_figures(std::string words) {
    const std::string begin = "{claim:";
    for (std::size_t at = 0; (at = words.find(begin, at)) != std::string::npos;) {
        const std::size_t end = words.find('}', at);
        if (end == std::string::npos) break;
        const std::string figure = figure_text(words.substr(at + begin.size(), end - at - begin.size()));
        words.replace(at, end + 1 - at, figure);
        at += figure.size();
    }
    return words;
}

}  // namespace vitrine
