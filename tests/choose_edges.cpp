// choose_edges edges.json [NAME...]: finds pictures near the edge anew, for the bundled models or for those of these
// names; the others' stay.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/library/edges.h"
#include "app/library/library.h"
#include "core/base/error.h"

int main(int argc, char** argv) {
    using namespace vitrine;
    if (argc < 2) return 2;
    try {
        nlohmann::ordered_json edges;
        if (std::ifstream in(argv[1]); in) edges = nlohmann::ordered_json::parse(in);
        for (const BundledModel& model : bundled_models()) {
            const auto wanted = [&](const char* name) { return model.name == std::string(name); };
            if (argc > 2 && std::none_of(argv + 2, argv + argc, wanted)) continue;
            const auto tell = [&](double share) {
                std::fprintf(stderr, "\rchoose_edges: %s %3.0f %%", model.name, 100 * share);
            };
            edges[model.name] = nlohmann::ordered_json::object();
            for (const auto& [word, picture] : find_edges(*open_model(source_of(model)), tell))
                edges[model.name][word] = picture;
            std::fprintf(stderr, "\n");
        }
        std::ofstream(argv[1]) << edges.dump(1) << "\n";
    } catch (const std::exception& error) {
        std::fprintf(stderr, "choose_edges: %s\n", error.what());
        return 1;
    }
    return 0;
}
