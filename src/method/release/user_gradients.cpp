#include "release/user_gradients.hpp"

#include <tulle/solve/to_model.hpp>

namespace tulle {

UserGradients::UserGradients(const PrivateRequest& request, const ModelLayout& layout,
                             const Standard& standard)
    : first_(static_cast<std::ptrdiff_t>(layout.start(request.terms.user_mode))),
      own_(static_cast<std::ptrdiff_t>(layout.factor_size(request.terms.user_mode))),
      shared_(layout.size() - layout.factor_size(request.terms.user_mode)),
      gradients_(request.data.observed().map([&](const SparseTensor& observed) {
        return SliceGradients(observed, layout, request.terms.user_mode, standard);
      })),
      count_(gradients_.map([](const SliceGradients& all) { return std::uint64_t{all.slices()}; })) {}

Noisy UserGradients::release(const ClippedSteps& steps, Curator& curator, std::span<const double> parameters,
                             double ridge, double clip) const {
  Noisy sum =
      steps.release(curator, gradients_, count_, clip, shared_, "sum of users' gradients",
                    [&](const SliceGradients& all, std::span<const std::uint64_t> users) {
                      ClippedSum full = all.sum(parameters, ridge, users, clip);
                      full.numbers.erase(full.numbers.begin() + first_, full.numbers.begin() + first_ + own_);
                      return full;
                    });
  sum.values.insert(sum.values.begin() + first_, static_cast<std::size_t>(own_), 0.0);
  return sum;
}

Protected<Model> UserGradients::with_own_rows(const std::vector<double>& parameters, double ridge,
                                              const Standard& standard) const {
  return gradients_.map([&](const SliceGradients& all) {
    return to_model(all.own_layout(), all.with_own_rows(parameters, ridge), standard.level, standard.scale);
  });
}

}  // namespace tulle
