// Proof that the sum of what sites send costs what one Gaussian release costs.
//
// Let h be the sites of a sum that do not collude: all of them without `colluding` or, if sites may drop out,
// the fewest that a sum may be over without `colluding`. Site i rounds its own sum to a whole number x_i of
// cells and adds round(g_i), g_i normal with standard deviation s. If a unit's data are at one site,
// neighbours change one x_i, rounding included (Grid::l2_sensitivity). Sites that collude know their own
// parts and learn only what the exchange shows of the others, the sum over the h honest ones: in each
// coordinate X + F, X = sum of x_i, F = sum of round(g_i). Claim: that costs what X + G does, G = sum of g_i,
// which has standard deviation sqrt(h) s.
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
//
// If more honest sites remain than the fewest, the sum has the noise of h of them and, independent of it,
// values and noise of the others, which are added without regard to the data of the h: post-processing. This
// holds for every set of h or more, whoever chooses who drops out: what sites sent by then is masked.
//
// If a unit's data are at up to k sites, neighbours change k of the x_i, each by no more than before: X
// changes by k times as much, and every site adds k times the noise. Some of the others above may then have
// data of the unit too; so let h be all honest sites of the sum, with no less noise together.
//
// All of this holds given the units that the sites sampled. If each site draws a Poisson sample of its own
// units, by coins that it keeps to itself, the units of all sites are a Poisson sample, and the release costs
// what one Gaussian release on such a sample costs. The parts of a unit at k sites are a group of k there,
// each with its own coin (PoissonSampling::for_group).
#include <tulle/base/error.hpp>
#include <tulle/privacy/shared_noise.hpp>

#include <cmath>

namespace tulle {
namespace {

SharingSites checked(SharingSites sharing, const std::string& what) {
  if (sharing.sites < 2 || sharing.sites > std::size_t{1} << 20)
    fail_usage("{}: {} sites; noise is shared out among 2 or more", what, sharing.sites);
  const int sites = static_cast<int>(sharing.sites);
  if (sharing.colluding < 0 || sharing.colluding >= sites)
    fail_usage("{} of {} sites may collude; give from 0 to {}", sharing.colluding, sites, sites - 1);
  if (sharing.fewest == 0) sharing.fewest = sites;
  if (sharing.fewest <= sharing.colluding || sharing.fewest > sites)
    fail_usage("{}: sums over {} of {} sites, {} of which may collude; give from {} to {}", what,
               sharing.fewest, sites, sharing.colluding, sharing.colluding + 1, sites);
  if (sharing.overlap < 1 || sharing.overlap > sites)
    fail_usage("{}: a unit's data at {} of {} sites; give from 1 to {}", what, sharing.overlap, sites, sites);
  return sharing;
}

AdditiveNoise share_of(const AdditiveNoise& noise, const SharingSites& sharing, const std::string& what) {
  const auto* release = std::get_if<GaussianRelease>(&noise.event().mechanism());
  if (!release) fail("{}: {} noise cannot be shared out among sites; use Gaussian noise", what, noise.name());
  const double honest = sharing.fewest - sharing.colluding;
  const double multiplier = release->noise_multiplier * sharing.overlap / std::sqrt(honest);
  return AdditiveNoise::gaussian(noise.sensitivity(), multiplier * (1 + 4e-15), noise.coordinates());
}

}  // namespace

SharedNoise::SharedNoise(const AdditiveNoise& noise, const SharingSites& sharing, const std::string& what)
    : sharing_(checked(sharing, what)), share_(share_of(noise, sharing_, what)) {}

double SharedNoise::deviation(std::size_t sites) const {
  return share_.deviation() * std::sqrt(static_cast<double>(sites));
}

std::string SharedNoise::adversary() const {
  if (sharing_.colluding == 0)
    return fmt::format("anybody who sees the releases{} and is none of the sites",
                       sharing_.server ? ", the server among them," : "");
  const std::string sites = sharing_.colluding == 1 ? "one" : fmt::format("{}", sharing_.colluding);
  return fmt::format("anybody who sees the releases, and {}any {} of the {} sites{} about the others' data",
                     sharing_.server ? "the server with " : "", sites, sharing_.sites,
                     sharing_.colluding == 1 ? "" : " together");
}

// If all other sites of a sum may collude, every site adds all of the noise by itself.
std::string SharedNoise::assumption() const {
  const std::string where =
      fmt::format("the data of each protected unit are at {}",
                  sharing_.overlap == 1 ? "one site" : fmt::format("{} sites at most", sharing_.overlap));
  if (sharing_.fewest - sharing_.colluding == 1) return where;
  return where +
         "; the other sites add their noise; the exchange hides what single sites send (masks by X25519 and "
         "AES-256) and hands on the sites' keys unaltered";
}

const GridNoise& SharedNoise::on_grid() const {
  return std::get<GridNoise>(share_.noise_);
}

// Whole numbers of cells throughout: beyond 2^53 a double would round each site's part separately.
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
