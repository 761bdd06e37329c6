// Why the sum of what sites send costs what one Gaussian release costs.
//
// Let h = sites - colluding. Site i rounds its own sum to a whole number x_i of cells and adds round(g_i),
// g_i normal with deviation s; a unit's data are at one site, so neighbours change one x_i, rounding included
// (Grid::l2_sensitivity). Sites that collude know their own parts and learn nothing of the others but what
// the exchange shows, the sum over the h honest ones: in each coordinate X + F, X = sum of x_i, F = sum of
// round(g_i). Claim: that costs what X + G does, G = sum of g_i, which has deviation sqrt(h) s.
//
// Let r_i = g_i - round(g_i) for i < h, and R their sum. G - R is a whole number plus g_h, so F = round(G -
// R) and X + F = round(X + G - R). If the r_i were independent of G, that would be post-processing of X + G.
// (h = 1: R = 0, and nothing is left to show.) Given G, (g_1, .., g_{h-1}) is normal with covariance s^2 (I -
// J/h), J all ones; so, by Poisson summation, the density of (r_1, .., r_{h-1}) on the unit cube is 1 + the
// sum over whole k != 0 of terms of absolute value exp(-2 pi^2 s^2 q(k)), q(k) = |k|^2 - (sum of k)^2 / h >=
// max(1/2, |k|^2/h). Hence it is within 1 +- eta of the uniform density, whatever G is, with eta < exp(-2^40)
// for s >= 2^20 cells (Grid::for_gaussian) and h <= 2^20. With uniform r_i the release is post-processing;
// over d coordinates its probabilities differ from that by factors within (1 +- eta)^d, which adds 3 d eta to
// epsilon and d eta delta to delta: far less than what the factor 1 + 4e-15 on the noise below is worth.
#include <tulle/base/error.hpp>
#include <tulle/privacy/shared_noise.hpp>

#include <cmath>

namespace tulle {
namespace {

AdditiveNoise share_of(const AdditiveNoise& noise, std::size_t sites, int colluding,
                       const std::string& what) {
  const auto* release = std::get_if<GaussianRelease>(&noise.event().mechanism());
  if (!release) fail("{}: {} noise cannot be shared out among sites; use Gaussian noise", what, noise.name());
  if (sites < 2 || sites > std::size_t{1} << 20)
    fail_usage("{}: {} sites; noise is shared out among 2 or more", what, sites);
  if (colluding < 0 || static_cast<std::size_t>(colluding) >= sites)
    fail_usage("{} of {} sites may collude; give from 0 to {}", colluding, sites, sites - 1);
  const double honest = static_cast<double>(sites) - colluding;
  return AdditiveNoise::gaussian(
      noise.sensitivity(), release->noise_multiplier / std::sqrt(honest) * (1 + 4e-15), noise.coordinates());
}

}  // namespace

SharedNoise::SharedNoise(const AdditiveNoise& noise, std::size_t sites, int colluding,
                         const std::string& what)
    : sites_(sites), colluding_(colluding), share_(share_of(noise, sites, colluding, what)) {}

double SharedNoise::deviation() const {
  return share_.deviation() * std::sqrt(static_cast<double>(sites_));
}

std::string SharedNoise::adversary() const {
  if (colluding_ == 0) return "anybody who sees the releases and is none of the sites";
  if (colluding_ == 1)
    return fmt::format("anybody who sees the releases, and any one of the {} sites about the others' data",
                       sites_);
  return fmt::format(
      "anybody who sees the releases, and any {} of the {} sites together about the others' data", colluding_,
      sites_);
}

// Where all sites but one collude, they know what the last one sent by the sum alone.
std::string SharedNoise::assumption() const {
  if (static_cast<std::size_t>(colluding_) + 1 == sites_) return "";
  return "the exchange hides what single sites send (masks by AES-256)";
}

const GridNoise& SharedNoise::on_grid() const {
  return std::get<GridNoise>(share_.noise_);
}

// Whole numbers of cells all the way: a double would round each site's part by itself beyond 2^53.
std::vector<std::uint64_t> SharedNoise::message(std::span<const double> answer, RandomBits* bits) const {
  std::vector<std::int64_t> cells;
  for (double value : answer) cells.push_back(on_grid().grid().round(value));
  if (bits) release(std::span(cells), on_grid().noise(), *bits);
  return {cells.begin(), cells.end()};
}

std::vector<double> SharedNoise::values(std::span<const std::uint64_t> sum) const {
  std::vector<double> values;
  for (std::uint64_t cells : sum) values.push_back(on_grid().grid().value(static_cast<std::int64_t>(cells)));
  return values;
}

}  // namespace tulle
