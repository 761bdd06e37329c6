#include "completion_subject.hpp"

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

Subject subject_of(CompletionRunner run) {
  run.job = on_crafted_data(std::move(run.job), run.tensor.data(1).shape());
  return {.canary = run.tensor.canary,
          .graded = run.tensor.graded,
          .claimed_epsilon = run.job.terms.budget.epsilon,
          .account = [run] { return run.account(); },
          .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); },
          .pair = run.pair()};
}

}  // namespace

CompletionJob on_crafted_data(CompletionJob job, const Shape& shape) {
  return job.terms.shape ? job : with_public_shape(std::move(job), shape);
}

std::vector<double> numbers_of(const Model& model) {
  return std::visit(Flatten(), model);
}

CompletionJob job_of(const CompletionCase& how, const Budget& budget) {
  return {.method = how.method,
          .terms = {.budget = budget,
                    .unit = how.neighbours.unit,
                    .relation = how.neighbours.relation,
                    .user_mode = kUserMode,
                    .range = kRange,
                    .calibration = how.calibration},
          .settings = how.settings,
          .fit = {.model = how.model,
                  .ranks = {how.rank},
                  .ridge = how.ridge,
                  .coupling = how.coupling,
                  .seed = kPublicSeed}};
}

AuditEntry entry_of(const CompletionCase& how) {
  return {.name = how.method,
          .calibration = how.calibration,
          .neighbours = how.neighbours,
          .model = std::string(name(how.model)),
          .delta = how.delta,
          .trials = how.trials,
          .quick_trials = how.quick_trials,
          .slow = how.slow,
          .note = std::string(how.note)};
}

AuditEntry completion_entry(const CompletionCase& how, const CraftedTensor& tensor) {
  AuditEntry entry = entry_of(how);
  entry.subject = [how, tensor](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
    return subject_of({job_of(how, {std::min(budget.epsilon, how.most_epsilon), budget.delta}), tensor});
  };
  return entry;
}

}  // namespace tulle::attacks

namespace tulle {

Subject completion_subject(const CompletionJob& job, SparseTensor first, SparseTensor second,
                           std::string canary) {
  const auto data = [first = std::move(first), second = std::move(second)](double secret) {
    return secret < 0.5 ? first : second;
  };
  return attacks::subject_of({job, {.canary = std::move(canary), .data = data}});
}

}  // namespace tulle
