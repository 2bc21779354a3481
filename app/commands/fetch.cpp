#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/outputs.h"
#include "app/commands/progress_line.h"
#include "app/commands/stop_signals.h"
#include "app/commands/tried.h"
#include "app/hub/hub_fetch.h"
#include "app/platform/printable.h"
#include "core/base/progress.h"

namespace vitrine {

namespace {

std::string megabytes(std::uint64_t bytes) {
    char words[32];
    std::snprintf(words, sizeof words, "%.1f", static_cast<double>(bytes) / 1e6);
    return words;
}

/// "model.safetensors: 12.3 of 22.9 MB", or the reason for waiting.
std::string words_of(const HubReport& report) {
    if (report.waits > 0) return "the hub is busy and asks you to wait " + std::to_string(report.waits) + " s";
    if (report.waits_for_other) return report.file + ": another program is fetching it";
    if (report.file.empty()) return "asking the hub";
    return report.file + ": " + megabytes(report.done) + " of " + megabytes(report.total) + " MB";
}

nlohmann::ordered_json fetch_one(const std::string& words, bool quiet) {
    const auto name = hub_name(words);
    if (!name)
        throw UsageError(words +
                         ": is not a name on the hub; write owner/name or owner/name@revision, such as "
                         "facebook/deit-tiny-patch16-224");
    ProgressLine line(quiet);
    std::uint64_t came = 0;
    const HubProgress progress = [&](const HubReport& report) {
        if (StopSignals::asked()) throw Cancelled();
        came = report.came;
        // Progress counts only the bytes that this fetch transfers, since the line estimates the time left from it.
        const auto brought = static_cast<double>(came), rest = static_cast<double>(report.total - report.done);
        line.at(brought > 0 ? brought / (brought + rest) : 0, words_of(report));
    };
    const HubListing listing = ask_hub(*name, progress);
    const std::filesystem::path folder = fetch_from_hub(listing, progress);
    nlohmann::ordered_json result = {{"model", name->model},     {"revision", name->revision},
                                     {"commit", listing.commit}, {"folder", folder.string()},
                                     {"bytes", listing.bytes},   {"fetched", came}};
    for (const HubFile& file : listing.files) result["files"].push_back({{"name", file.name}, {"bytes", file.bytes}});
    return result;
}

}  // namespace

int fetch_command(const FetchOptions& o) {
    const StopSignals signals;
    std::vector<std::string> failures;
    for (const std::string& words : o.models) {
        nlohmann::ordered_json result;
        try {
            if (o.models.size() == 1)
                result = fetch_one(words, o.quiet);
            else if (std::string failure = tried(words, [&] { result = fetch_one(words, o.quiet); }); !failure.empty())
                failures.push_back(std::move(failure));
        } catch (const Cancelled&) {
            std::fprintf(stderr, "vitrine: stopped; what came is kept, and the next fetch continues there\n");
            return StopSignals::status();
        }
        if (result.is_null()) continue;
        if (o.json && o.models.size() == 1)
            print_json(result);
        else if (o.json)
            print_json_line(result);
        else
            std::printf("%s\n", printable(result["folder"].get<std::string>()).c_str());
    }
    if (!failures.empty()) fail(failures, o.models.size(), "models were fetched");
    return 0;
}

}  // namespace vitrine
