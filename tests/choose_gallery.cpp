// choose_gallery gallery.json [MODEL...]: chooses anew for the bundled models, or for these folders; see
// gallery_choice.h.

#include <cstdio>
#include <fstream>

#include "core/base/error.h"
#include "tests/gallery_choice.h"

int main(int argc, char** argv) {
    using namespace vitrine;
    if (argc < 2) return 2;
    try {
        std::ifstream in(argv[1]);
        auto gallery = nlohmann::json::parse(in).get<Gallery>();
        in.close();
        if (argc == 2)
            for (const BundledModel& model : bundled_models()) choose_gallery(*open_model(source_of(model)), gallery);
        for (int i = 2; i < argc; ++i) choose_gallery(*open_model(model_source(argv[i], {})), gallery);
        std::ofstream(argv[1]) << nlohmann::json(gallery).dump(1) << "\n";
    } catch (const std::exception& error) {
        std::fprintf(stderr, "choose_gallery: %s\n", error.what());
        return 1;
    }
    return 0;
}
