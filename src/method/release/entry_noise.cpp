#include "entry_noise.hpp"

#include <tulle/base/error.hpp>

#include <algorithm>
#include <cmath>

namespace tulle {
namespace {

// Beyond, the piecewise mechanism proposes e^(epsilon/2) answers for each that it gives, and has more noise
// than staircase anyway.
constexpr double kMostPiecewise = 9;

class NoiseForEntries {
 public:
  NoiseForEntries(const PrivateRequest& request, const Allowance& allowance, const EntryChanges& changes)
      : allowance_(allowance), unit_(request.terms.unit), relation_(request.relation), changes_(changes) {}

  AdditiveNoise make(NoiseKind kind) const {
    const double epsilon = allowance_.epsilon;
    switch (kind) {
      case NoiseKind::laplace:
        return AdditiveNoise::laplace(sensitivity(), epsilon, changes_.numbers);
      case NoiseKind::discrete_laplace:
        return AdditiveNoise::discrete_laplace(sensitivity(), epsilon, changes_.numbers);
      case NoiseKind::staircase:
        return AdditiveNoise::staircase(sensitivity(), epsilon, changes_.numbers);
      case NoiseKind::duchi:
        return AdditiveNoise::duchi(changes_.bounds, unit_, relation_, epsilon, changes_.numbers,
                                    changes_.changing);
      case NoiseKind::piecewise:
        return AdditiveNoise::piecewise(changes_.bounds, unit_, relation_, epsilon, changes_.numbers,
                                        changes_.changing);
      case NoiseKind::gaussian:
        break;
    }
    return AdditiveNoise::gaussian(sensitivity(), allowance_.noise_multiplier.value(), changes_.numbers);
  }

  // Whether it is a candidate when none was asked for.
  bool is_candidate(NoiseKind kind) const {
    const double each = allowance_.epsilon / static_cast<double>(changes_.changing);
    if (kind == NoiseKind::gaussian) return allowance_.noise_multiplier.has_value();
    if (kind == NoiseKind::duchi || kind == NoiseKind::staircase) return each <= kMostDrawnEpsilon;
    if (kind == NoiseKind::piecewise) return each <= kMostPiecewise;
    return kind != NoiseKind::discrete_laplace;  // only the user knows that the data are whole numbers
  }

 private:
  Sensitivity sensitivity() const {
    return Sensitivity::coordinates(changes_.most, changes_.changing, unit_, relation_);
  }

  Allowance allowance_;
  Unit unit_;
  Relation relation_;
  EntryChanges changes_;
};

}  // namespace

AdditiveNoise entry_noise(const PrivateRequest& request, const Allowance& allowance,
                          const EntryChanges& changes, std::span<const NoiseKind> kinds) {
  const NoiseForEntries noise(request, allowance, changes);
  if (const auto wanted = request.settings.get(setting::noise)) {
    if (std::ranges::find(kinds, *wanted) == kinds.end())
      fail_usage("there is no {} noise for these releases; omit it", name(*wanted));
    if (*wanted == NoiseKind::gaussian && !allowance.noise_multiplier)
      fail_usage("gaussian noise needs a delta above 0");
    return noise.make(*wanted);
  }
  std::optional<AdditiveNoise> least;
  for (NoiseKind kind : kinds) {
    if (!noise.is_candidate(kind)) continue;
    AdditiveNoise candidate = noise.make(kind);
    if (!least || candidate.typical_deviation() < least->typical_deviation()) least = std::move(candidate);
  }
  return *least;
}

}  // namespace tulle
