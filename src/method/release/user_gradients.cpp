#include "release/user_gradients.hpp"

namespace tulle {

UserGradients::UserGradients(const PrivateRequest& request, CoupledLayout layout,
                             std::vector<Standard> standards)
    : device_(device_or_cpu(request.fit.device)),
      user_mode_(request.terms.user_mode),
      observed_(request.data.observed()),
      layout_(std::move(layout)),
      standards_(std::move(standards)),
      first_(static_cast<std::ptrdiff_t>(layout_.entities().start(request.terms.user_mode))),
      own_(static_cast<std::ptrdiff_t>(layout_.entities().factor_size(request.terms.user_mode))),
      shared_(layout_.entities().size() - layout_.entities().factor_size(request.terms.user_mode)),
      gradients_(request.data.observed().map([&](const SparseTensor& observed) {
        return device_.clipped_slices(observed, layout_.tensor(), request.terms.user_mode,
                                      layout_.tables(standards_));
      })),
      count_(gradients_.map([](const auto& all) { return std::uint64_t{all->slices()}; })) {}

Noisy UserGradients::release(const ClippedSteps& steps, Curator& curator, std::span<const double> parameters,
                             double ridge, double clip) const {
  const std::vector<double> all_parameters = layout_.to_tensor(parameters);
  Noisy sum =
      steps.release(curator, gradients_, count_, clip, shared_, "sum of users' gradients",
                    [&](const auto& all, std::span<const std::uint64_t> users) {
                      ClippedSum full = all->sum(all_parameters, ridge, users, clip);
                      full.numbers = layout_.to_entities(full.numbers);
                      full.numbers.erase(full.numbers.begin() + first_, full.numbers.begin() + first_ + own_);
                      return full;
                    });
  sum.values.insert(sum.values.begin() + first_, static_cast<std::size_t>(own_), 0.0);
  return sum;
}

Protected<Model> UserGradients::with_own_rows(const std::vector<double>& parameters, double ridge) const {
  return gradients_.map([&](const auto& all) {
    return layout_.model(all->own_layout(), all->with_own_rows(layout_.to_tensor(parameters), ridge),
                         standards_);
  });
}

namespace {

// Fits the site's own rows of an entity, as far as they have cells, to all cells with that entity.
void fit_local(const Device& device, const SparseTensor& observed, const ModelLayout& layout,
               const SliceTables& tables, const Coupling::Local& local, double ridge,
               std::vector<double>& numbers) {
  const std::vector<double> fitted =
      device.clipped_slices(observed, layout, local.entity, tables)->with_own_rows(numbers, ridge);
  std::vector<bool> has_cells(layout.shape()[local.entity]);
  for (Index position : observed.column(local.entity)) has_cells[position] = true;
  for (Index position = local.first; position < local.first + local.count; ++position)
    if (has_cells[position])
      for (std::size_t k = 0; k < layout.columns(local.entity); ++k)
        numbers[layout.row(local.entity, position) + k] = fitted[layout.row(local.entity, position) + k];
}

}  // namespace

Protected<Model> UserGradients::with_local_rows(const std::vector<double>& parameters, double ridge,
                                                const std::vector<Coupling::Local>& local) const {
  constexpr int kSweeps = 5;
  return observed_.map([&](const SparseTensor& observed) {
    const SliceTables tables = layout_.tables(standards_);
    const auto users = device_.clipped_slices(observed, layout_.tensor(), user_mode_, tables);
    const ModelLayout own = users->own_layout();
    std::vector<double> numbers = users->with_own_rows(layout_.to_tensor(parameters), ridge);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      for (const Coupling::Local& entity : local)
        fit_local(device_, observed, own, tables, entity, ridge, numbers);
      numbers = device_.clipped_slices(observed, own, user_mode_, tables)->with_own_rows(numbers, ridge);
    }
    return layout_.model(own, numbers, standards_);
  });
}

}  // namespace tulle
