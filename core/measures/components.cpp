#include "core/measures/components.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace vitrine {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The rows minus their mean.
Matrix centred(const Tensor2& rows) {
    const auto n = static_cast<Eigen::Index>(rows.shape()[0]), d = static_cast<Eigen::Index>(rows.shape()[1]);
    Matrix x =
        Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(rows.data(), n, d)
            .cast<double>();
    x.rowwise() -= x.colwise().mean().eval();
    return x;
}

/// Flips the sign of a direction so that its number of largest magnitude is positive.
template <class Direction>
void orient(Direction direction) {
    Eigen::Index largest = 0;
    direction.cwiseAbs().maxCoeff(&largest);
    if (direction(largest) < 0) direction = -direction;
}

}  // namespace

Components principal_components(const Tensor2& rows, int count) {
    const Matrix x = centred(rows);
    // X Xᵀ and Xᵀ X have the same non-zero eigenvalues: the smaller one is decomposed.
    const bool wide = x.cols() > x.rows();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(wide ? Eigen::MatrixXd(x * x.transpose())
                                                                     : Eigen::MatrixXd(x.transpose() * x));
    const double total = x.squaredNorm();
    const Eigen::Index size = solver.eigenvalues().size();
    Eigen::Index kept = 0;
    while (kept < std::min<Eigen::Index>(count, size) && solver.eigenvalues()(size - 1 - kept) > 1e-12 * total) ++kept;

    Matrix directions(kept, x.cols());
    for (Eigen::Index k = 0; k < kept; ++k) {
        const Eigen::VectorXd v = solver.eigenvectors().col(size - 1 - k);
        directions.row(k) = wide ? (x.transpose() * v).normalized().transpose() : v.transpose();
        orient(directions.row(k));
    }
    const Matrix scores = x * directions.transpose();

    Components c{tensor2(static_cast<std::size_t>(kept), rows.shape()[1]),
                 tensor2(rows.shape()[0], static_cast<std::size_t>(kept)),
                 {}};
    std::transform(directions.data(), directions.data() + directions.size(), c.directions.data(),
                   [](double v) { return static_cast<float>(v); });
    std::transform(scores.data(), scores.data() + scores.size(), c.scores.data(),
                   [](double v) { return static_cast<float>(v); });
    for (Eigen::Index k = 0; k < kept; ++k)
        c.explained.push_back(static_cast<float>(solver.eigenvalues()(size - 1 - k) / total));
    return c;
}

Components filter_components(const Model& model, int count) {
    const Parameter& e = model.weights.patch_embedding.weight;
    Tensor2 filters = tensor2(e.shape()[0], e.shape()[1]);
    std::copy_n(e.data(), filters.size(), filters.data());
    return principal_components(filters, count);
}

Components token_components(const Config& c, const Trace& trace, int level) {
    const Tensor2& z = trace.z(level);
    Tensor2 patches = tensor2(static_cast<std::size_t>(c.patches()), z.shape()[1]);
    std::copy_n(&z(static_cast<std::size_t>(c.token_of(0)), 0), patches.size(), patches.data());
    return principal_components(patches, 3);
}

}  // namespace vitrine
