#include "app/jobs/probing.h"

#include <utility>

namespace vitrine {

namespace {

void carry_out_probe(Probing::Run& run) {
    const ProbeRequest& request = run.request();
    Probed done{request.folder, request.model->provenance.name, own_pictures_in(request.folder), {}};
    check_own_pictures(done.pictures, request.folder);
    done.probe = learn_probe(request.model, done.pictures, name_of_folder(request.folder), {}, run.progress());
    run.publish(std::make_shared<const Probed>(std::move(done)));
}

}  // namespace

Probing::Probing(std::function<void()> on_change)
    : Latest(carry_out_probe, std::move(on_change), ThreadPriority::low) {}

}  // namespace vitrine
