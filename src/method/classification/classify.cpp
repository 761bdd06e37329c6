// Opens the curator, checks a request for a classifier from public facts, protects the data, runs the method.
#include "public_delta.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/names.hpp>
#include <tulle/method/classification.hpp>
#include <tulle/privacy/margin.hpp>
#include <tulle/tensor/kernels/row_products.hpp>

#include <cmath>

namespace tulle {
namespace {

constexpr Names<PublishedAccounting, 2> kAccountings = {
    {{PublishedAccounting::advanced_composition, "ac"}, {PublishedAccounting::zcdp, "zcdp"}}};
constexpr Names<Dropout, 3> kDropouts = {
    {{Dropout::none, "none"}, {Dropout::binary, "binary"}, {Dropout::gaussian, "gaussian"}}};

void check_public(const LabelledExamples& data, const Terms& terms,
                  const std::vector<std::pair<double, double>>& bounds) {
  if (data.classes.size() < 2)
    fail_usage("{} class: there is nothing to tell apart; state the number of classes, 2 or more",
               data.classes.size());
  if (data.values.cols() < 1) fail("examples have no values; give at least one column besides the label");
  if (data.height != 0 && Eigen::Index{data.height} * data.width != data.values.cols())
    fail("images of {} x {} pixels, but examples have {} values; state the size that they have", data.height,
         data.width, data.values.cols());
  if (!(terms.range.low < terms.range.high) || !std::isfinite(terms.range.low) ||
      !std::isfinite(terms.range.high))
    fail_usage("a range from {} to {}: give the public bounds of the values, the lower one first",
               terms.range.low, terms.range.high);
  if (!bounds.empty() && bounds.size() != static_cast<std::size_t>(data.values.cols()))
    fail_usage("examples have {} values, and {} of them have bounds; state the bounds of each",
               data.values.cols(), bounds.size());
}

void check_facts(const LabelledExamples& data) {
  if (data.facts == FactsFrom::examples)
    fail_usage(
        "the number of classes follows from the examples, and one of them may be all there is of a class; "
        "state the public number of classes where they are read, or that the owner states it "
        "(LabelledExamples::facts)");
}

// Refuses options that would have no effect.
void check_options(const Method& method, const ClassificationOptions& options) {
  if (method.is_private() && options.dropout != Dropout::none)
    fail_usage("dropout is an option of method plain; omit it with method {}", method.name);
}

// If the number of examples is private, so is whether there are any; published forms need one.
void check_data(const LabelledExamples& data, const Method& method, const Terms& terms, Relation relation) {
  const bool counts_are_private = relation == Relation::add_remove;
  if (data.size() > 0 || !counts_are_private || terms.calibration == Calibration::published) check(data);
  if (data.size() > kMostRows) fail("there are more than {} examples; train on a part of them", kMostRows);
  if (method.is_private() && !counts_are_private)
    check_delta_below_one_of(terms.budget.delta, data.size(), "examples");
}

std::vector<std::string> facts_of(const ClassificationRequest& request, const Scope& stated) {
  std::vector<std::string> facts = {"the number of features", "the classes", "the range of values"};
  if (!request.image.none()) facts.emplace_back("the size of images");
  if (request.examples) facts.emplace_back("how many examples there are");
  facts.insert(facts.end(), stated.public_facts.begin(), stated.public_facts.end());
  return facts;
}

ClassificationRequest classification_request(LabelledExamples data, const Terms& terms, Relation relation,
                                             const Settings& settings, const ClassificationOptions& options) {
  Network frame{.layers = {},
                .low = terms.range.low,
                .high = terms.range.high,
                .features = {},
                .classes = data.classes,
                .bounds = options.bounds};
  const Eigen::Index inputs = data.values.cols();
  const auto examples =
      relation == Relation::add_remove ? std::nullopt : std::optional<std::uint64_t>(data.size());
  return {.frame = std::move(frame),
          .inputs = inputs,
          .image = {data.height, data.width},
          .examples = examples,
          .relation = relation,
          .budget = terms.budget,
          .settings = settings,
          .options = options,
          .data = Protected<LabelledExamples>(std::move(data))};
}

}  // namespace

std::string_view name(PublishedAccounting accounting) {
  return name_in(kAccountings, accounting);
}

PublishedAccounting accounting_of(std::string_view name) {
  return find_named(kAccountings, name, "accounting");
}

std::string_view name(Dropout dropout) {
  return name_in(kDropouts, dropout);
}

Dropout dropout_of(std::string_view name) {
  return find_named(kDropouts, name, "dropout");
}

ClassificationOutcome classify(const Method& method, LabelledExamples data, const Terms& terms,
                               const Settings& settings, const ClassificationOptions& options,
                               Curator& curator) {
  check_public(data, terms, options.bounds);
  if (method.is_private()) check_facts(data);
  check_terms(method, terms, settings);
  check_curator(curator, method, terms);
  const Relation relation =
      method.is_private() ? relation_for(method, terms.unit, terms.relation) : Relation::replace;
  check_options(method, options);
  const bool sound = terms.calibration == Calibration::sound;
  check_data(data, method, terms, relation);
  ClassificationRequest request = classification_request(std::move(data), terms, relation, settings, options);
  if (method.is_private() && sound) request.budget = with_margin(terms.budget);
  if (method.is_private()) curator.set_scope({.public_facts = facts_of(request, terms.scope)});
  const auto run = std::get<Method::ClassificationRun>(sound ? method.sound : method.published);
  ClassificationOutcome outcome = run(request, curator);
  outcome.guarantee = curator.guarantee();
  return outcome;
}

ClassificationOutcome classify(const Method& method, LabelledExamples data, const Terms& terms,
                               const Settings& settings, const ClassificationOptions& options,
                               std::function<void(const Curator&)> pay) {
  Curator curator = open_curator(method, terms, std::move(pay));
  return classify(method, std::move(data), terms, settings, options, curator);
}

}  // namespace tulle
