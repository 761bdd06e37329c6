// Opens the curator, checks a request for topics from public facts, protects the data, runs the method.
#include "public_delta.hpp"

#include <tulle/base/error.hpp>
#include <tulle/method/topics.hpp>
#include <tulle/privacy/margin.hpp>

#include <cmath>
#include <numeric>

namespace tulle {
namespace {

void check_topics(int topics, std::uint64_t words) {
  if (topics < 1) fail_usage("{} topics: give 1 or more", topics);
  if (static_cast<std::uint64_t>(topics) > words)
    fail_usage("{} topics of {} words; give from 1 to as many as there are words", topics, words);
}

void check_size(std::uint64_t words, std::uint64_t documents, const Terms& terms,
                const TopicOptions& options) {
  if (documents == 0) fail("there are no documents; there is nothing to find topics in");
  check_topics(options.topics, words);
  // A published run has no proven guarantee, and the paper uses delta 0.01.
  if (terms.calibration == Calibration::sound)
    check_delta_below_one_of(terms.budget.delta, documents, "documents");
}

// Which document is the last with a word is private, so it must not determine the number of documents.
void check_documents_are_stated(const TopicData& data) {
  const auto* corpus = std::get_if<Corpus>(&data);
  if (corpus && !corpus->states_documents)
    fail_usage(
        "the file does not state how many documents there are, which is public; give one that does, such as "
        ".mtx or lines");
}

// The number of documents of all sites together, if these are the data of one of them.
std::uint64_t number_of_all(std::size_t own, const std::vector<std::size_t>& sites, const Curator& curator) {
  if (!curator.at_site()) return own;
  const auto site = static_cast<std::size_t>(curator.site());
  if (site >= sites.size() || sites[site] != own)
    fail_usage("the data of site {} do not say how many documents each site has", site + 1);
  return std::accumulate(sites.begin(), sites.end(), std::uint64_t{0});
}

TopicRequest request_for(Corpus corpus, const Curator& curator) {
  return {.words = corpus.documents.vocabulary(),
          .documents = number_of_all(corpus.documents.size(), corpus.sites, curator),
          .length = corpus.length,
          .norm = 1,
          .budget = {},
          .options = {},
          .data = Protected(std::move(corpus.documents))};
}

// Divides rows by slightly more than the bound, so that rounding leaves none longer than 1. Lengths are
// computed after division by the largest coordinate, so that none overflows. A row that is not finite becomes
// zero: a refusal would reveal it.
Matrix shortened_rows(const Samples& samples) {
  if (!std::isfinite(samples.norm) || !(samples.norm > 0))
    fail_usage("a norm of {}: give the public bound of the vectors' norms, a finite number above 0",
               samples.norm);
  constexpr double kRoundingUp = 1 + 0x1p-40;
  Matrix rows = Matrix::Zero(samples.rows.rows(), samples.rows.cols());
  for (Eigen::Index row = 0; row < rows.rows(); ++row) {
    const auto given = samples.rows.row(row);
    const double largest = given.cwiseAbs().maxCoeff();
    if (!given.allFinite() || largest == 0) continue;
    const double length = (given / largest).norm();  // in largest numbers
    if (largest > samples.norm / length)
      rows.row(row) = given / largest / (length * kRoundingUp);
    else
      rows.row(row) = given / samples.norm / kRoundingUp;
  }
  return rows;
}

TopicRequest request_for(const Samples& samples, const Curator& curator) {
  return {.words = static_cast<Index>(samples.rows.cols()),
          .documents = number_of_all(samples.size(), samples.sites, curator),
          .length = {},
          .norm = samples.norm,
          .budget = {},
          .options = {},
          .data = Protected(shortened_rows(samples))};
}

const Method::Run& form_of(const Method& method, const TopicRequest& request, Calibration calibration) {
  if (calibration == Calibration::sound) return method.sound;
  if (request.mixture())
    fail_usage("{} has published {} for words only; run the sound form for a mixture", method.source,
               method.name);
  return method.published;
}

void check_sites(const Method& method, const Terms& terms, const Curator& curator) {
  if (terms.sites.has_value() != curator.at_site())
    fail_usage(
        "the curator of a site has joined the others, and the terms name them; run a TopicJob, which does");
  if (!terms.sites) return;
  if (method.runs_over_sites(terms.calibration) != OverSites::sums)
    fail_usage("the noise of method {} cannot be shared out among sites; use method histogram", method.name);
  if (terms.budget.delta == 0)
    fail_usage("sites share Gaussian noise, which needs a delta above 0, such as 1e-6");
  if (terms.sites->overlap != 1) fail_usage("a document is at one site; omit the overlap");
}

// Neighbours replace a document, so the number of documents is public; so is their length if the file is a
// table.
std::vector<std::string> public_facts(const TopicRequest& request, const Terms& terms) {
  const std::string where = terms.sites ? " at each site" : "";
  std::vector<std::string> facts = {"how many documents there are" + where, "the vocabulary"};
  if (request.mixture()) facts = {"how many vectors there are" + where, "the bound of their norms"};
  if (!request.mixture() && request.length) facts.emplace_back("how long they are");
  const std::vector<std::string>& stated = terms.scope.public_facts;
  facts.insert(facts.end(), stated.begin(), stated.end());
  return facts;
}

// Undoes the division of rows by their bound.
void rescale(Topics& model, double norm) {
  model.topics *= norm;
  model.variance *= norm * norm;
}

TopicOutcome estimated(const MeasuredTopics& parts, const Measurement& measured,
                       const TopicOptions& options) {
  TopicOutcome outcome = parts.estimate(measured, options);
  if (measured.documents->mixture) rescale(outcome.model, measured.high);
  return outcome;
}

// The public facts, which a measurement keeps beside the releases.
Measurement facts_of(const Method& method, const TopicRequest& request) {
  return {.method = method.name,
          .unit = Unit::document,
          .relation = Relation::replace,
          .shape = {request.words, 1},
          .high = request.norm,
          .documents = DocumentFacts{request.documents, request.mixture()},
          .seed = request.options.seed};
}

// Measures and estimates, or runs a method that does both at once.
TopicOutcome outcome_of(const Method& method, const Method::Run& form, const TopicRequest& request,
                        Curator& curator) {
  if (const auto* parts = std::get_if<MeasuredTopics>(&form)) {
    Measurement measured = facts_of(method, request);
    measured.releases = parts->measure(request, curator);
    TopicOutcome outcome = estimated(*parts, measured, request.options);
    if (method.is_private()) outcome.measured = std::make_shared<const Measurement>(std::move(measured));
    return outcome;
  }
  TopicOutcome outcome = std::get<Method::TopicRun>(form)(request, curator);
  if (request.mixture()) rescale(outcome.model, request.norm);
  return outcome;
}

}  // namespace

TopicOutcome find_topics(const Method& method, TopicData data, const Terms& terms,
                         const TopicOptions& options, Curator& curator) {
  if (method.is_private()) check_documents_are_stated(data);
  TopicRequest request = std::visit([&](auto& kind) { return request_for(std::move(kind), curator); }, data);
  check_size(request.words, request.documents, terms, options);
  check_terms(method, terms, {});
  check_curator(curator, method, terms);
  const Method::Run& form = form_of(method, request, terms.calibration);
  // A plain run takes the path of a private one, which needs a budget although no noise is drawn.
  request.budget = !method.is_private()                      ? Budget{1, 0}
                   : terms.calibration == Calibration::sound ? with_margin(terms.budget)
                                                             : terms.budget;
  request.options = options;
  check_sites(method, terms, curator);
  if (method.is_private()) curator.set_scope({.public_facts = public_facts(request, terms)});
  TopicOutcome outcome = outcome_of(method, form, request, curator);
  outcome.guarantee = curator.guarantee();
  return outcome;
}

TopicOutcome find_topics(const Method& method, TopicData data, const Terms& terms,
                         const TopicOptions& options, std::function<void(const Curator&)> pay) {
  Curator curator = open_curator(method, terms, std::move(pay));
  return find_topics(method, std::move(data), terms, options, curator);
}

TopicOutcome refit(const Measurement& measured, const TopicOptions& options) {
  check(measured);
  const Method& method = find_method(measured.method, Job::topics);
  const auto* parts = std::get_if<MeasuredTopics>(&method.sound);
  if (!parts || !measured.documents) fail("method {} keeps no releases that can be refitted", method.name);
  check_topics(options.topics, measured.shape[0]);
  TopicOutcome outcome = estimated(*parts, measured, options);
  if (!is_finite(outcome.model))
    fail("these releases make topics that are not finite; find them in the data again");
  return outcome;
}

}  // namespace tulle
