#include "app/jobs/probing.h"

#include <utility>

namespace vitrine {

namespace {

using Job = Latest<ProbeRequest, Probed>;

void carry_out_probe(Job::Run& run) {
    const ProbeRequest& request = run.request();
    Probed done{request.folder, request.model->provenance.name, own_pictures_in(request.folder), {}};
    check_own_pictures(done.pictures, request.folder);
    done.probe = learn_probe(request.model, done.pictures, name_of_folder(request.folder), {}, run.progress());
    run.publish(std::make_shared<const Probed>(std::move(done)));
}

}  // namespace

Probing::Probing(std::function<void()> on_change) : job_(carry_out_probe, std::move(on_change), ThreadPriority::low) {}

std::string Probing::take_failure() {
    const std::shared_ptr<const std::string> failure = job_.take_failure(only);
    return failure ? *failure : std::string();
}

Probing::State Probing::latest() const {
    const Job::State now = job_.latest(only);
    return {now.result, now.running, now.fraction};
}

}  // namespace vitrine
