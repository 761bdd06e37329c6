// tulle topics: topics of documents, or components of a mixture of Gaussians.
#include "topics.hpp"

#include "charging.hpp"
#include "input/shipped.hpp"
#include "options.hpp"
#include "terminal/interrupt.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/data/component_error.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/read_documents.hpp>
#include <tulle/job/owner_notes.hpp>

#include <nlohmann/json.hpp>

#include <chrono>

namespace tulle::cli {
namespace {

constexpr const char* kOverSites = "over sites";

void check(const TopicsOptions& options) {
  if (options.is_private() && !options.privacy.epsilon)
    fail_usage("give --epsilon E for a private run, or --method plain for one without privacy");
  if (!options.is_private() && options.privacy.epsilon)
    fail_usage("--method plain spends no --epsilon; leave one of them out");
  if (!options.is_private()) options.uses.refuse(kForPrivateRuns, kNotForPlainRuns);
  if (options.trust != "sites") options.uses.refuse(kOverSites, "is for --trust sites; leave it out");
  options.ledger.check(options.is_private(), options.privacy.chosen_calibration());
  if (options.trust == "sites" && !options.is_private())
    fail_usage("--trust sites is for private runs; --method plain hides nothing from anyone");
  if (options.mixture && !options.norm)
    fail_usage(
        "--mixture needs --norm B, the public bound of the vectors' norms; it is never taken from the data");
  if (!options.mixture && options.norm) fail_usage("--norm is for --mixture; words have none");
  if (options.vocabulary.empty()) {
    if (!options.mixture && (options.words < 1 || options.words > kMaxDimension))
      fail_usage(
          "give --vocabulary FILE, the public list of words, for documents of text, or --words N, its size, "
          "for "
          "words that are numbers from 1");
  } else if (options.mixture || options.words != 0 || !options.format.empty()) {
    fail_usage(
        "--vocabulary is for documents of text, and says how many words there are; leave --mixture, --words "
        "and --format out");
  }
}

ReadOptions reading(const TopicsOptions& options) {
  ReadOptions reading;
  if (!options.format.empty()) reading.format = format_of("." + options.format);
  // How often a private document has a word is no reason to refuse it.
  reading.clamp_to_float32 = reading.one_cell_per_entry = options.is_private();
  return reading;
}

// A table of numbers: row x column, or site x row x column.
DenseTensor read_table(const std::string& path, const ReadOptions& options) {
  Dataset data = read(path, options);
  auto* table = std::get_if<DenseTensor>(&data.tensor);
  if (!table || table->order() > 3) fail("{}: expected a table of numbers (.npy, .npz or .mat)", path);
  return std::move(*table);
}

Matrix as_matrix(const DenseTensor& table) {
  const Index columns = table.shape()[table.order() - 1];
  return Eigen::Map<const Matrix>(table.values().data(), static_cast<Eigen::Index>(table.size() / columns),
                                  columns);
}

TopicData read_data(const TopicsOptions& options, const std::vector<std::string>& vocabulary) {
  const Progress progress("reading");
  if (!vocabulary.empty()) return read_text_documents(options.input, vocabulary);
  if (!options.mixture)
    return read_documents(options.input, static_cast<Index>(options.words), reading(options),
                          options.is_private() ? LongBags::thin : LongBags::refuse);
  const DenseTensor table = read_table(options.input, reading(options));
  Samples samples{as_matrix(table), *options.norm, {}};
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
  Matrix topics = as_matrix(read_table(path, {}));
  if (topics.rows() != static_cast<Eigen::Index>(words))
    fail("{}: the true topics have {} rows, the words are {}", path, topics.rows(), words);
  return topics;
}

TopicJob job_of(const TopicsOptions& options, std::uint64_t seed) {
  TopicJob job{.method = options.method, .options = {.topics = options.topics, .seed = seed}};
  job.terms.calibration = options.privacy.chosen_calibration();
  job.terms.seed = options.seed;
  if (options.trust == "sites") job.terms.sites = Sites{options.colluding};
  if (options.is_private()) job.terms.budget = options.privacy.budget();
  return job;
}

TopicsFound timed(const TopicsOptions& options, TopicJob job, TopicData data, Payment& payment) {
  const std::optional<Matrix> truth = read_truth(options.truth, words_of(data));
  const auto started = std::chrono::steady_clock::now();
  TopicsFound found{
      .documents = size_of(data), .mixture = options.mixture, .owner_notes = owner_notes(job, data)};
  const std::vector<LostData> lost = losses(job, data);
  if (options.ledger.most_lost) refuse_losses(lost, *options.ledger.most_lost, job.terms.scope);
  const BeforeCharge before = before_charge(options.ledger, options.is_private(), {options.input}, lost);
  found.owner_notes.insert(found.owner_notes.end(), before.notes.begin(), before.notes.end());
  {
    const Progress progress("finding topics");
    found.outcome = run_paid(options.ledger.account, payment, before,
                             [&](const Pay& pay) { return job.run(std::move(data), pay); });
  }
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (truth) found.error = component_error(found.outcome.model.topics, *truth);
  return found;
}

// The words that a topic has most of.
std::string top_words(const Topics& model, int topic, const std::vector<std::string>& vocabulary) {
  std::vector<Eigen::Index> order(model.topics.rows());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  const auto shown = std::min<std::size_t>(8, order.size());
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown), order.end(),
                    [&](auto one, auto other) {
                      const double p = model.topics(one, topic), q = model.topics(other, topic);
                      return p > q || (p == q && one < other);
                    });
  std::vector<std::string> words;
  for (std::size_t i = 0; i < shown; ++i)
    words.push_back(fmt::format(
        "{} ({:.3f})",
        vocabulary.empty() ? fmt::format("{}", order[i] + 1) : vocabulary[static_cast<std::size_t>(order[i])],
        model.topics(order[i], topic)));
  return fmt::format("{}", fmt::join(words, ", "));
}

void print_report(const TopicsOptions& options, const TopicsFound& found,
                  const std::vector<std::string>& vocabulary) {
  const Topics& model = found.outcome.model;
  const std::string mark = options.is_private() ? fmt::format(" ({})", kForTheOwner) : "";
  fmt::print("{} {} {} in {} {} with {}\n", bold("Found"), model.count(),
             options.mixture ? "components" : "topics", found.documents,
             options.mixture ? "vectors" : "documents", options.method);
  for (int topic = 0; topic < model.count(); ++topic)
    fmt::print("{:>5}  share {:.3f}: {}\n", topic + 1, model.weights[topic],
               top_words(model, topic, vocabulary));
  for (const std::string& remark : found.outcome.remarks) fmt::print("{}\n", remark);
  if (found.error) fmt::print("{} e_comp {:.4f}{}\n", bold("Distance to the truth:"), *found.error, mark);
  fmt::print("{} {:.2f} s{}\n", bold("Time:"), found.seconds, mark);
  for (const std::string& note : found.owner_notes) fmt::print("{} {}{}\n", bold("Note:"), note, mark);
  fmt::print("{} {}\n", bold("Guarantee:"), sentence(found.outcome.guarantee));
  if (!options.output.empty()) fmt::print("{} {}\n", bold("Model:"), options.output);
  if (options.page.wanted()) fmt::print("{} {}\n", bold("Report:"), options.page.path);
}

// As the ledger's history has it.
std::string purpose(const TopicsOptions& options) {
  const std::string method = fmt::format("topics, method {}", options.method);
  if (options.trust != "sites") return method;
  return fmt::format("{}, among sites of which {} may collude", method, options.colluding);
}

TopicsOptions checked(const TopicsOptions& options) {
  check(options);
  const std::vector<std::string> inputs = {options.input, options.truth, options.vocabulary,
                                           options.ledger.address().ledger};
  check_model_outputs({options.output}, inputs);
  options.page.check(options.is_private(), "--truth", !options.truth.empty(), options.input);
  check_outputs({options.page.path, options.output}, inputs);
  return options;
}

std::vector<AccuracyCurve> topics_curves(const TopicsOptions& options) {
  return curves_of(options.page, options.seed, [&](double epsilon, std::optional<std::uint64_t> seed) {
    RequestedTopics request(at_epsilon(options, epsilon, seed));
    return report_of(request.job(), request.run());
  });
}

void run(const TopicsOptions& options) {
  RequestedTopics request(options);
  const std::vector<AccuracyCurve> curves = topics_curves(options);
  const TopicsFound found = request.run();
  write_outputs(options.ledger.account, [&] {
    if (!options.output.empty()) save(options.output, request.model(found));
    write_page(options.page, "Privacy report: topics", report_of(request.job(), found),
               drawings_of(request.model(found)), request.payment(), curves);
    request.payment().delivered();
  });
  if (options.json) return print_json(report_of(request.job(), found), request.payment());
  print_report(options, found, request.vocabulary());
  print_balance(request.payment());
}

}  // namespace

RequestedTopics::RequestedTopics(const TopicsOptions& options)
    : options_(checked(options)),
      job_(job_of(options, seed_or_new(options.seed))),
      payment_(options.ledger.address(), purpose(options), options.input) {
  if (!options.vocabulary.empty()) vocabulary_ = read_vocabulary(vocabulary_file(options.vocabulary));
}

TopicsFound RequestedTopics::run() {
  return timed(options_, job_, read_data(options_, vocabulary_), payment_);
}

ModelFile RequestedTopics::model(const TopicsFound& found) const {
  return {.model = found.outcome.model,
          .modes = {{options_.mixture ? "coordinate" : "word", vocabulary_}, {"topic", {}}},
          .method = options_.method,
          .guarantee = options_.is_private() ? to_json(found.outcome.guarantee) : ""};
}

void TopicsOptions::declare(Verb& verb) {
  verb.add_option(
          "WORDS", input,
          "Documents: a table of word numbers from 1 (.npy), one line per document (.txt, .csv), or bags "
          "of words (.mtx, .tns); - for lines on standard input")
      .required();
  verb.add_option("--topics", topics, "How many").required();
  verb.add_option("--words", words, "The size of the vocabulary; it is public");
  verb.add_option(
      "--vocabulary", vocabulary,
      "WORDS is text, one document per line or a folder with one per file: its words are looked up in "
      "this public list, one per line, and others are left out; english: a list of common words that "
      "comes with the command");
  verb.add_flag(
      "--mixture", mixture,
      "WORDS holds vectors instead, a row each: find the means of a mixture of spherical Gaussians");
  verb.add_option("--norm", norm, "Public bound of the vectors' norms; longer ones are shortened to it");
  verb.add_option("--method", method, "See: tulle methods").show_default();
  verb.add_option("--truth", truth, "True topics, words x topics (.npy), to measure the error");
  verb.add_option("-o,--output", output, "Where the model goes (.npz)");
  verb.add_option("--format", format, "Format of WORDS, when the name does not tell")
      .one_of({"tns", "csv", "tsv", "mtx", "npy", "npz", "mat"});
  declare_json(verb, json);
  uses.declare(verb, kForPrivateRuns, [&] { privacy.declare(verb); });
  verb.add_option(
          "--trust", trust,
          "central: one place sees all data; sites: each site (site x document x word) adds its part of the "
          "noise, and only the sum of all is seen")
      .one_of({"central", "sites"})
      .show_default()
      .group("Privacy");
  uses.declare(verb, kOverSites, [&] {
    verb.add_option("--colluding", colluding,
                    "Sites that may put together what they know; 0: outsiders alone are kept from the data")
        .show_default()
        .group("Privacy");
  });
  ledger.declare(verb);
  page.declare(verb);
  declare_seed(verb, seed);
  declare_threads(verb);
}

void add_topics(Verb& command) {
  auto options = std::make_shared<TopicsOptions>();
  Verb verb = command.add_verb("topics", "Find the topics of documents, or the parts of a mixture");
  options->declare(verb);
  verb.footer(
      "Example:\n  tulle topics words.npy --topics 3 --words 300 --epsilon 1 -o topics.npz\n"
      "  tulle topics letters.txt --vocabulary vocabulary.txt --topics 3 --epsilon 1\n"
      "  tulle topics letters.txt --vocabulary english --topics 3 --epsilon 1");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
