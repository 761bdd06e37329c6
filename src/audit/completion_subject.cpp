#include "subjects.hpp"

namespace tulle::attacks {
namespace {

constexpr Range kRange{0, 1};
constexpr int kUserMode = 0;
constexpr std::uint64_t kPublicSeed = 5;  // of starts and folds, which are public

void append(std::vector<double>& to, const double* values, Eigen::Index count) {
  to.insert(to.end(), values, values + count);
}

void append(std::vector<double>& to, const Biases& biases) {
  to.push_back(biases.global);
  for (const Vector& offsets : biases.offsets) append(to, offsets.data(), offsets.size());
}

void append(std::vector<double>& to, const DenseTensor& tensor) {
  to.insert(to.end(), tensor.values().begin(), tensor.values().end());
}

struct Flatten {
  std::vector<double> operator()(const Cp& model) const {
    std::vector<double> numbers;
    append(numbers, model.biases);
    append(numbers, model.weights.data(), model.weights.size());
    for (const Matrix& factor : model.factors) append(numbers, factor.data(), factor.size());
    return numbers;
  }
  std::vector<double> operator()(const Tucker& model) const {
    std::vector<double> numbers;
    append(numbers, model.biases);
    append(numbers, model.core);
    for (const Matrix& factor : model.factors) append(numbers, factor.data(), factor.size());
    return numbers;
  }
  std::vector<double> operator()(const Tubal& model) const {
    std::vector<double> numbers;
    append(numbers, model.biases);
    for (const DenseTensor* part : {&model.u, &model.s, &model.v}) append(numbers, *part);
    return numbers;
  }
  std::vector<double> operator()(const Topics& model) const {
    std::vector<double> numbers;
    append(numbers, model.weights.data(), model.weights.size());
    append(numbers, model.topics.data(), model.topics.size());
    return numbers;
  }
  std::vector<double> operator()(const SparseCounts& model) const {
    std::vector<double> numbers = {model.events.mean, model.events.stddev};
    for (const ModeShares& node : model.modes) {
      numbers.insert(numbers.end(), {static_cast<double>(node.mode), static_cast<double>(node.parent)});
      numbers.insert(numbers.end(), node.shares.begin(), node.shares.end());
      numbers.insert(numbers.end(), node.variances.begin(), node.variances.end());
    }
    numbers.insert(numbers.end(), model.places.begin(), model.places.end());
    numbers.insert(numbers.end(), model.counts.begin(), model.counts.end());
    numbers.insert(numbers.end(), model.variances.begin(), model.variances.end());
    return numbers;
  }
  std::vector<double> operator()(const Counts& model) const {
    if (model.sparse) return (*this)(*model.sparse);
    std::vector<double> numbers;
    append(numbers, model.cells);
    for (const std::vector<double>& table : model.variances) append(numbers, table.data(), std::ssize(table));
    return numbers;
  }
};

// The published parameters and the model's prediction of every cell: the same information in a form that is
// easier to learn from.
std::vector<double> model_and_cells(const Completion& completion) {
  std::vector<double> numbers;
  append(numbers, reconstruct(completion.model));
  const std::vector<double> parameters = numbers_of(completion.model);
  numbers.insert(numbers.end(), parameters.begin(), parameters.end());
  return numbers;
}

struct CompletionRunner {
  CompletionJob job;
  CraftedTensor tensor;

  Completion run(double secret, Curator& curator) const {
    if (tensor.blanked.empty()) return job.run(tensor.data(secret), curator);
    return job.run(tensor.data(1), curator,
                   secret < 0.5 ? std::span(tensor.blanked) : std::span<const std::size_t>());
  }

  Observation observe(double secret, RandomBits& bits) const {
    Observation seen;
    const Completion completion =
        attacks::observe([&](double which, Curator& curator) { return run(which, curator); },
                         [&](RandomBits stream) { return job.open(std::move(stream)); }, secret, bits,
                         tensor.watched_first, tensor.watched_second, seen);
    seen.output = model_and_cells(completion);
    return seen;
  }

  Guarantee account() const {
    Curator curator = job.open(RandomBits::seeded(0));
    return run(1, curator).guarantee;
  }

  // If entries are sampled and may be missing, their numbers differ between the two data sets: then the
  // second data set is compared with itself, with and without the watched unit.
  NeighbouringPair pair() const {
    const bool sampled = job.settings.get(setting::sampling_rate).has_value();
    const bool renumbered =
        sampled && job.terms.unit == Unit::entry && job.terms.relation != Relation::replace;
    const bool same_data = renumbered || !tensor.blanked.empty();
    return neighbouring_pair(job, tensor.data(same_data ? 1 : 0), tensor.data(1),
                             sampled ? tensor.watched_second : Watched(),
                             renumbered ? std::vector<std::size_t>() : tensor.blanked);
  }
};

Subject private_subject(CompletionRunner run) {
  run.job = on_crafted_data(std::move(run.job), run.tensor.data(1).shape());
  return {.canary = run.tensor.canary,
          .graded = run.tensor.graded,
          .claimed_epsilon = run.job.terms.budget.epsilon,
          .account = [run] { return run.account(); },
          .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); },
          .pair = run.pair()};
}

// A baseline without a guarantee: it claims nothing and releases nothing.
Subject plain_subject(const CompletionJob& job, const CraftedTensor& tensor) {
  const auto complete = [=](double secret) { return job.run(tensor.data(secret)); };
  return {.canary = tensor.canary,
          .graded = tensor.graded,
          .account = [=] { return complete(1).guarantee; },
          .run = [=](double secret,
                     RandomBits&) { return Observation{.output = numbers_of(complete(secret).model)}; }};
}

}  // namespace

Subject subject_of(const Method& method, const WorstCase& worst, const CraftedTensor& crafted,
                   const Budget& budget) {
  if (worst.sites > 1) return site_subject(method, worst, crafted, budget);
  const CompletionJob job = job_of(method, worst, budget);
  return method.is_private() ? private_subject({job, crafted}) : plain_subject(job, crafted);
}

CompletionJob on_crafted_data(CompletionJob job, const Shape& shape) {
  return job.terms.shape ? job : with_public_shape(std::move(job), shape);
}

std::vector<double> numbers_of(const Model& model) {
  return std::visit(Flatten(), model);
}

CompletionJob job_of(const Method& method, const WorstCase& worst, const Budget& budget) {
  const FitOptions fit{.model = worst.model,
                       .ranks = {worst.rank},
                       .ridge = worst.ridge,
                       .coupling = worst.coupling,
                       .seed = kPublicSeed};
  if (!method.is_private()) return {.method = method.name, .fit = fit};
  const Neighbours& neighbours = worst.neighbours();
  return {.method = method.name,
          .terms = {.budget = budget,
                    .unit = neighbours.unit,
                    .relation = neighbours.relation,
                    .user_mode = kUserMode,
                    .range = kRange,
                    .calibration = worst.calibration},
          .settings = worst.settings,
          .fit = fit};
}

}  // namespace tulle::attacks

namespace tulle {

Subject completion_subject(const CompletionJob& job, SparseTensor first, SparseTensor second,
                           std::string canary) {
  const auto data = [first = std::move(first), second = std::move(second)](double secret) {
    return secret < 0.5 ? first : second;
  };
  return attacks::private_subject({job, {.canary = std::move(canary), .data = data}});
}

}  // namespace tulle
