#include "core/training/edge_pictures.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "core/base/team.h"
#include "core/files/image.h"
#include "core/measures/analysis.h"
#include "core/vit/forward.h"

namespace vitrine {

namespace {

Trace run_of(const Model& model, const PictureRequest& request) {
    const DrawnPicture picture = draw_picture(request);
    return forward_in_passing(model, preprocess(picture.image, model.preprocessing, model.config).pixels);
}

/// True if the model has a class of this name at that index.
bool names_class(const Model& model, int index, const PictureRequest& request) {
    const std::vector<std::string> names = picture_classes(true, request.set.scenes);
    return request.label && model.config.label(index) == names[static_cast<std::size_t>(*request.label)];
}

/// A section of the search's progress, reported by several threads.
class SharedProgress {
public:
    SharedProgress(const Progress& progress, double begin, double end, std::size_t count)
        : progress_(progress),
          begin_(begin),
          share_((end - begin) / static_cast<double>(std::max<std::size_t>(1, count))) {}

    void one_more() {
        if (!progress_) return;
        const std::lock_guard lock(mutex_);
        progress_(begin_ + share_ * ++done_);
    }

private:
    const Progress& progress_;
    double begin_, share_;
    int done_ = 0;
    std::mutex mutex_;
};

/// Indices of the pictures classified correctly with a probability of `sure_enough` or more, smallest margin first.
std::vector<std::size_t> near_the_edge(const EdgeSearch& search, SharedProgress shared) {
    std::vector<double> margins(search.pictures.size(), -1);
    parallel_for(search.pictures.size(), [&](std::size_t i) {
        const PictureRequest& request = search.pictures[i];
        const Trace trace = run_of(search.model, request);
        const Prediction first = top_predictions(*trace.head, 1).front();
        const ClassReading said = reading_of(*trace.head, first.index);
        const bool right = names_class(search.model, first.index, request) && said.probability >= sure_enough;
        if (right) margins[i] = said.margin;
        shared.one_more();
    });
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < margins.size(); ++i)
        if (margins[i] >= 0) places.push_back(i);
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return margins[a] < margins[b]; });
    return places;
}

}  // namespace

bool changes_more(const AnswerChange& one, const AnswerChange& other) {
    if (one.other_choice() != other.other_choice()) return one.other_choice();
    return std::abs(one.probability()) > std::abs(other.probability());
}

EdgePictures edge_pictures(const EdgeSearch& search, const Progress& progress) {
    constexpr double looking = 0.5;  // share of the whole, roughly
    std::vector<std::size_t> places =
        near_the_edge(search, SharedProgress(progress, 0, looking, search.pictures.size()));
    EdgePictures edges{static_cast<int>(places.size()), {}};
    places.resize(std::min(places.size(), static_cast<std::size_t>(std::max(0, search.tried))));
    edges.found.assign(search.what_ifs.size(), std::vector<EdgePicture>(places.size()));
    SharedProgress shared(progress, looking, 1, places.size());
    parallel_for(places.size(), [&](std::size_t i) {
        const PictureRequest& request = search.pictures[places[i]];
        const Trace trace = run_of(search.model, request);
        for (std::size_t w = 0; w < search.what_ifs.size(); ++w)
            edges.found[w][i] = {request,
                                 answer_change(*what_if(search.model, trace, search.what_ifs[w]).head, *trace.head)};
        shared.one_more();
    });
    for (std::vector<EdgePicture>& found : edges.found)
        std::stable_sort(found.begin(), found.end(),
                         [](const EdgePicture& a, const EdgePicture& b) { return changes_more(a.change, b.change); });
    return edges;
}

}  // namespace vitrine
