#include <algorithm>
#include <cstdio>

#include "app/commands/commands.h"
#include "app/commands/progress_line.h"
#include "app/exports/describe.h"
#include "app/library/edges.h"
#include "app/library/library.h"
#include "app/library/samples.h"
#include "app/platform/printable.h"
#include "core/base/team.h"
#include "core/training/recipe.h"

namespace vitrine {

namespace {

using Json = nlohmann::ordered_json;

/// The pictures to search: from the model's own set, unless the user names another one.
EdgeCandidates candidates_of(const FindEdgeOptions& o, const Model& model) {
    EdgeCandidates of{pictures_of(model), o.count, o.seed};
    if (!o.scenes.empty()) of.set = {.pairs = of.set.pairs, .scenes = *value_in(scenes_names, o.scenes)};
    of.set.difficulty = *value_in(difficulty_names, o.difficulty);
    return of;
}

/// Throws Error if the scenes' pictures show none of the model's classes.
void check_names(const Model& model, Scenes scenes) {
    const std::vector<std::string> drawn = picture_classes(true, scenes);
    for (int i = 0; i < model.config.classes; ++i)
        if (std::ranges::find(drawn, model.config.label(i)) != drawn.end()) return;
    throw Error(model.provenance.name + ": none of its classes is on the pictures of --scenes " + name_of(scenes) +
                "; give the --scenes it was trained on, or a --model trained on drawn pictures");
}

Json edge_json(const EdgePicture& edge, const Model& model) {
    return {{"picture", sample_word(edge.picture)}, {"change", describe(edge.change, model)}};
}

void print_edges_json(const FindEdgeOptions& o, const Model& model, const EdgeCandidates& of,
                      const EdgePictures& edges) {
    Json pictures = Json::array();
    for (const EdgePicture& edge : edges.found.front()) pictures.push_back(edge_json(edge, model));
    const Json j = {{"model", model.provenance.name},
                    {"what_if", o.what_ifs},
                    {"scenes", name_of(of.set.scenes)},
                    {"difficulty", name_of(of.set.difficulty)},
                    {"count", of.count},
                    {"seed", of.seed},
                    {"right", edges.right},
                    {"tried", std::min(o.tried, edges.right)},
                    {"pictures", pictures}};
    std::printf("%s\n", printable_json(j.dump(2, ' ', false, Json::error_handler_t::replace)).c_str());
}

void print_edges(const FindEdgeOptions& o, const Model& model, const EdgePictures& edges) {
    std::printf("%s: of %d pictures %d named correctly with %.0f %% or more; tried: the %d with the smallest margins\n",
                printable(model.provenance.name).c_str(), o.count, edges.right, 100 * sure_enough,
                std::min(o.tried, edges.right));
    for (const EdgePicture& edge : edges.found.front())
        std::printf("%s\n    %s\n", sample_word(edge.picture).c_str(),
                    printable(summary_of(edge.change, model)).c_str());
}

}  // namespace

int find_edge_command(const FindEdgeOptions& o) {
    if (o.threads > 0) set_thread_count(o.threads);
    const auto model = open_model(o.model.source());
    const std::vector<Interventions> what_ifs = {what_ifs_for(*model, o.what_ifs, o.model.colours())};
    const EdgeCandidates of = candidates_of(o, *model);
    check_names(*model, of.set.scenes);
    const std::vector<PictureRequest> pictures = edge_candidates(of);
    ProgressLine line(o.quiet);
    EdgePictures edges = edge_pictures({*model, pictures, what_ifs, o.tried}, line.progress());
    if (edges.found.front().empty())
        throw Error(model->provenance.name + ": it names none of these " + std::to_string(o.count) +
                    " pictures correctly with " + std::to_string(static_cast<int>(100 * sure_enough)) +
                    " % or more; try more with --count, others with --seed, or the --scenes it was trained on");
    std::vector<EdgePicture>& found = edges.found.front();
    found.resize(std::min(found.size(), static_cast<std::size_t>(o.top)));
    o.json ? print_edges_json(o, *model, of, edges) : print_edges(o, *model, edges);
    return 0;
}

}  // namespace vitrine
