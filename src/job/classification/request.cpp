#include <tulle/base/error.hpp>
#include <tulle/base/parse.hpp>
#include <tulle/base/suggestion.hpp>
#include <tulle/data/public_positions.hpp>
#include <tulle/io/list.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/job/baselines.hpp>
#include <tulle/job/classification/request.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/owner_notes.hpp>
#include <tulle/job/scores.hpp>
#include <tulle/job/write_page.hpp>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

namespace tulle {
namespace {

// ---- Before the data are read ----

void check_privacy(const ClassifierOptions& options) {
  if (options.is_private() && !options.privacy.epsilon)
    fail_usage("give @epsilon E and @delta D for a private run, or @method plain for one without privacy");
  if (!options.is_private() && options.privacy.epsilon)
    fail_usage("@method plain spends no @epsilon; omit one of them");
  if (!options.is_private()) options.uses.refuse(kForPrivateRuns, kNotForPlainRuns);
  options.ledger.check(options.is_private(), options.privacy.calibration);
  const bool published = options.privacy.calibration == Calibration::published;
  if (published && !options.found().has(Calibration::published))
    fail_usage("method {} has no published form; leave out @calibration published", options.method);
  if (published && !options.accounting)
    fail_usage("@calibration published needs @accounting ac or zcdp, as the paper has them");
  if (!published && options.accounting)
    fail_usage("@accounting {} is for @calibration published; a sound run is accounted by pld",
               name(*options.accounting));
}

std::string methods_of_images() {
  return names_of_methods(&Method::image_features, Job::classification);
}

void check_data(const ClassifierOptions& options) {
  refuse_given({{"labels", !options.file.labels.empty() && !holds_bytes(options.train)},
                {"test-labels", !options.test_labels.empty() && !holds_bytes(options.test)}},
               "is for images in idx files; other files hold their labels themselves");
  refuse_given(
      {{"image", options.image_stated && !options.found().image_features}},
      fmt::format("is for method {}, which learns from features of images; omit it", methods_of_images()));
  refuse_given({{"label-column", !options.file.label_column.empty() && !is_labelled_table(options.train)}},
               "is for tables (.csv, .tsv); omit it");
  if (options.holdout && !options.test.empty()) fail_usage("@holdout and @test: give one of them");
  if (options.holdout && !(*options.holdout > 0 && *options.holdout < 1))
    fail_usage("@holdout {}: give a part between 0 and 1, both excluded", *options.holdout);
}

void check(const ClassifierOptions& options) {
  check_privacy(options);
  const ClassificationOptions otherwise;
  refuse_given({{"dropout-rate", options.fit.dropout == otherwise.dropout &&
                                     options.fit.dropout_rate != otherwise.dropout_rate}},
               "is for @dropout binary or gaussian; give one of them, or omit it");
  check_data(options);
}

ClassifierOptions checked(const ClassifierOptions& options) {
  check(options);
  const std::vector<std::string> inputs = {options.train, options.test, options.file.labels,
                                           options.test_labels, options.ledger.address().ledger};
  check_model_outputs({options.output}, inputs);
  options.page.check(options.is_private(), "@test or @holdout", options.holdout || !options.test.empty(),
                     options.train);
  check_outputs({options.page.path, options.output}, inputs);
  return options;
}

// ---- The job and its data ----

// Pixels of idx files are bytes. Where each column has bounds of its own, none other count.
Range range_of(const ClassifierOptions& options) {
  if (options.range) return *options.range;
  if (!options.ranges.empty() || !options.categories.empty()) return {0, 1};
  if (holds_bytes(options.train)) return {0, 255};
  fail_usage("give @range LOW:HIGH, the public bounds of the values; they are never taken from the data");
}

ClassificationJob job_of(const ClassifierOptions& options, std::uint64_t seed) {
  ClassificationJob job{.method = options.method, .settings = options.settings, .options = options.fit};
  job.terms.calibration = options.privacy.calibration;
  job.terms.seed = options.seed;
  job.terms.range = range_of(options);
  job.terms.relation = options.relation;
  if (options.is_private()) job.terms.budget = options.privacy.budget();
  job.options.seed = seed;
  if (options.accounting) job.options.accounting = *options.accounting;
  return job;
}

int number_of_classes(const std::string& text) {
  constexpr int kMostClasses = 1'000'000;
  const auto classes = parse_number<int>(text);
  if (*classes < 2) fail_usage("@classes {}: there is nothing to tell apart; give 2 or more", *classes);
  if (*classes > kMostClasses) fail_usage("@classes {}: give {} at most", *classes, kMostClasses);
  return *classes;
}

// Their number, or a list of their labels.
void set_classes(const std::string& text, LabelledFileOptions& file) {
  if (parse_number<int>(text)) {
    file.classes = number_of_classes(text);
    return;
  }
  if (parse_number<double>(text)) fail_usage("@classes: {} is not a whole number", text);
  file.known = read_list(list_file(text), file.label_column);
  file.named = true;
  if (file.known.size() < 2)
    fail_usage("@classes {}: lists {} labels; there is nothing to tell apart", text, file.known.size());
  if (std::set<std::string>(file.known.begin(), file.known.end()).size() < file.known.size())
    fail_usage("@classes {}: a label is listed twice; list each once", text);
}

// The bounds of every value, in their order.
std::vector<std::pair<double, double>> bounds_of(const ClassifierOptions& options,
                                                 const LabelledExamples& train) {
  std::vector<std::pair<double, double>> bounds;
  if (options.ranges.empty() && options.categories.empty()) return bounds;
  std::vector<ColumnBounds> stated;
  if (!options.ranges.empty()) stated = read_column_bounds(options.ranges);
  std::vector<std::string> names;
  for (const ExampleValue& value : train.columns) names.push_back(value.name);
  for (auto column = static_cast<Eigen::Index>(names.size()); column < train.values.cols(); ++column)
    names.push_back(std::to_string(column + 1));
  const auto is_known = [&](const ColumnBounds& each) { return std::ranges::count(names, each.column) > 0; };
  if (const auto odd = std::ranges::find_if_not(stated, is_known); odd != stated.end())
    fail("{}: there is no column '{}'{}; there are {}", options.ranges, odd->column,
         suggestion(odd->column, names), fmt::join(names, ", "));
  for (std::size_t column = 0; column < names.size(); ++column) {
    const auto found = std::ranges::find(stated, names[column], &ColumnBounds::column);
    if (found != stated.end())
      bounds.emplace_back(found->low, found->high);
    else if (column < train.columns.size() && train.columns[column].categorical)
      bounds.emplace_back(0, 1);
    else if (options.range)
      bounds.emplace_back(options.range->low, options.range->high);
    else
      fail("{}: column '{}' has no bounds; list it, or give @range LOW:HIGH for all others",
           options.ranges.empty() ? options.train : options.ranges, names[column]);
  }
  return bounds;
}

// The public lists of categorical columns.
std::vector<CategoricalColumn> categories_of(const ClassifierOptions& options) {
  std::vector<CategoricalColumn> all;
  for (const std::string& text : options.categories) {
    const std::size_t equals = text.find('=');
    if (equals == text.npos || equals == 0 || equals + 1 == text.size())
      fail_usage("@category {}: give COLUMN=FILE, a column and a public list of its labels", text);
    const std::string column = text.substr(0, equals);
    all.push_back(
        {column, listed_positions(read_list(list_file(text.substr(equals + 1)), column), text).labels});
  }
  return all;
}

LabelledFileOptions reading_of_train(const ClassifierOptions& options, const ClassificationJob& job) {
  LabelledFileOptions file = options.file;
  if (!options.classes.empty()) set_classes(options.classes, file);
  file.categories = categories_of(options);
  if (!file.header && is_column_name(file.label_column)) file.header = true;
  return reading_for(job, options.train, file);
}

// Labels are names of the training data's classes.
LabelledExamples read_test(const ClassifierOptions& options, const LabelledFileOptions& trained,
                           const LabelledExamples& train) {
  LabelledFileOptions reading{.labels = options.test_labels,
                              .label_column = options.file.label_column,
                              .header = trained.header,
                              .separator = trained.separator,
                              .decimal = trained.decimal,
                              .categories = trained.categories,
                              .classes = static_cast<int>(train.classes.size()),
                              .clamped = trained.clamped,
                              .may_be_empty = trained.may_be_empty,
                              .known = train.classes,
                              .named = trained.named};
  LabelledExamples test = read_labelled(options.test, reading);
  if (test.values.cols() != train.values.cols())
    fail("{}: examples have {} values, those of {} have {}; give data that belong together", options.test,
         test.values.cols(), options.train, train.values.cols());
  return test;
}

// The files of the examples, if the options name more than one.
std::vector<std::string> data_of(const ClassifierOptions& options) {
  if (options.file.labels.empty()) return {options.train};
  return {options.train, options.file.labels};
}

// ---- The table of options ----

std::vector<int> hidden_of(const std::string& text) {
  std::vector<int> units;
  for (const std::string& each : split_at_commas(text)) {
    const auto number = parse_number<int>(each);
    if (!number || *number < 0)
      fail_usage("@hidden {}: give numbers of units, such as 1000 or 1000,500", text);
    units.push_back(*number);
  }
  if (units == std::vector{0}) return {};
  if (std::ranges::count(units, 0) > 0) fail_usage("@hidden {}: a layer of 0 units; omit it", text);
  return units;
}

// Height and width; 0 and 0: none.
std::pair<int, int> image_of(const std::string& text) {
  if (text == "none") return {0, 0};
  const std::size_t cross = std::min(text.find('x'), text.size());
  const auto height = parse_number<int>(text.substr(0, cross));
  const auto width = parse_number<int>(text.substr(std::min(cross + 1, text.size())));
  if (!height || !width || *height < 2 || *width < 2)
    fail_usage("@image {}: expected HEIGHTxWIDTH from 2x2 on, such as 28x28, or none", text);
  return {*height, *width};
}

void declare_files(OptionTable& table, ClassifierOptions& options) {
  table
      .add("train", options.train,
           "Labelled examples: MNIST images (..-images-idx3-ubyte, .gz) or their folder, .npz with x and y, "
           "or a table, the label last (.csv)")
      .required();
  table.add("test", options.test, "Labelled examples to measure the accuracy on");
  table.add("holdout", options.holdout, "Fraction of TRAIN to hold out to measure the accuracy on");
  table.add("labels", options.file.labels, "File of the labels of TRAIN, if they are not beside the images");
  table.add("test-labels", options.test_labels,
            "File of the labels of @test, if they are not beside the images");
  table.add("label-column", options.file.label_column,
            "Label column of a table: a name or a number [the last]");
  declare_separator(table, options.file.separator, options.file.decimal);
  table
      .add(
          "header", options.file.header,
          [](const std::string& text) {
            return text == "auto" ? std::nullopt : std::optional(text == "yes");
          },
          "Whether the first line of a table, of @test too, names the columns; private runs need it, or a "
          "name in @label-column")
      .one_of({"auto", "yes", "no"})
      .show_default({std::string("auto")});
  table.add("classes", options.classes,
            "Public classes: their number, for labels from 0, or a list of labels (a file, one per line, or "
            "FILE.csv:COLUMN); private runs replace other labels by a class [private: 10 for idx files; "
            "plain: from the largest label]");
  table
      .add("category", options.categories,
           "Column of a table with labels, COLUMN=FILE, a public list of them: a value per label, 1 or 0 "
           "(repeatable)")
      .repeats();
  table.add("ranges", options.ranges,
            "Public bounds of columns of a table, a file of lines column,low,high; values outside are "
            "clamped, and those of other columns have @range");
  table
      .add_text(
          "image",
          [&options](const std::string& text) {
            options.file.image = image_of(text);
            options.image_stated = true;
          },
          fmt::format("Size of images, such as 28x28, for the features of method {}, or none [from the file; "
                      "tables: none]",
                      methods_of_images()))
      .joined_by('x');
}

void declare_network(OptionTable& table, ClassifierOptions& options) {
  ClassificationOptions& fit = options.fit;
  table.add("hidden", fit.hidden, hidden_of,
            "Number of units of every hidden layer, such as 1000 or 1000,500; 0: no hidden layer");
  table.add("activation", fit.activation, activation_of, "Activation function: relu, sigmoid or tanh")
      .show_default({std::string(name(fit.activation))});
  table.add("method", options.method, "Method (see: tulle methods)").show_default();
  table.add("dropout", fit.dropout, dropout_of, "Dropout of @method plain: none, binary or gaussian")
      .show_default({std::string(name(fit.dropout))});
  table.add("dropout-rate", fit.dropout_rate, "Fraction of the units to drop").show_default();
}

void declare_terms(OptionTable& table, ClassifierOptions& options) {
  const char* const group = "Privacy";
  options.uses.declare(table, kForPrivateRuns, [&] {
    options.privacy.declare(table);
    table
        .add("relation", options.relation, relation_of,
             "Neighbouring relation: add-remove or replace [add-remove]")
        .group(group);
  });
  table
      .add(
          "range", options.range, [](const std::string& text) { return parse_range("range", text); },
          "Public bounds of a value, LOW:HIGH [0:255 for bytes]")
      .joined_by(':')
      .group(group);
  options.uses.declare(table, kForPrivateRuns, [&] {
    table
        .add(
            "accounting", options.accounting,
            [](const std::string& text) {
              return text == "pld" ? std::nullopt : std::optional(accounting_of(text));
            },
            "Accounting: pld for a sound run; ac or zcdp turn the budget into noise with @calibration "
            "published")
        .one_of({"pld", "ac", "zcdp"})
        .show_default({std::string("pld")})
        .group(group);
  });
  options.ledger.declare(table);
}

constexpr long kLeastSide = 8;  // of the images whose copies as tables go round

// Of public facts: the number of columns and what was stated.
std::optional<std::string> remark_on_images(const ClassifierOptions& options, const LabelledExamples& train) {
  const auto columns = train.values.cols();
  const auto side = std::lround(std::sqrt(static_cast<double>(columns)));
  if (options.image_stated || train.height > 0 || side < kLeastSide || side * side != columns ||
      !options.found().image_features)
    return std::nullopt;
  return fmt::format(
      "If rows of {} values are images of {}x{}, state image {}x{} to learn from their features.", columns,
      side, side, side, side);
}

}  // namespace

ClassifierRequest::ClassifierRequest(const ClassifierOptions& options)
    : options_(checked(options)),
      job_(job_of(options, seed_or_new(options.seed))),
      payment_(options.ledger.address(), fmt::format("classify, method {}", options.method),
               data_of(options)) {
  const LabelledFileOptions reading = reading_of_train(options_, job_);
  train_ = read_labelled(options_.train, reading);
  categories_ = reading.categories;
  job_.options.bounds = bounds_of(options_, train_);
  owner_notes_ = owner_notes(job_, train_);
  losses_ = losses(job_, train_);
  if (options_.holdout) {
    auto [kept, held_out] = hold_out(job_, train_, 1 - *options_.holdout, job_.options.seed);
    train_ = std::move(kept);
    test_ = std::move(held_out);
  } else if (!options_.test.empty()) {
    test_ = read_test(options_, reading, train_);
  }
  if (!options_.is_private()) return;
  for (const CategoricalColumn& column : categories_)
    job_.terms.scope.public_facts.push_back(
        fmt::format("the labels of column {} (a list of the owner's)", column.column));
  const auto most_lost = options_.ledger.most_lost_of(options_.privacy.calibration);
  state_losses(most_lost, job_.terms.scope);
  refuse_losses(losses_, most_lost);
}

ClassifierMade ClassifierRequest::run(const Watcher& watcher) {
  const auto started = std::chrono::steady_clock::now();
  ClassificationJob job = job_;
  job.options.observer = watcher.observer;
  ClassifierMade made{.examples = train_.size(), .owner_notes = owner_notes_};
  const BeforeCharge before =
      before_charge(payment_, options_.ledger, options_.is_private(), data_of(options_), losses_);
  made.owner_notes.insert(made.owner_notes.end(), before.notes.begin(), before.notes.end());
  const std::optional<std::string> remark = remark_on_images(options_, train_);
  if (test_) made.baseline_accuracy = majority_accuracy(train_.labels, test_->labels);
  made.outcome = run_paid(options_.ledger.account, payment_, before, watcher,
                          [&](const Pay& pay) { return job.run(std::move(train_), pay); });
  if (remark) made.outcome.remarks.push_back(*remark);
  made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  if (!test_) return made;
  const auto measure = [&] {
    return score_classes(mean_probabilities(made.outcome.model, made.outcome.samples, test_->values),
                         test_->labels);
  };
  made.scores = measured_or<ClassScores>({}, measure, made.owner_notes);
  const bool is_private = options_.is_private();
  if (auto note = no_better_classes_note(made.scores->accuracy, made.baseline_accuracy, is_private))
    (is_private ? made.owner_notes : made.outcome.remarks).push_back(std::move(*note));
  return made;
}

RunPlan ClassifierRequest::plan() {
  refuse_plan_of_plain(job_.found());
  const BeforeCharge before = before_charge(payment_, options_.ledger, true, data_of(options_), losses_);
  return rehearse(open_curator(job_.found(), job_.terms, Pay()), payment_, job_.method, before, owner_notes_,
                  [&](Curator& curator) { job_.run(std::move(train_), curator); });
}

NetworkFile ClassifierRequest::model(const ClassifierMade& made) const {
  return {.model = made.outcome.model,
          .samples = made.outcome.samples,
          .method = options_.method,
          .categories = categories_,
          .guarantee = options_.is_private() ? to_json(made.outcome.guarantee) : ""};
}

std::vector<AccuracyCurve> curves_of(const ClassifierOptions& options) {
  return curves_of(options.page, options.seed, [&](double epsilon, std::optional<std::uint64_t> seed) {
    ClassifierRequest request(at_epsilon(options, epsilon, seed));
    return report_of(request.job(), request.run({}));
  });
}

void ClassifierOptions::declare(OptionTable& table) {
  declare_files(table, *this);
  declare_network(table, *this);
  table.add("output", output, "File for the model (.npz)");
  declare_settings(table, Job::classification, settings);
  declare_terms(table, *this);
  page.declare(table);
  declare_seed(table, seed);
  declare_threads(table);
  table.mark_everyday({"output", "test", "holdout", "label-column", "classes", "epsilon", "delta", "range",
                       "account", "method", "hidden"});
}

}  // namespace tulle
