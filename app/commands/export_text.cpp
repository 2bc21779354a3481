#include <algorithm>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/describe_text.h"
#include "app/commands/image_list.h"
#include "app/commands/outputs.h"
#include "app/commands/progress_line.h"
#include "app/commands/tried.h"
#include "app/exports/output_folder.h"
#include "app/exports/table_export.h"
#include "app/platform/threads.h"
#include "core/base/names.h"
#include "core/measures/text/text_catalogue.h"
#include "core/measures/text/text_measures.h"
#include "core/measures/text/text_patching.h"
#include "core/text/text_checkpoint.h"

namespace vitrine {

namespace {

namespace fs = std::filesystem;

/// The requested measures; "all" is every one that the model has. Throws UsageError for an unknown one.
std::vector<std::string> text_measures_of(const ExportOptions& o, const TextConfig& config) {
    const std::vector<TextMeasureEntry> catalogue = text_measure_catalogue(&config);
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const std::string& name : o.measures) {
        if (name == "all") {
            for (const TextMeasureEntry& entry : catalogue) add(entry.name);
            continue;
        }
        if (name == "patching") {
            if (o.patch_from.empty())
                throw UsageError("--what patching: compares two sentences; give --patch-from SENTENCE");
        } else if (std::ranges::find(catalogue, name, &TextMeasureEntry::name) == catalogue.end())
            throw UsageError("--what " + name +
                             ": is not a measure of this text model; vitrine export --help lists them");
        add(name);
    }
    return names;
}

void check_text_options(const ExportOptions& o) {
    if (o.images.empty()) throw UsageError("export --text: name sentences, @FILE with one a line, or -");
    if (!value_in(table_format_names, o.format))
        throw UsageError("--format " + o.format + ": measures of texts are written as " +
                         listed(names_of(table_format_names)));
    if (o.stack) throw UsageError("--stack: sentences have arrays of different shapes; leave it out");
    check_is_name("--out", o.out);
}

/// Patching from another sentence, a row for each block.
Table patching_table(const TextModel& model, const TextRun& run, const TextRun& from, PatchSite site) {
    const TextPatchingMap map = text_patching({model, text_to_patch(model, from), text_to_patch(model, run), {}, site});
    const TextTrace& trace = run.trace;
    std::vector<std::string> blocks, words;
    for (std::size_t l = 1; l <= map.returned.shape()[0]; ++l) blocks.push_back(std::to_string(l));
    const bool encoder = map.stack == Stack::encoder;
    for (std::size_t i = 0; !is_by_head(site) && i < map.returned.shape()[1]; ++i)
        words.push_back(encoder ? model.source.word(trace.batch->source.ids[i])
                                : model.target.word(trace.batch->target.ids[i]));
    return {"patching",
            {"block", is_by_head(site) ? "head" : "word"},
            {map.returned.shape()[0], map.returned.shape()[1]},
            {map.returned.begin(), map.returned.end()},
            {blocks, words}};
}

/// A number with leading zeros, "07" of 12, so that names are sorted as their numbers.
std::string numbered(std::size_t number, std::size_t count) {
    const std::string words = std::to_string(number);
    return std::string(std::to_string(count).size() - words.size(), '0') + words;
}

}  // namespace

int export_text_command(const ExportOptions& o) {
    check_text_options(o);
    if (o.threads > 0) limit_threads(o.threads);
    const SentenceList list = sentence_list(o.images);
    const auto model = text_model_of({o.task, o.to, o.model.path});
    const std::vector<std::string> names = text_measures_of(o, model->config);
    OutputGuard guard = guard_of(o.force, {});
    if (!o.model.path.empty())
        for (const fs::path& file : files_of_text_model(o.model.path)) guard.reads(file);
    Manifest::Json facts = facts_of_text_model(*model, o.model.path);
    TextRun from;
    if (!o.patch_from.empty()) {
        const std::vector<std::string> words = words_to_read(*model, o.patch_from);
        if (words.empty()) throw Error("--patch-from: \"" + o.patch_from + "\" has no words; write a sentence");
        from = run_text(*model, words);
        facts["patch_from"] = o.patch_from;
        facts["site"] = o.site;
    }
    const PatchSite site = *value_in(patch_site_names, o.site);
    ProgressLine line(o.quiet);
    std::vector<std::string> failures;
    const std::size_t count = list.sentences.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::string& sentence = list.sentences[i];
        line.at(static_cast<double>(i) / static_cast<double>(count),
                std::to_string(i) + " / " + std::to_string(count) + " sentences");
        const fs::path folder = list.many || o.each ? o.out / numbered(i + 1, count) : o.out;
        Manifest::Json row = {{"text", sentence}};
        const std::string failure = tried("\"" + sentence + "\"", [&] {
            const std::vector<std::string> words = words_to_read(*model, sentence);
            if (words.empty()) throw Error("\"" + sentence + "\": has no words; write a sentence");
            TextRun run;
            TextMeasures measures;
            const TableExport tables{facts_of_text_run(facts, words, {}),
                                     names,
                                     o.format,
                                     guard,
                                     o.resume,
                                     [&](Manifest& manifest) {
                                         run = run_text(*model, words);
                                         measures = measure_text(*model, run);
                                         manifest.set_output(run.output);
                                     },
                                     [&](const std::string& name, const Progress&) {
                                         if (name == "patching") return patching_table(*model, run, from, site);
                                         return text_measure({*model, run, measures}, name);
                                     }};
            const ExportedFiles files = export_tables(tables, folder);
            row["folder"] = folder.string();
            row["written"] = files.written;
            row["kept"] = files.kept;
        });
        if (!failure.empty()) failures.push_back(failure), row["error"] = failure;
        if (o.json) print_json_line(row);
    }
    if (!failures.empty()) fail(failures, count, "sentences were written");
    return 0;
}

}  // namespace vitrine
