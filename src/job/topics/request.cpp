#include "table.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/component_error.hpp>
#include <tulle/io/list.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/read_documents.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/options/shipped.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/job/topics/request.hpp>
#include <tulle/job/write_page.hpp>

#include <nlohmann/json.hpp>

#include <chrono>

namespace tulle {
namespace {

constexpr const char* kOverSites = "over sites";

void check(const TopicsOptions& options) {
  if (options.is_private() && !options.privacy.epsilon)
    fail_usage("give @epsilon E for a private run, or @method plain for one without privacy");
  if (!options.is_private() && options.privacy.epsilon)
    fail_usage("@method plain spends no @epsilon; omit one of them");
  if (!options.is_private()) options.uses.refuse(kForPrivateRuns, kNotForPlainRuns);
  if (!options.over_sites) options.uses.refuse(kOverSites, "is for @trust sites; omit it");
  options.ledger.check(options.is_private(), options.privacy.calibration);
  if (options.over_sites && !options.is_private())
    fail_usage("@trust sites is for private runs; @method plain hides nothing from anyone");
  if (options.mixture && !options.norm)
    fail_usage(
        "@mixture needs @norm B, the public bound of the vectors' norms; it is never taken from the data");
  if (!options.mixture && options.norm) fail_usage("@norm is for @mixture; words have none");
  if (options.vocabulary.empty()) {
    if (!options.mixture && (options.words < 1 || options.words > kMaxDimension))
      fail_usage(
          "give @vocabulary FILE, the public list of words, for documents of text, or @words N, its size, "
          "for words that are numbers from 1");
  } else if (options.mixture || options.words != 0 || options.format) {
    fail_usage(
        "@vocabulary is for documents of text, and says how many words there are; leave @mixture, @words "
        "and @format out");
  }
}

ReadOptions reading(const TopicsOptions& options) {
  ReadOptions reading;
  reading.format = options.format;
  // The frequency of a word in a private document is no reason to refuse the document.
  reading.clamp_to_float32 = reading.one_cell_per_entry = options.is_private();
  return reading;
}

TopicData read_data(const TopicsOptions& options, const std::vector<std::string>& vocabulary) {
  if (!vocabulary.empty()) return read_text_documents(options.input, vocabulary);
  if (!options.mixture)
    return read_documents(options.input, static_cast<Index>(options.words), reading(options),
                          options.is_private() ? LongBags::thin : LongBags::refuse);
  const DenseTensor table = read_table(options.input, reading(options));
  Samples samples{rows_of(table), *options.norm, {}};
  if (table.order() == 3) samples.sites.assign(table.shape()[0], table.shape()[1]);
  return samples;
}

std::uint64_t size_of(const TopicData& data) {
  if (const auto* corpus = std::get_if<Corpus>(&data)) return corpus->documents.size();
  return std::get<Samples>(data).size();
}

Index words_of(const TopicData& data) {
  if (const auto* corpus = std::get_if<Corpus>(&data)) return corpus->documents.vocabulary();
  return static_cast<Index>(std::get<Samples>(data).rows.cols());
}

// Read before anything is charged.
std::optional<Matrix> read_truth(const std::string& path, Index words) {
  if (path.empty()) return std::nullopt;
  Matrix topics = rows_of(read_table(path, {}));
  if (topics.rows() != static_cast<Eigen::Index>(words))
    fail("{}: the true topics have {} rows, the words are {}", path, topics.rows(), words);
  return topics;
}

TopicJob job_of(const TopicsOptions& options, std::uint64_t seed) {
  TopicJob job{.method = options.method, .options = {.topics = options.topics, .seed = seed}};
  job.terms.calibration = options.privacy.calibration;
  job.terms.seed = options.seed;
  if (options.over_sites) job.terms.sites = Sites{options.colluding};
  if (options.is_private()) job.terms.budget = options.privacy.budget();
  return job;
}

// A vocabulary leaves most words of most texts out on purpose, such as "the": only where hardly any is left
// does it belong to other texts.
std::optional<double> most_lost_of(const TopicsOptions& options) {
  constexpr double kMostWords = 0.9;
  const auto most = options.ledger.most_lost_of(options.privacy.calibration);
  return most && !options.vocabulary.empty() && !options.ledger.most_lost ? kMostWords : most;
}

// The purpose in the ledger's history.
std::string purpose(const TopicsOptions& options) {
  const std::string method = fmt::format("topics, method {}", options.method);
  if (!options.over_sites) return method;
  return fmt::format("{}, among sites of which {} may collude", method, options.colluding);
}

TopicsOptions checked(const TopicsOptions& options) {
  check(options);
  const std::vector<std::string> inputs = {options.input, options.truth, options.vocabulary,
                                           options.ledger.address().ledger};
  check_model_outputs({options.output}, inputs);
  options.page.check(options.is_private(), "@truth", !options.truth.empty(), options.input);
  check_outputs({options.page.path, options.output}, inputs);
  return options;
}

}  // namespace

TopicsRequest::TopicsRequest(const TopicsOptions& options)
    : options_(checked(options)),
      job_(job_of(options, seed_or_new(options.seed))),
      payment_(options.ledger.address(), purpose(options), options.input) {
  if (!options.vocabulary.empty()) vocabulary_ = read_vocabulary(vocabulary_file(options.vocabulary));
  data_ = read_data(options_, vocabulary_);
  truth_ = read_truth(options_.truth, words_of(*data_));
  owner_notes_ = owner_notes(job_, *data_);
  losses_ = losses(job_, *data_);
  if (!options_.is_private()) return;
  const auto most_lost = most_lost_of(options_);
  state_losses(most_lost, job_.terms.scope);
  refuse_losses(losses_, most_lost);
}

TopicsFound TopicsRequest::run(const Watcher& watcher) {
  const auto started = std::chrono::steady_clock::now();
  const BeforeCharge before =
      before_charge(payment_, options_.ledger, options_.is_private(), {options_.input}, losses_);
  TopicsFound found{.documents = size_of(*data_), .mixture = options_.mixture, .owner_notes = owner_notes_};
  found.owner_notes.insert(found.owner_notes.end(), before.notes.begin(), before.notes.end());
  found.outcome = run_paid(options_.ledger.account, payment_, before, watcher,
                           [&](const Pay& pay) { return job_.run(std::move(*data_), pay); });
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (truth_) found.error = component_error(found.outcome.model.topics, *truth_);
  return found;
}

RunPlan TopicsRequest::plan() {
  refuse_plan_of_plain(job_.found());
  if (options_.over_sites) fail_usage("a plan is of a run in one place; omit @trust sites");
  const BeforeCharge before = before_charge(payment_, options_.ledger, true, {options_.input}, losses_);
  return rehearse(open_curator(job_.found(), job_.terms, Pay()), payment_, job_.method, before, owner_notes_,
                  [&](Curator& curator) { job_.run(std::move(*data_), curator); });
}

ModelFile TopicsRequest::model(const TopicsFound& found) const {
  const TopicOutcome& outcome = found.outcome;
  ModelFile file{.model = outcome.model,
                 .modes = {{options_.mixture ? "coordinate" : "word", vocabulary_}, {"topic", {}}},
                 .method = options_.method,
                 .guarantee = options_.is_private() ? to_json(outcome.guarantee) : ""};
  if (options_.keep_releases && outcome.guarantee.covers_releases()) file.measured = outcome.measured;
  return file;
}

std::vector<AccuracyCurve> curves_of(const TopicsOptions& options) {
  return curves_of(options.page, options.seed, [&](double epsilon, std::optional<std::uint64_t> seed) {
    TopicsRequest request(at_epsilon(options, epsilon, seed));
    return report_of(request.job(), request.run({}));
  });
}

void TopicsOptions::declare(OptionTable& table) {
  table
      .add("documents", input,
           "Documents: word numbers from 1, as a table (.npy) or a line each (.txt, .csv; - for standard "
           "input), or bags of words (.mtx, .tns)")
      .required();
  table.add("topics", topics, "Number of topics").required();
  table.add("words", words, "Size of the vocabulary; it is public");
  table.add("vocabulary", vocabulary,
            "Public list of words, one per line, if WORDS is text (a line or a file per document); other "
            "words are dropped; english: tulle's own list");
  table.add("mixture", mixture,
            "Find the means of a mixture of spherical Gaussians; WORDS holds vectors, one per row");
  table.add("norm", norm, "Public bound of the vectors' norms; longer vectors are shortened to it");
  table.add("method", method, "Method (see: tulle methods)").show_default();
  table.add("truth", truth, "True topics, words x topics (.npy), to measure the error");
  table.add("output", output, "File for the model (.npz)");
  table
      .add(
          "format", format, [](const std::string& name) { return format_of("." + name); },
          "Format of WORDS [from the file name]")
      .one_of(format_names());
  uses.declare(table, kForPrivateRuns, [&] {
    declare_releases(table, keep_releases);
    privacy.declare(table);
  });
  table
      .add(
          "trust", over_sites, [](const std::string& trust) { return trust == "sites"; },
          "central: one place sees all data; sites: each site (data site x document x word) adds its share "
          "of the noise, only the sum is seen")
      .one_of({"central", "sites"})
      .show_default({std::string("central")})
      .group("Privacy");
  uses.declare(table, kOverSites, [&] {
    table.add("colluding", colluding, "Number of colluding sites to protect against; 0: outsiders only")
        .show_default()
        .group("Privacy");
  });
  ledger.declare(table);
  page.declare(table);
  declare_seed(table, seed);
  declare_threads(table);
  table.mark_everyday(
      {"output", "topics", "words", "vocabulary", "epsilon", "delta", "account", "method", "report"});
}

}  // namespace tulle
