#include "app/commands/progress_line.h"

#include <cmath>
#include <cstdio>

#include "app/platform/terminal.h"

namespace vitrine {

std::string time_left(double seconds, double done) {
    if (seconds < 1 || done < 0.01 || done >= 1) return "";
    const double left = seconds * (1 - done) / done;
    char words[40];
    if (left < 90)
        std::snprintf(words, sizeof words, "%.0f s left", std::ceil(left));
    else if (left < 90 * 60)
        std::snprintf(words, sizeof words, "%.0f min left", std::ceil(left / 60));
    else
        std::snprintf(words, sizeof words, "%.1f h left", left / 3600);
    return words;
}

ProgressLine::ProgressLine(bool quiet) : shows_(!quiet && stderr_is_terminal()) {}

ProgressLine::~ProgressLine() {
    if (drawn_) std::fprintf(stderr, "\r\033[K");
}

void ProgressLine::at(double done, const std::string& words) {
    constexpr double interval = 0.1;  // s
    if (!shows_ || (drawn_ && seconds_since(last_) < interval)) return;
    char share[16];
    std::snprintf(share, sizeof share, "%3.0f %%", 100 * done);
    const std::string left = time_left(seconds_since(start_), done);
    std::fprintf(stderr, "\r%s%s%s\033[K", (words.empty() ? share : words.c_str()), (left.empty() ? "" : ", "),
                 left.c_str());
    std::fflush(stderr);
    drawn_ = true;
    last_ = Clock::now();
}

Progress ProgressLine::progress() {
    if (!shows_) return {};
    return [this](double done) { at(done); };
}

}  // namespace vitrine
