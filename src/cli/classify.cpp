// tulle classify: a network that tells the class of an example.
#include "classify.hpp"

#include "charging.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/job/scores.hpp>

#include <algorithm>
#include <chrono>

namespace tulle::cli {
namespace {

void check(const ClassifyOptions& options) {
  if (options.is_private() && !options.privacy.epsilon)
    fail_usage("give --epsilon E and --delta D for a private run, or --method plain for one without privacy");
  if (!options.is_private() && options.privacy.epsilon)
    fail_usage("--method plain spends no --epsilon; leave one of them out");
  if (!options.is_private()) options.uses.refuse(kForPrivateRuns, kNotForPlainRuns);
  options.ledger.check(options.is_private(), options.privacy.chosen_calibration());
  const bool published = options.privacy.chosen_calibration() == Calibration::published;
  if (published && !options.found().has(Calibration::published))
    fail_usage("method {} has no published form; leave out --calibration published", options.method);
  if (published && options.accounting == "pld")
    fail_usage("--calibration published needs --accounting ac or zcdp, as the paper has them");
  if (!published && options.accounting != "pld")
    fail_usage("--accounting {} is for --calibration published; a sound run is accounted by pld",
               options.accounting);
  const ClassifyOptions otherwise;
  refuse_given({{"--dropout-rate",
                 options.dropout == otherwise.dropout && options.dropout_rate != otherwise.dropout_rate}},
               "is for --dropout binary or gaussian; give one of them, or leave it out");
  refuse_given({{"--labels", !options.file.labels.empty() && !holds_bytes(options.train)},
                {"--test-labels", !options.test_file.labels.empty() && !holds_bytes(options.test)}},
               "is for images in idx files; other files hold their labels themselves");
  refuse_given({{"--image", !options.image.empty() && options.method != otherwise.method}},
               "is for method best, which learns from features of images; leave it out");
  refuse_given({{"--label-column", !options.file.label_column.empty() && !is_labelled_table(options.train)}},
               "is for tables (.csv, .tsv); leave it out");
  if (options.holdout && !options.test.empty()) fail_usage("--holdout and --test: give one of them");
  if (options.holdout && !(*options.holdout > 0 && *options.holdout < 1))
    fail_usage("--holdout {}: give a part between 0 and 1, both excluded", *options.holdout);
}

// Pixels of idx files are bytes.
Range range_of(const ClassifyOptions& options) {
  if (!options.range.empty()) return parse_range("--range", options.range);
  if (holds_bytes(options.train)) return {0, 255};
  fail_usage("give --range LOW:HIGH, the public bounds of the values; they are never taken from the data");
}

std::optional<int> classes_of(const ClassifyOptions& options) {
  constexpr int kMostClasses = 1'000'000;
  if (options.classes && *options.classes < 2)
    fail_usage("--classes {}: there is nothing to tell apart; give 2 or more", *options.classes);
  if (options.classes && *options.classes > kMostClasses)
    fail_usage("--classes {}: give {} at most", *options.classes, kMostClasses);
  return options.classes;
}

std::optional<std::vector<int>> hidden_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  std::vector<int> units;
  for (const std::string& each : split_at_commas(text)) {
    const auto number = parse_number<int>(each);
    if (!number || *number < 0)
      fail_usage("--hidden {}: give numbers of units, such as 1000 or 1000,500", text);
    units.push_back(*number);
  }
  if (units == std::vector{0}) return std::vector<int>();
  if (std::ranges::count(units, 0) > 0) fail_usage("--hidden {}: a layer of 0 units; leave it out", text);
  return units;
}

ClassificationJob job_of(const ClassifyOptions& options, std::uint64_t seed) {
  ClassificationJob job{.method = options.method, .settings = options.settings};
  job.terms.calibration = options.privacy.chosen_calibration();
  job.terms.seed = options.seed;
  job.terms.range = range_of(options);
  if (!options.relation.empty()) job.terms.relation = relation_of(options.relation);
  if (options.is_private()) job.terms.budget = options.privacy.budget();
  job.options.hidden = hidden_of(options.hidden);
  job.options.activation = activation_of(options.activation);
  job.options.seed = seed;
  if (options.accounting != "pld") job.options.accounting = accounting_of(options.accounting);
  job.options.dropout = dropout_of(options.dropout);
  job.options.dropout_rate = options.dropout_rate;
  return job;
}

// Height and width; 0 and 0: none.
std::optional<std::pair<int, int>> image_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "none") return std::pair(0, 0);
  const std::size_t cross = std::min(text.find('x'), text.size());
  const auto height = parse_number<int>(text.substr(0, cross));
  const auto width = parse_number<int>(text.substr(std::min(cross + 1, text.size())));
  if (!height || !width || *height < 2 || *width < 2)
    fail_usage("--image {}: expected HEIGHTxWIDTH from 2x2 on, such as 28x28, or none", text);
  return std::pair(*height, *width);
}

std::optional<bool> header_of(const ClassifyOptions& options) {
  if (options.header != "auto") return options.header == "yes";
  return is_column_name(options.file.label_column) ? std::optional(true) : std::nullopt;
}

struct Examples {
  LabelledExamples train;
  std::optional<LabelledExamples> test;
  std::vector<std::string> owner_notes;
  std::vector<LostData> losses;
};

Examples read_examples(const ClassifyOptions& options, const ClassificationJob& job, std::uint64_t seed) {
  const Progress progress("reading");
  LabelledFileOptions file = options.file;
  file.image = image_of(options.image);
  file.classes = classes_of(options);
  file.header = header_of(options);
  file = reading_for(job, options.train, file);
  LabelledExamples train = read_labelled(options.train, file);
  std::vector<std::string> notes = owner_notes(job, train);
  std::vector<LostData> lost = losses(job, train);
  if (options.holdout) {
    auto [kept, held_out] = hold_out(job, train, 1 - *options.holdout, seed);
    return {std::move(kept), std::move(held_out), std::move(notes), std::move(lost)};
  }
  if (options.test.empty()) return {std::move(train), std::nullopt, std::move(notes), std::move(lost)};
  LabelledFileOptions known = options.test_file;
  known.label_column = options.file.label_column;
  known.header = file.header;
  known.known = train.classes;
  known.classes = static_cast<int>(train.classes.size());
  known.clamped = file.clamped;
  known.may_be_empty = file.may_be_empty;
  LabelledExamples test = read_labelled(options.test, known);
  if (test.values.cols() != train.values.cols())
    fail("{}: examples have {} values, those of {} have {}; give data that belong together", options.test,
         test.values.cols(), options.train, train.values.cols());
  return {std::move(train), std::move(test), std::move(notes), std::move(lost)};
}

// The files of the examples, where the options name more than one.
std::vector<std::string> data_of(const ClassifyOptions& options) {
  if (options.file.labels.empty()) return {options.train};
  return {options.train, options.file.labels};
}

ClassifierMade timed_run(const ClassifyOptions& options, const ClassificationJob& job, Examples examples,
                         Payment& payment) {
  const auto started = std::chrono::steady_clock::now();
  ClassifierMade made{.examples = examples.train.size(), .owner_notes = std::move(examples.owner_notes)};
  const BeforeCharge before =
      before_charge(options.ledger, options.is_private(), data_of(options), examples.losses);
  made.owner_notes.insert(made.owner_notes.end(), before.notes.begin(), before.notes.end());
  const bool is_guess =
      options.image.empty() && is_labelled_table(options.train) && examples.train.height > 0;
  made.outcome = run_paid(options.ledger.account, payment, before,
                          [&](const Pay& pay) { return job.run(std::move(examples.train), pay); });
  if (const ImageFeatures& features = made.outcome.model.features; is_guess && features.height > 0)
    made.outcome.remarks.push_back(
        fmt::format("Rows of {} values were taken for images of {}x{}; unless they are, give --image none.",
                    features.height * features.width, features.height, features.width));
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (!examples.test) return made;
  const auto measure = [&] {
    return score_classes(mean_probabilities(made.outcome.model, made.outcome.samples, examples.test->values),
                         examples.test->labels);
  };
  made.scores = measured_or<ClassScores>({}, measure, made.owner_notes);
  return made;
}

void print_report(const ClassifyOptions& options, const ClassifierMade& made) {
  const std::string mark = options.is_private() ? fmt::format(" ({})", kForTheOwner) : "";
  fmt::print("{} a network of {} parameters for {} classes with {} ({})\n", bold("Trained"),
             made.outcome.model.parameters(), made.outcome.model.classes.size(), options.method,
             made.outcome.solver);
  for (const std::string& remark : made.outcome.remarks) fmt::print("{}\n", remark);
  if (made.scores) fmt::print("{} {}{}\n", bold("Test:"), text(*made.scores), mark);
  fmt::print("{} {:.2f} s{}\n", bold("Time:"), made.seconds, mark);
  for (const std::string& note : made.owner_notes) fmt::print("{} {}{}\n", bold("Note:"), note, mark);
  fmt::print("{} {}\n", bold("Guarantee:"), sentence(made.outcome.guarantee));
  if (!options.output.empty()) fmt::print("{} {}\n", bold("Model:"), options.output);
  if (options.page.wanted()) fmt::print("{} {}\n", bold("Report:"), options.page.path);
}

ClassifyOptions checked(const ClassifyOptions& options) {
  check(options);
  const std::vector<std::string> inputs = {options.train, options.test, options.file.labels,
                                           options.test_file.labels, options.ledger.address().ledger};
  check_model_outputs({options.output}, inputs);
  options.page.check(options.is_private(), "--test or --holdout", options.holdout || !options.test.empty(),
                     options.train);
  check_outputs({options.page.path, options.output}, inputs);
  return options;
}

std::vector<AccuracyCurve> classifier_curves(const ClassifyOptions& options) {
  return curves_of(options.page, options.seed, [&](double epsilon, std::optional<std::uint64_t> seed) {
    RequestedClassifier request(at_epsilon(options, epsilon, seed));
    return report_of(request.job(), request.run({}));
  });
}

void run_classify(const ClassifyOptions& options) {
  RequestedClassifier request(options);
  const std::vector<AccuracyCurve> curves = classifier_curves(options);
  const ClassifierMade made = [&] {
    Progress progress("training");
    return request.run([&](const Iteration& step) {
      progress.show(step.number, step.limit, "");
      return true;
    });
  }();
  write_outputs(options.ledger.account, [&] {
    if (!options.output.empty()) save(options.output, request.model(made));
    write_page(options.page, "Privacy report: classifier", report_of(request.job(), made),
               drawings_of(request.model(made)), request.payment(), curves);
    request.payment().delivered();
  });
  if (options.json) return print_json(report_of(request.job(), made), request.payment());
  print_report(options, made);
  print_balance(request.payment());
}

}  // namespace

RequestedClassifier::RequestedClassifier(const ClassifyOptions& options)
    : options_(checked(options)),
      seed_(seed_or_new(options.seed)),
      job_(job_of(options, seed_)),
      payment_(options.ledger.address(), fmt::format("classify, method {}", options.method),
               data_of(options)) {}

ClassifierMade RequestedClassifier::run(const Observer& observer) {
  Examples examples = read_examples(options_, job_, seed_);
  ClassificationJob job = job_;
  job.options.observer = observer;
  if (options_.ledger.most_lost) refuse_losses(examples.losses, *options_.ledger.most_lost, job.terms.scope);
  return timed_run(options_, job, std::move(examples), payment_);
}

NetworkFile RequestedClassifier::model(const ClassifierMade& made) const {
  return {.model = made.outcome.model,
          .samples = made.outcome.samples,
          .method = options_.method,
          .guarantee = options_.is_private() ? to_json(made.outcome.guarantee) : ""};
}

void ClassifyOptions::declare(Verb& verb) {
  verb.add_option("TRAIN", train,
                  "Labelled examples: images of MNIST (..-images-idx3-ubyte, .gz) or their folder, .npz with "
                  "arrays x "
                  "and y, or a table whose last column is the label (.csv)")
      .required();
  verb.add_option("--test", test, "Labelled examples to measure the accuracy on");
  verb.add_option("--holdout", holdout, "Hold out this part of TRAIN to measure the accuracy on");
  verb.add_option("--labels", file.labels, "Labels of TRAIN, when they are not beside the images");
  verb.add_option("--test-labels", test_file.labels, "The same of --test");
  verb.add_option("--label-column", file.label_column, "The label's column of a table: a name or a number");
  verb.add_option(
          "--header", header,
          "Whether the first line of a table names its columns, of --test too; stated in private runs")
      .one_of({"auto", "yes", "no"})
      .show_default();
  verb.add_option(
      "--classes", classes,
      "How many classes there are, which is public; labels count from 0, and of a private run those "
      "outside become the nearest one [private: 10 of idx files; else by the largest label]");
  verb.add_option(
      "--image", image,
      "Height and width of images, such as 28x28, whose features method best learns from, or none "
      "[what the file says; a table of 64, 81, 100, .. values holds square images]");
  verb.add_option("--hidden", hidden, "Units of every hidden layer, such as 1000 or 1000,500; 0: none");
  verb.add_option("--activation", activation, "relu, sigmoid or tanh").show_default();
  verb.add_option("--method", method, "See: tulle methods").show_default();
  verb.add_option("--dropout", dropout, "Of --method plain: none, binary or gaussian").show_default();
  verb.add_option("--dropout-rate", dropout_rate, "Part of the units that is dropped").show_default();
  verb.add_option("-o,--output", output, "Where the model goes (.npz)");
  declare_json(verb, json);
  declare_settings(verb, Job::classification, settings);
  uses.declare(verb, kForPrivateRuns, [&] {
    privacy.declare(verb);
    verb.add_option("--relation", relation, "add-remove or replace [add-remove]").group("Privacy");
  });
  verb.add_option("--range", range, "Public bounds of a value, LOW:HIGH [0:255 for bytes]").group("Privacy");
  uses.declare(verb, kForPrivateRuns, [&] {
    verb.add_option("--accounting", accounting,
                    "pld: of a sound run; ac, zcdp: how --calibration published turns the budget into noise")
        .one_of({"pld", "ac", "zcdp"})
        .show_default()
        .group("Privacy");
  });
  ledger.declare(verb);
  page.declare(verb);
  declare_seed(verb, seed);
  declare_threads(verb);
}

void add_classify(Verb& command) {
  auto options = std::make_shared<ClassifyOptions>();
  Verb verb = command.add_verb("classify", "Train a network that tells the class of an example");
  options->declare(verb);
  verb.footer(
      "Example:\n"
      "  tulle classify train-images-idx3-ubyte.gz --test t10k-images-idx3-ubyte.gz --epsilon 1 --delta 1e-5 "
      "-o digits.npz\n"
      "  tulle classify digits.csv --range 0:16 --method plain --hidden 500 --holdout 0.2");
  verb.callback([options] { run_classify(*options); });
}

}  // namespace tulle::cli
