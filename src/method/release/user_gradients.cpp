#include "release/user_gradients.hpp"

namespace tulle {

UserGradients::UserGradients(const PrivateRequest& request, CoupledLayout layout,
                             std::vector<Standard> standards)
    : layout_(std::move(layout)),
      standards_(std::move(standards)),
      first_(static_cast<std::ptrdiff_t>(layout_.entities().start(request.terms.user_mode))),
      own_(static_cast<std::ptrdiff_t>(layout_.entities().factor_size(request.terms.user_mode))),
      shared_(layout_.entities().size() - layout_.entities().factor_size(request.terms.user_mode)),
      gradients_(request.data.observed().map([&](const SparseTensor& observed) {
        return SliceGradients(observed, layout_.tensor(), request.terms.user_mode,
                              layout_.tables(standards_));
      })),
      count_(gradients_.map([](const SliceGradients& all) { return std::uint64_t{all.slices()}; })) {}

Noisy UserGradients::release(const ClippedSteps& steps, Curator& curator, std::span<const double> parameters,
                             double ridge, double clip) const {
  const std::vector<double> all_parameters = layout_.to_tensor(parameters);
  Noisy sum =
      steps.release(curator, gradients_, count_, clip, shared_, "sum of users' gradients",
                    [&](const SliceGradients& all, std::span<const std::uint64_t> users) {
                      ClippedSum full = all.sum(all_parameters, ridge, users, clip);
                      full.numbers = layout_.to_entities(full.numbers);
                      full.numbers.erase(full.numbers.begin() + first_, full.numbers.begin() + first_ + own_);
                      return full;
                    });
  sum.values.insert(sum.values.begin() + first_, static_cast<std::size_t>(own_), 0.0);
  return sum;
}

Protected<Model> UserGradients::with_own_rows(const std::vector<double>& parameters, double ridge) const {
  return gradients_.map([&](const SliceGradients& all) {
    return layout_.model(all.own_layout(), all.with_own_rows(layout_.to_tensor(parameters), ridge),
                         standards_);
  });
}

}  // namespace tulle
