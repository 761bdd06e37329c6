#include <tulle/base/error.hpp>
#include <tulle/privacy/curator.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tulle {
namespace {

constexpr std::size_t kNumbers = 20000;

std::vector<std::uint64_t> add_up(const std::vector<std::vector<std::uint64_t>>& parts) {
  std::vector<std::uint64_t> sums(parts.front().size());
  for (const auto& part : parts)
    for (std::size_t i = 0; i < part.size(); ++i) sums[i] += part[i];
  return sums;
}

AdditiveNoise gaussian(double multiplier, std::uint64_t numbers = kNumbers) {
  return AdditiveNoise::gaussian(Sensitivity::l2(2, Unit::document, Relation::replace), multiplier, numbers);
}

Curator curator_of_documents() {
  return Curator::with_budget({10, 1e-6}, Unit::document, Relation::replace, RandomBits::seeded(1));
}

double variance_around(const Noisy& sums, double mean) {
  double squares = 0;
  for (double value : sums.values) squares += (value - mean) * (value - mean);
  return squares / static_cast<double>(sums.values.size());
}

// What all sites send in one run, each with a curator of its own, and what they then have.
struct AtSites {
  std::vector<std::vector<std::uint64_t>> sent;
  std::vector<Noisy> released;
  std::vector<Guarantee> guarantees;
};

// Sites beyond `left` drop out before their numbers are added.
AtSites release_at_sites(const AdditiveNoise& noise, const SharingSites& sharing, std::size_t left,
                         bool is_private = true) {
  AtSites result;
  std::vector<Curator> curators;
  for (std::size_t site = 0; site < sharing.sites; ++site)
    curators.push_back(is_private ? Curator::with_budget({10, 1e-6}, Unit::document, Relation::replace,
                                                         RandomBits::seeded(site))
                                  : Curator::without_privacy());
  const auto run = [&](std::size_t site, const auto& sum) {
    curators[site].join_sites({sharing, sum});
    return curators[site].release(
        Protected<double>(static_cast<double>(site)), noise, "sums",
        [&](double value) { return std::vector<double>(noise.coordinates(), value); });
  };
  // First what each site sends; then all are told the sum.
  for (std::size_t site = 0; site < sharing.sites; ++site)
    run(site, [&](const std::vector<std::uint64_t>& own) {
      result.sent.push_back(own);
      return Curator::SiteTotal{own, sharing.sites};
    });
  const Curator::SiteTotal total{
      add_up({result.sent.begin(), result.sent.begin() + static_cast<std::ptrdiff_t>(left)}), left};
  for (std::size_t site = 0; site < sharing.sites; ++site) {
    curators[site] = is_private ? Curator::with_budget({10, 1e-6}, Unit::document, Relation::replace,
                                                       RandomBits::seeded(site))
                                : Curator::without_privacy();
    result.released.push_back(run(site, [&](const std::vector<std::uint64_t>& own) {
      EXPECT_EQ(own, result.sent[site]) << "seeded";
      return total;
    }));
    result.guarantees.push_back(curators[site].guarantee());
  }
  return result;
}

// The variance of 20000 numbers is known to 1 %: 5.3 of these are exceeded with probability 1e-7.
TEST(SharedNoise, AgainstOutsidersTheSumHasTheNoiseOfACentralRelease) {
  const AtSites run = release_at_sites(gaussian(3), {.sites = 5, .colluding = 0}, 5);
  EXPECT_NEAR(run.released[0].deviation, 6, 1e-4);
  EXPECT_NEAR(variance_around(run.released[0], 10), 36, 36 * 0.053);
  Curator central = curator_of_documents();
  central.release(Protected<int>(0), gaussian(3), "sums", [](int) { return std::vector<double>(kNumbers); });
  for (const Guarantee& guarantee : run.guarantees)
    EXPECT_EQ(guarantee.spent->epsilon, central.guarantee().spent->epsilon);
}

TEST(SharedNoise, ColludingSitesCostVariance) {
  const AtSites run = release_at_sites(gaussian(3), {.sites = 5, .colluding = 2}, 5);
  EXPECT_NEAR(run.released[0].deviation, 6 * std::sqrt(5.0 / 3), 1e-4);
  EXPECT_NEAR(variance_around(run.released[0], 10), 36 * 5 / 3.0, 60 * 0.053);
}

// What the colluding sites are left with when they have subtracted all they know: it has the noise that was
// paid for, down to one honest site among two.
TEST(SharedNoise, WhatTheHonestSitesAddHasTheNoiseOfACentralRelease) {
  for (const auto& [count, colluding] : {std::pair{2, 1}, {5, 2}, {5, 4}}) {
    const SharingSites sharing{.sites = static_cast<std::size_t>(count), .colluding = colluding};
    const AtSites run = release_at_sites(gaussian(3), sharing, sharing.sites);
    const SharedNoise shares(gaussian(3), sharing, "sums");
    const Noisy honest{shares.values(add_up({run.sent.begin() + colluding, run.sent.end()}))};
    double answers = 0;
    for (int site = colluding; site < count; ++site) answers += site;
    EXPECT_NEAR(variance_around(honest, answers), 36, 36 * 0.053) << count << " " << colluding;
  }
}

// The fact that the proof in shared_noise.cpp stands on, for two sites with deviations so small that the
// error shows: the sum of two rounded Gaussians is that of round(G - U), G normal with the deviation of both,
// U uniform, up to a factor within 1 +- eta. Here q(k) = k^2 / 2, so eta = 2 exp(-pi^2 s^2) (1 + 1e-9).
TEST(SharedNoise, ASumOfRoundedGaussiansIsARoundedGaussianPlusAUniform) {
  for (const double s : {1.0, 1.3}) {
    const auto rounded = RoundedGaussian::with_sigma_at_least(s);
    const double eta = 2 * std::exp(-M_PI * M_PI * s * s);
    double largest = 0;
    for (std::int64_t y = -8; y <= 8; ++y) {
      double sum = 0;
      for (std::int64_t k = -40; k <= 40; ++k) sum += rounded.pmf(k) * rounded.pmf(y - k);
      // The midpoint rule on 20000 intervals errs by less than 1e-10.
      double post_processed = 0;
      constexpr int kIntervals = 20000;
      const auto cdf = [&](double x) { return 0.5 * std::erfc(-x / (2 * s)); };  // of G: sqrt(2) s sqrt(2)
      for (int i = 0; i < kIntervals; ++i) {
        const double u = (i + 0.5) / kIntervals - 0.5, at = static_cast<double>(y) + u;
        post_processed += (cdf(at + 0.5) - cdf(at - 0.5)) / kIntervals;
      }
      largest = std::max(largest, std::abs(sum / post_processed - 1));
    }
    EXPECT_LT(largest, eta * 1.001 + 1e-9) << s;
    EXPECT_GT(largest, eta / 10) << "the bound is of the right size";
  }
}

TEST(SharedNoise, TheGuaranteeNamesTheAdversaryAndTheAssumption) {
  const auto after = [](int colluding) {
    return release_at_sites(gaussian(3, 2), {.sites = 5, .colluding = colluding}, 5).guarantees[1];
  };
  EXPECT_EQ(after(0).adversary, "anybody who sees the releases and is none of the sites");
  EXPECT_EQ(after(1).adversary,
            "anybody who sees the releases, and any one of the 5 sites about the others' data");
  EXPECT_EQ(after(3).adversary,
            "anybody who sees the releases, and any 3 of the 5 sites together about the others' data");
  const auto with_server = [](int colluding) {
    return SharedNoise(gaussian(3, 2), {.sites = 5, .colluding = colluding, .server = true}, "sums")
        .adversary();
  };
  EXPECT_EQ(with_server(0), "anybody who sees the releases, the server among them, and is none of the sites");
  EXPECT_EQ(
      with_server(1),
      "anybody who sees the releases, and the server with any one of the 5 sites about the others' data");
  EXPECT_NE(after(3).assumption.find("AES-256"), std::string::npos);
  EXPECT_EQ(after(4).assumption, "the data of each protected unit are at one site")
      << "a single honest site hides behind its own noise";
}

// Noise is added to whole numbers of cells: a sum of 2^60 cells, which no double holds to the cell, keeps it.
TEST(SharedNoise, PartsAreNotRoundedToDoubles) {
  std::vector<std::uint64_t> sent;
  Curator site = curator_of_documents();
  site.join_sites({{.sites = 2, .colluding = 1}, [&](const std::vector<std::uint64_t>& own) {
                     sent = own;
                     return Curator::SiteTotal{own, 2};
                   }});
  const auto noise = AdditiveNoise::gaussian(Sensitivity::l2(1, Unit::document, Relation::replace), 1, 1000);
  site.release(Protected<double>(0x1p36), noise, "sums",  // 2^20 and more cells to 1
               [](double value) { return std::vector<double>(1000, value); });
  EXPECT_GT(sent[0], std::uint64_t{1} << 54);
  EXPECT_TRUE(std::ranges::any_of(sent, [](std::uint64_t cells) { return cells % 2 == 1; }));
}

// Each of 4 sites adds noise for the 2 that are left at least and do not collude: a variance of 36 / 2 each.
TEST(SharedNoise, HoldsForTheFewestSitesThatMayBeLeft) {
  const SharingSites sharing{.sites = 4, .colluding = 1, .fewest = 3};
  for (const std::size_t left : {std::size_t{4}, std::size_t{3}}) {
    const AtSites run = release_at_sites(gaussian(3), sharing, left);
    const double sum = left == 4 ? 6 : 3, variance = 18 * static_cast<double>(left);
    for (const Noisy& released : run.released) {
      EXPECT_EQ(released.values, run.released[0].values) << "all sites have the same";
      EXPECT_NEAR(released.deviation, std::sqrt(variance), 1e-4);
    }
    EXPECT_NEAR(variance_around(run.released[0], sum), variance, variance * 0.053);
    EXPECT_EQ(run.guarantees[2].adversary,
              "anybody who sees the releases, and any one of the 4 sites about the others' data");
    EXPECT_FALSE(run.guarantees[2].assumption.empty());
  }
  const AtSites alone = release_at_sites(gaussian(3), {.sites = 4, .colluding = 2, .fewest = 3}, 4);
  EXPECT_EQ(alone.guarantees[0].assumption, "the data of each protected unit are at one site")
      << "every site adds all of the noise";
}

TEST(SharedNoise, ACuratorAtASiteCostsWhatACentralOneDoes) {
  const AtSites run = release_at_sites(gaussian(3), {.sites = 2, .colluding = 1, .fewest = 2}, 2);
  Curator central = curator_of_documents();
  central.release(Protected<int>(0), gaussian(3), "sums", [](int) { return std::vector<double>(kNumbers); });
  for (const Guarantee& guarantee : run.guarantees)
    EXPECT_EQ(guarantee.spent->epsilon, central.guarantee().spent->epsilon);
}

// Each site samples its own units; the cost is that of a central release on a Poisson sample of all units.
TEST(SharedNoise, SitesSampleTheirOwnUnits) {
  const auto noise = gaussian(3, 1);
  const auto query = [](const std::vector<double>& data, const std::vector<std::uint64_t>& units) {
    double sum = 0;
    for (std::uint64_t unit : units) sum += data[unit];
    return std::vector<double>{sum};
  };
  Curator site = curator_of_documents();
  site.join_sites({{.sites = 2, .colluding = 0}, [](const auto& own) { return Curator::SiteTotal{own, 2}; }});
  const Protected<std::vector<double>> units(std::vector<double>(1000, 1.0));
  const Noisy sum = site.release(units, site.sample(PoissonSampler(0.1), 1000), noise, "sums", query);
  EXPECT_NEAR(sum.deviation, 6, 1e-4);
  EXPECT_NEAR(sum.values[0], 100, 60) << "5 deviations of the sample, and of the noise of one site of two";
  Curator central = curator_of_documents();
  central.release(units, central.sample(PoissonSampler(0.1), 1000), noise, "sums", query);
  EXPECT_EQ(site.guarantee().spent->epsilon, central.guarantee().spent->epsilon);
  EXPECT_NE(site.guarantee().adversary, "");
}

// A unit at 3 of 4 sites changes the answers of all 3 by as much: each site adds 3 times the noise, at the
// same cost, and the record has 3 times the sensitivity.
TEST(SharedNoise, OfUnitsAtSeveralSitesIsThatManyTimesAsLarge) {
  const SharingSites sharing{.sites = 4, .colluding = 1, .fewest = 3, .overlap = 3};
  const AtSites run = release_at_sites(gaussian(3), sharing, 4);
  const double variance = 9 * 18 * 4;
  EXPECT_NEAR(run.released[0].deviation, std::sqrt(variance), 1e-3);
  EXPECT_NEAR(variance_around(run.released[0], 6), variance, variance * 0.053);
  const AtSites one = release_at_sites(gaussian(3), {.sites = 4, .colluding = 1, .fewest = 3}, 4);
  EXPECT_EQ(run.guarantees[1].spent->epsilon, one.guarantees[1].spent->epsilon);
  EXPECT_DOUBLE_EQ(run.guarantees[1].releases[0].sensitivity->value(), 6);
  EXPECT_EQ(run.guarantees[1].releases[0].sensitivity->group(), 3u);
  EXPECT_EQ(run.guarantees[1].assumption.find("the data of each protected unit are at 3 sites at most"), 0u);
  for (int overlap : {0, 5})
    EXPECT_THROW(release_at_sites(gaussian(3, 2), {.sites = 4, .colluding = 1, .overlap = overlap}, 4),
                 UsageError);
}

// With a coin at each of its sites, such a unit is in the sample as often as one of a group is.
TEST(SharedNoise, UnitsAtSeveralSitesAreSampledMoreOften) {
  Curator site = curator_of_documents();
  site.join_sites({{.sites = 2, .colluding = 0, .overlap = 2}, [](const auto& own) {
                     return Curator::SiteTotal{own, 2};
                   }});
  const auto rate = PoissonSampling::what_if(0.1);
  const double multiplier = site.plan({{.share = 0.2, .count = 5, .sampling = rate}})[0];
  Curator group = curator_of_documents();
  EXPECT_EQ(multiplier, group.plan({{.share = 0.2, .count = 5, .sampling = rate.for_group(2)}})[0]);
  const Protected<std::vector<double>> units(std::vector<double>(100, 1.0));
  site.release(units, site.sample(PoissonSampler(0.1), 100), gaussian(multiplier, 1), "sums",
               [](const auto&, const auto&) { return std::vector<double>{0}; });
  EXPECT_EQ(site.guarantee().releases[0].event, gaussian(multiplier, 1).event().sampled(rate.for_group(2)));
}

TEST(SharedNoise, PlainSitesAddUp) {
  const AtSites run = release_at_sites(gaussian(3, 2), {.sites = 4, .colluding = 1, .fewest = 3}, 4, false);
  EXPECT_NEAR(run.released[1].values[1], 6, 1e-4);
  EXPECT_EQ(run.released[1].deviation, 0);
}

// The hub's word, which a curator does not take for granted.
TEST(SharedNoise, ATotalIsOverAsManyNumbersAndSitesAsThereCanBe) {
  for (const auto& [sites, numbers] : {std::pair{2, 2}, {5, 2}, {3, 1}, {3, 3}}) {
    Curator site = curator_of_documents();
    site.join_sites(
        {{.sites = 4, .colluding = 1, .fewest = 3}, [count = sites, length = numbers](const auto&) {
           return Curator::SiteTotal{std::vector<std::uint64_t>(static_cast<std::size_t>(length)),
                                     static_cast<std::size_t>(count)};
         }});
    EXPECT_THROW(
        site.release(Protected<int>(0), gaussian(3, 2), "sums", [](int) { return std::vector<double>(2); }),
        Error)
        << sites << " " << numbers;
  }
}

TEST(SharedNoise, SitesReleaseSumsAlone) {
  Curator site = curator_of_documents();
  const Curator::SiteLink link{{.sites = 2, .colluding = 1}, [](const auto& own) {
                                 return Curator::SiteTotal{own, 2};
                               }};
  site.join_sites(link);
  EXPECT_TRUE(site.at_site());
  EXPECT_THROW(site.join_sites(link), Error);
  EXPECT_THROW(site.in_portions(gaussian(3, 2), 10, "entries"), Error);
  const auto l1 = Sensitivity::l1(2, Unit::document, Relation::replace);
  EXPECT_THROW(site.release(Protected<int>(0), AdditiveNoise::laplace(l1, 1, 1), "sums",
                            [](int) { return std::vector<double>(1); }),
               Error);
  EXPECT_THROW(release_at_sites(gaussian(3, 2), {.sites = 4, .colluding = 2, .fewest = 2}, 4), UsageError);
  EXPECT_THROW(release_at_sites(gaussian(3, 2), {.sites = 4, .colluding = 2, .fewest = 5}, 4), UsageError);
}

TEST(SharedNoise, RefusesWhatCannotBeShared) {
  const auto l1 = Sensitivity::l1(2, Unit::document, Relation::replace);
  EXPECT_THROW(release_at_sites(AdditiveNoise::laplace(l1, 1, 3), {.sites = 5, .colluding = 1}, 5), Error);
  EXPECT_THROW(release_at_sites(gaussian(3), {.sites = 5, .colluding = 5}, 5), UsageError);
  EXPECT_THROW(release_at_sites(gaussian(3), {.sites = 5, .colluding = -1}, 5), UsageError);
  EXPECT_THROW(release_at_sites(gaussian(0.01), {.sites = 5, .colluding = 1}, 5), Error)
      << "beyond the budget";
}

// A release of a site's own asks the others for nothing: all of its noise is there before it leaves.
TEST(SharedNoise, AReleaseOfASitesOwnHasAllOfItsNoise) {
  Curator site = Curator::with_budget({1, 0}, Unit::entry, Relation::replace, RandomBits::seeded(1));
  site.join_sites({{.sites = 2, .colluding = 1},
                   [](const auto&) -> Curator::SiteTotal { throw Error("a sum"); },
                   1,
                   [](const Curator::Bytes& own) {
                     return std::vector{own, Curator::Bytes{9}};
                   }});
  const auto noise =
      AdditiveNoise::discrete_laplace(Sensitivity::one_coordinate(1, Unit::entry, Relation::replace), 1, 1);
  const auto query = [](double value) { return std::vector{value}; };
  const Noisy released = site.release_alone(Protected<double>(5), noise, "a count", query);
  EXPECT_EQ(released.deviation, noise.deviation());
  EXPECT_EQ(site.guarantee().used.epsilon, 1);
  EXPECT_NE(site.guarantee().adversary.find("all other sites together"), std::string::npos);
  EXPECT_EQ(site.site(), 1);
  EXPECT_EQ(site.hand_out({7}), (std::vector<Curator::Bytes>{{7}, {9}}));
  EXPECT_THROW(site.release(Protected<double>(5), noise, "a count", query), Error) << "no sum of such noise";
}

TEST(SharedNoise, ReleasesOfASitesOwnAddUpForUsersAtSeveralSites) {
  Curator site = Curator::with_budget({1, 0}, Unit::user, Relation::replace, RandomBits::seeded(1));
  site.join_sites({{.sites = 2, .colluding = 1, .overlap = 2}, [](const auto& own) {
                     return Curator::SiteTotal{own, 2};
                   }});
  const auto noise =
      AdditiveNoise::discrete_laplace(Sensitivity::one_coordinate(1, Unit::user, Relation::replace), 1, 1);
  EXPECT_THROW(site.release_alone(Protected<double>(5), noise, "a count",
                                  [](double value) { return std::vector{value}; }),
               Error);
  EXPECT_TRUE(site.guarantee().releases.empty());
}

}  // namespace
}  // namespace tulle
