#include "completion_subject.hpp"

namespace tulle::attacks {
namespace {

constexpr Range kRange{0, 1};
constexpr int kUserMode = 0;
constexpr std::uint64_t kPublicSeed = 5;  // of starts and folds, which anybody may know

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

// What is published, and what the model says of every cell: the same knowledge in a form that is easier to
// learn from.
std::vector<double> published(const Completion& completion) {
  std::vector<double> numbers;
  append(numbers, reconstruct(completion.model));
  const std::vector<double> parameters = numbers_of(completion.model);
  numbers.insert(numbers.end(), parameters.begin(), parameters.end());
  return numbers;
}

struct Runner {
  CompletionCase how;
  CraftedTensor tensor;
  Budget budget;

  Curator open(RandomBits bits) const { return open_curator(how, budget, std::move(bits)); }

  Completion operator()(double secret, Curator& curator) const {
    return run_method(how, budget, tensor.data(secret), curator);
  }

  Observation observe(double secret, RandomBits& bits) const {
    Observation seen;
    const Completion completion = attacks::observe(
        *this, [&](RandomBits stream) { return open(std::move(stream)); }, secret, bits, tensor.watched_first,
        tensor.watched_second, seen);
    seen.output = published(completion);
    return seen;
  }

  Guarantee account() const {
    Curator curator = open(RandomBits::seeded(0));
    (*this)(1, curator);
    return curator.guarantee();
  }
};

}  // namespace

std::vector<double> numbers_of(const Model& model) {
  return std::visit(Flatten(), model);
}

Curator open_curator(const CompletionCase& how, const Budget& budget, RandomBits bits) {
  const Method& method = find_method(how.method);
  const auto [unit, relation] = how.neighbours;
  if (how.calibration == Calibration::published)
    return Curator::as_published({method.source, budget, method.why_unproven}, unit, relation,
                                 std::move(bits));
  return Curator::with_budget(budget, unit, relation, std::move(bits));
}

Completion run_method(const CompletionCase& how, const Budget& budget, SparseTensor data, Curator& curator) {
  const Method& method = find_method(how.method);
  const Terms terms{.budget = budget,
                    .unit = how.neighbours.unit,
                    .relation = how.neighbours.relation,
                    .user_mode = kUserMode,
                    .range = kRange,
                    .calibration = how.calibration};
  const PrivateRequest request{PrivateTensor(std::move(data), kRange, how.neighbours.relation), terms,
                               how.neighbours.relation, how.tuning,
                               FitOptions{.model = how.model, .ranks = {1}, .seed = kPublicSeed}};
  return (how.calibration == Calibration::sound ? method.sound : method.published)(request, curator);
}

AuditEntry completion_entry(const CompletionCase& how, const CraftedTensor& tensor) {
  return {.name = how.method,
          .calibration = how.calibration,
          .neighbours = how.neighbours,
          .model = how.model,
          .delta = how.delta,
          .trials = how.trials,
          .quick_trials = how.quick_trials,
          .subject = [how, tensor](const Budget& budget) -> std::variant<Subject, ManyCanaries> {
            const Runner run{how, tensor, budget};
            return Subject{
                .canary = tensor.canary,
                .graded = tensor.graded,
                .claimed_epsilon = budget.epsilon,
                .account = [run] { return run.account(); },
                .run = [run](double secret, RandomBits& bits) { return run.observe(secret, bits); }};
          }};
}

}  // namespace tulle::attacks
