// Noise in every step of the tensor power method (Wang and Anandkumar 2016, as run by imtiaz2017).
//
// Unit, relation:  document (or row), replace. Public: how many there are, words, topics, options, the
//                  bound of the rows.
// Releases:        1. counts of pairs, sqrt(2) in L2, or first and second moments (mixture.hpp). 2. per
//                  step, T(I, u, u) or T(u, u, u) of the sum T of third moments of rows of length 1: a
//                  replaced document changes T by 2 at most, and by the rounding of the sum
//                  (projected.hpp), and u has length 1. Gaussian, planned together.
// After that free: which start is kept, deflation, un-whitening.
// Cost:            docs/methods.md.
#include "crafted.hpp"
#include "entry_moments.hpp"
#include "estimate.hpp"
#include "methods.hpp"
#include "mixture.hpp"
#include "projected.hpp"
#include "published/published_sgd.hpp"
#include "word_moments.hpp"

#include <tulle/base/random.hpp>
#include <tulle/method/topics.hpp>
#include <tulle/tensor/symmetric.hpp>

#include <cmath>
#include <limits>

namespace tulle {
namespace {

// The paper does not say how often it starts and iterates. Every step is a release.
struct Steps {
  int starts, iterations;

  std::uint64_t releases(int topics) const {
    return static_cast<std::uint64_t>(topics) * static_cast<std::uint64_t>(starts) *
           static_cast<std::uint64_t>(iterations + 1);
  }
};
constexpr Steps kSoundSteps = {2, 8}, kPublishedSteps = {10, 10};

// Answers T(I, u, u) and T(u, u, u) with noise. The tensor is not deflated: terms found before are subtracted
// from the answers.
class NoisyTensor {
 public:
  virtual ~NoisyTensor() = default;
  virtual Vector contract(const Vector& u) = 0;
  virtual double value(const Vector& u) = 0;
};

// Wang and Anandkumar 2016, algorithm 3. Which start is kept, and all deflation, follow from what was
// released.
RankOneTerms noisy_power_method(NoisyTensor& tensor, Eigen::Index size, int count, const Steps& steps,
                                std::uint64_t seed) {
  Random random(seed);
  RankOneTerms terms{Vector(count), Matrix(size, count)};
  Cube found = Cube::Zero(size, size * size);
  for (int term = 0; term < count; ++term) {
    double largest = -std::numeric_limits<double>::infinity();
    for (int start = 0; start < steps.starts; ++start) {
      Vector u = random_direction(size, random);
      for (int i = 0; i < steps.iterations; ++i) {
        const Vector next = tensor.contract(u) - contract(found, u);
        if (next.norm() > 0) u = next.normalized();
      }
      const double value = tensor.value(u) - contract(found, u).dot(u);
      if (value <= largest) continue;
      largest = value;
      terms.values[term] = value;
      terms.vectors.col(term) = u;
    }
    deflate(found, -terms.values[term], terms.vectors.col(term));
  }
  return terms;
}

// Sums over rows of length at most 1: with a unit vector u each adds a vector of length at most 1, and a
// number of at most 1, so a replaced document moves either by at most 2. The bound and N are public.
class SumTensor : public NoisyTensor {
 public:
  SumTensor(const Protected<Cube>& sums, double scale, double moves, double multiplier,
            const Cube& correction, Curator& curator)
      : sums_(sums),
        scale_(scale),
        sensitivity_(Sensitivity::l2(moves, Unit::document, Relation::replace)),
        multiplier_(multiplier),
        correction_(correction),
        curator_(curator) {}

  Vector contract(const Vector& u) override {
    const Noisy sum =
        curator_.release(sums_, noise(u.size()), "a step of the power method", [&](const Cube& cube) {
          const Vector product = tulle::contract(cube, u);
          return std::vector<double>(product.begin(), product.end());
        });
    return scale_ * Eigen::Map<const Vector>(sum.values.data(), u.size()) - tulle::contract(correction_, u);
  }
  double value(const Vector& u) override {
    const Noisy sum = curator_.release(sums_, noise(1), "an eigenvalue", [&](const Cube& cube) {
      return std::vector<double>{tulle::contract(cube, u).dot(u)};
    });
    return scale_ * sum.values[0] - tulle::contract(correction_, u).dot(u);
  }

 private:
  AdditiveNoise noise(Eigen::Index numbers) const {
    return AdditiveNoise::gaussian(sensitivity_, multiplier_, static_cast<std::uint64_t>(numbers));
  }

  const Protected<Cube>& sums_;
  double scale_;
  Sensitivity sensitivity_;
  double multiplier_;
  const Cube& correction_;
  Curator& curator_;
};

std::vector<double> multipliers(const TopicRequest& request, Curator& curator) {
  const std::uint64_t steps = kSoundSteps.releases(request.options.topics);
  return curator.plan({{.share = 0.5}, {.share = 0.5 / static_cast<double>(steps), .count = steps}});
}

RankOneTerms sound_terms(const TopicRequest& request, Curator& curator, const Protected<Cube>& sums,
                         double bound, double multiplier, const Cube& correction) {
  const int topics = request.options.topics;
  SumTensor tensor(sums, std::pow(bound, 3) / static_cast<double>(request.documents),
                   replaced_cube(request, topics), multiplier, correction, curator);
  return noisy_power_method(tensor, topics, topics, kSoundSteps, request.options.seed);
}

TopicOutcome run_words(const TopicRequest& request, Curator& curator) {
  const std::vector<double> noise = multipliers(request, curator);
  const auto documents = static_cast<double>(request.documents);
  const int topics = request.options.topics;
  const auto moves = Sensitivity::l2(kReplacedCountsL2, Unit::document, Relation::replace);
  const Noisy counts = curator.release(
      request.corpus(), AdditiveNoise::gaussian(moves, noise[0], pair_cells(request.words)),
      "counts of pairs of words",
      [&](const Documents& site) { return pair_counts(site, request.documents, request.options.seed); });
  const Matrix pairs = matrix_of_cells(counts.values, request.words) / documents;
  const Whitening whitening =
      whiten(pairs, topics,
             noise_edge(counts.deviation / 2 / documents, request.words, pairs.diagonal().maxCoeff()));
  const double deviation = replaced_cube(request, topics) * noise[1] / documents;
  const ClippedRows clipped =
      clip_rows(whitening.whiten, best_bound(whitening.whiten, pairs.rowwise().sum(), deviation));
  const Protected<Cube> sums = request.corpus().map([&](const Documents& site) {
    return symmetrised(projected_triples(site, clipped.rows, request.options.seed));
  });
  const Cube nothing = Cube::Zero(topics, topics * topics);
  const RankOneTerms terms = sound_terms(request, curator, sums, clipped.bound, noise[1], nothing);
  return {word_topics(whitening, terms), {}, {}};
}

TopicOutcome run_mixture(const TopicRequest& request, Curator& curator) {
  const std::vector<double> noise = multipliers(request, curator);
  const int topics = request.options.topics;
  const auto moves = Sensitivity::l2(replaced_low_moments(request), Unit::document, Relation::replace);
  Noisy low = curator.release(
      request.rows(), AdditiveNoise::gaussian(moves, noise[0], request.words + pair_cells(request.words)),
      "first and second moments", [](const Matrix& site) { return low_moments(site); });
  for (double& value : low.values) value /= static_cast<double>(request.documents);
  low.deviation /= static_cast<double>(request.documents);
  const MixtureSubspace subspace = subspace_of(low_moments_of(low, request.words), topics);
  // Nothing is cut off: rows of length 1 are no longer than the largest column of W.
  const double bound = subspace.whitening.whiten.colwise().norm().maxCoeff();
  const Protected<Cube> sums = request.rows().map([&](const Matrix& site) {
    return symmetrised(projected_moment(site, subspace.whitening.whiten, bound));
  });
  const RankOneTerms terms = sound_terms(request, curator, sums, bound, noise[1], subspace.correction);
  return {mixture_of(subspace, terms), {}, {}};
}

TopicOutcome run_power(const TopicRequest& request, Curator& curator) {
  return request.mixture() ? run_mixture(request, curator) : run_words(request, curator);
}

// nu = 2 / epsilon' sqrt(2 log(1.25 / delta')) times the largest |u_i|, squared or cubed, on the tensor of
// means: without the 1/N that a replaced document moves it by.
class PublishedTensor : public NoisyTensor {
 public:
  PublishedTensor(const Protected<Cube>& tensor, double multiplier, Curator& curator)
      : tensor_(tensor), multiplier_(multiplier), curator_(curator) {}

  Vector contract(const Vector& u) override {
    const Noisy product =
        curator_.release(tensor_, noise(u, 2, u.size()), "a step of the power method", [&](const Cube& cube) {
          const Vector exact = tulle::contract(cube, u);
          return std::vector<double>(exact.begin(), exact.end());
        });
    return Eigen::Map<const Vector>(product.values.data(), u.size());
  }
  double value(const Vector& u) override {
    const Noisy value = curator_.release(tensor_, noise(u, 3, 1), "an eigenvalue", [&](const Cube& cube) {
      return std::vector<double>{tulle::contract(cube, u).dot(u)};
    });
    return value.values[0];
  }

 private:
  AdditiveNoise noise(const Vector& u, int power, Eigen::Index numbers) const {
    const double moves = 2 * std::pow(u.cwiseAbs().maxCoeff(), power);
    return AdditiveNoise::gaussian(Sensitivity::l2(moves, Unit::document, Relation::replace), multiplier_,
                                   static_cast<std::uint64_t>(numbers));
  }

  const Protected<Cube>& tensor_;
  double multiplier_;
  Curator& curator_;
};

// imtiaz2017, section 4: the input is the whitened tensor. The paper adds no noise to the moment that W is
// computed from.
TopicOutcome run_power_as_published(const TopicRequest& request, Curator& curator) {
  need_delta(request, "power");
  moment_sensitivities(request);  // checks the number of words
  const auto documents = static_cast<double>(request.documents);
  const int topics = request.options.topics;
  const Protected<Documents>& data = request.corpus();
  const Protected<Matrix> second = data.map([&](const Documents& site) {
    const Matrix pairs = ordered_pairs(site);
    return Matrix((pairs + pairs.transpose()) / (2 * documents));
  });
  const Matrix& exact = released_without_noise(second);
  const Whitening whitening =
      whiten(exact, topics, noise_edge(0, request.words, exact.diagonal().maxCoeff()));
  const Protected<Cube> tensor = data.map([&](const Documents& site) {
    return Cube(symmetrised(project(ordered_triples(site), whitening.whiten)) / documents);
  });
  const auto steps = static_cast<double>(kPublishedSteps.releases(topics));
  const auto [epsilon, delta] = request.budget;
  const double each = epsilon / std::sqrt(steps * (4 + std::log(2 / delta)));
  PublishedTensor noisy(tensor, classical_multiplier(each, delta / (2 * steps)), curator);
  const RankOneTerms terms = noisy_power_method(noisy, topics, topics, kPublishedSteps, request.options.seed);
  return {word_topics(whitening, terms), {}, {}, exact};
}

}  // namespace

Method power_topics() {
  return {.job = Job::topics,
          .name = "power",
          .title = "noise in every step of the tensor power method",
          .source = "Wang and Anandkumar 2016, as run by imtiaz2017",
          .guarantee = "(epsilon, delta)-private for one document under replace",
          .details =
              "DP-TPM. Sound: the whitened space comes from noisy counts of pairs, its vectors have a public "
              "bound, and all steps are accounted together. Any number of words; also for mixtures.",
          .protects = {{Unit::document, Relation::replace}},
          .needs_delta = true,
          .sound = run_power,
          .published = run_power_as_published,
          .why_unproven =
              "the whitening leaves without noise, the sensitivity is that of single words and not of their "
              "whitened vectors, and the steps compose to up to 1.4 epsilon",
          .no_refit = "each step of the power method is released for what earlier ones found",
          .pairs = {.many_words = true},
          .worst_cases = {
              {.data = one_of_two_words(), .delta = kCraftedDelta, .quick_trials = 150},
              {.data = other_word(), .delta = kCraftedDelta, .rank = 2, .quick_trials = 150},
              {.data = other_word(),
               .calibration = Calibration::published,
               .delta = 0.01,
               .trials = 2'000,
               .quick_trials = 150},
              {.data = other_sign(), .delta = kCraftedDelta, .quick_trials = 150},
          }};
}

}  // namespace tulle
