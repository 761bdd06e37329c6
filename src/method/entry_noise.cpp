#include "entry_noise.hpp"

#include <tulle/base/error.hpp>
#include <tulle/privacy/account/calibrate.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Beyond, the piecewise mechanism proposes e^(epsilon/2) answers for each that it gives, and has more noise
// than staircase anyway.
constexpr double kMostPiecewise = 9;

class NoiseByName {
 public:
  NoiseByName(const PrivateRequest& request, const Budget& budget, const EntryChanges& changes)
      : budget_(budget), unit_(request.terms.unit), relation_(request.relation), changes_(changes) {}

  AdditiveNoise make(std::string_view name) const {
    const double epsilon = budget_.epsilon;
    if (name == "laplace") return AdditiveNoise::laplace(sensitivity(), epsilon, changes_.numbers);
    if (name == "discrete-laplace")
      return AdditiveNoise::discrete_laplace(sensitivity(), epsilon, changes_.numbers);
    if (name == "staircase") return AdditiveNoise::staircase(sensitivity(), epsilon, changes_.numbers);
    if (name == "duchi")
      return AdditiveNoise::duchi(changes_.bounds, unit_, relation_, epsilon, changes_.numbers,
                                  changes_.changing);
    if (name == "piecewise")
      return AdditiveNoise::piecewise(changes_.bounds, unit_, relation_, epsilon, changes_.numbers,
                                      changes_.changing);
    return AdditiveNoise::gaussian(sensitivity(), gaussian_noise_for({epsilon, budget_.delta}),
                                   changes_.numbers);
  }

  // Whether to think of it when nobody asked for it.
  bool comes_to_mind(std::string_view name) const {
    const double each = budget_.epsilon / static_cast<double>(changes_.changing);
    if (name == "gaussian") return budget_.delta > 0;
    if (name == "duchi" || name == "staircase") return each <= kMostDrawnEpsilon;
    if (name == "piecewise") return each <= kMostPiecewise;
    return name != "discrete-laplace";  // only the user knows that the data are whole numbers
  }

 private:
  Sensitivity sensitivity() const {
    return Sensitivity::coordinates(changes_.most, changes_.changing, unit_, relation_);
  }

  Budget budget_;
  Unit unit_;
  Relation relation_;
  EntryChanges changes_;
};

}  // namespace

AdditiveNoise entry_noise(const PrivateRequest& request, const Budget& budget, const EntryChanges& changes,
                          std::span<const std::string_view> names) {
  const NoiseByName noise(request, budget, changes);
  const std::string& wanted = request.tuning.noise;
  if (!wanted.empty()) {
    if (std::ranges::find(names, wanted) == names.end())
      fail_usage("there is no noise '{}' here; there is: {}", wanted, fmt::join(names, ", "));
    if (wanted == "gaussian" && budget.delta == 0) fail_usage("gaussian noise needs a --delta above 0");
    return noise.make(wanted);
  }
  std::optional<AdditiveNoise> least;
  for (std::string_view name : names) {
    if (!noise.comes_to_mind(name)) continue;
    AdditiveNoise candidate = noise.make(name);
    if (!least || candidate.typical_deviation() < least->typical_deviation()) least = std::move(candidate);
  }
  return *least;
}

}  // namespace tulle
