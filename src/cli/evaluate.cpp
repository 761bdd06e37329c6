// tulle evaluate: how far a model's predictions are from known cells.
#include "input/coupled_relation.hpp"
#include "input/example_options.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/base/json.hpp>
#include <tulle/data/metrics.hpp>
#include <tulle/io/outputs.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/saved_model.hpp>
#include <tulle/io/write.hpp>
#include <tulle/job/baseline_files.hpp>
#include <tulle/job/classify.hpp>
#include <tulle/job/options/common.hpp>
#include <tulle/job/prediction.hpp>
#include <tulle/job/ranking.hpp>
#include <tulle/job/scores.hpp>
#include <tulle/job/topics/new_documents.hpp>
#include <tulle/report/plot.hpp>
#include <tulle/tensor/mode_of.hpp>

#include <cmath>

namespace tulle::cli {
namespace {

struct Evaluate {
  std::string model, test, train, relation, plot, known, rank_by;
  ReadOptions input;
  ExampleOptions examples;
  std::optional<double> relevant;  // values from here on count as hits
  int top = 10;
  std::string group_mode = "1";
  bool json = false, unclamped = false;
};

struct Ranking {
  double auc, precision;
};

Ranking rank(const Evaluate& options, const std::vector<Mode>& modes, const SparseTensor& test,
             std::span<const double> predicted) {
  const int group_mode = mode_of(options.group_mode, modes, "@by");
  std::vector<float> hit;
  for (float value : test.values()) hit.push_back(value >= *options.relevant ? 1.0f : 0.0f);
  if (const auto hits = std::ranges::count(hit, 1.0f); hits == 0 || hits == std::ssize(hit))
    fail("@relevant {}: {} of the values reach it; to rank, some must and some must not", *options.relevant,
         hits == 0 ? "none" : "all");
  return {auc(hit, predicted), precision_at_k(test.column(group_mode), hit, predicted, options.top, 1)};
}

Json fields_of(const RankingScores& scores) {
  return {{"users", scores.users},
          {"recall", scores.recall},
          {"ndcg", scores.ndcg},
          {"hit_rate", scores.hit_rate},
          {"coverage", scores.coverage}};
}

void print_ranking(const std::string& name, int top, const RankingScores& scores) {
  fmt::print("{}: recall {:.4f}, NDCG {:.4f}, hit rate {:.4f}, coverage {:.4f} at {}, {} users ({})\n", name,
             scores.recall, scores.ndcg, scores.hit_rate, scores.coverage, top, scores.users, kForTheOwner);
}

void refuse_ranking(const Evaluate& options) {
  refuse_given({{"ranking", !options.known.empty()}},
               message("is for a model of complete, which {} is not; omit it", options.model));
}

std::optional<UnseenRanking> ranking_of(const Evaluate& options, const CoupledFile&) {
  refuse_ranking(options);
  return std::nullopt;
}

std::optional<UnseenRanking> ranking_of(const Evaluate& options, const ModelFile& file) {
  if (options.known.empty()) return std::nullopt;
  if (std::holds_alternative<Topics>(file.model)) refuse_ranking(options);
  return rank_unseen(file, {.known = options.known,
                            .test = options.test,
                            .input = options.input,
                            .users = mode_of(options.group_mode, file.modes, "@by"),
                            .top = static_cast<std::size_t>(options.top),
                            .by = options.rank_by});
}

// A ranking by predictions that are no numbers has no meaning.
std::string share_text(double share) {
  return std::isfinite(share) ? fmt::format("{:.4f}", share) : "-";
}

struct Evaluated {
  std::string method, model;
  std::vector<Mode> modes;
  SparseTensor test;
  std::vector<double> predicted;
  bool is_private;
  std::optional<Baselines> baselines;
};

std::optional<Baselines> baselines_of(const Evaluate& options, const ReadOptions& reading,
                                      const std::optional<Range>& range) {
  if (options.train.empty()) return std::nullopt;
  return baselines_of_files(options.train, options.test, reading, range);
}

// For the owner, as everything that is measured.
void print_note(const std::optional<std::string>& note) {
  if (note) fmt::print("{} ({})\n", *note, kForTheOwner);
}

Evaluated predict_test(const Evaluate& options, CoupledFile file) {
  const CoupledRelation relation(std::move(file), options.relation);
  const ReadOptions reading = relation.reading(options.input);
  SparseTensor test = observed(read(options.test, reading));
  std::vector<double> predicted = relation.predict(test.cells());
  return {.method = std::string(relation.inference()),
          .model = "coupled",
          .modes = reading.known,
          .test = std::move(test),
          .predicted = std::move(predicted),
          .is_private = false,
          .baselines = baselines_of(options, reading, {})};
}

std::optional<Range> range_of(const Evaluate& options, const ModelFile& file) {
  if (options.unclamped || !file.range) return std::nullopt;
  return Range{file.range->low, file.range->high};
}

Evaluated predict_test(const Evaluate& options, const ModelFile& file) {
  refuse_relation(options.relation);
  ReadOptions reading = options.input;
  reading.known = file.modes;
  const std::optional<Baselines> baselines = baselines_of(options, reading, range_of(options, file));
  reading.shape = shape(file.model);
  SparseTensor test = observed(read(options.test, reading));
  std::vector<double> predicted =
      predict_cells(file, test.cells(), options.unclamped ? Clamping::none : Clamping::to_range);
  return {.method = file.method,
          .model = std::string(name(kind(file.model))),
          .modes = file.modes,
          .test = std::move(test),
          .predicted = std::move(predicted),
          .is_private = !file.guarantee.empty(),
          .baselines = baselines};
}

// Accuracy against confidence; the diagonal is where both agree.
void plot_confidence(const std::string& path, const ClassScores& scores) {
  PlotSeries found{.name = "this model", .points = {}};
  for (const ConfidenceBin& bin : scores.bins)
    if (bin.examples > 0) found.points.emplace_back(bin.confidence, bin.accuracy);
  const PlotSeries calibrated{.name = "calibrated", .points = {{0, 0}, {1, 1}}};
  write_text(path, to_svg({fmt::format("Accuracy by confidence ({})", kForTheOwner),
                           "confidence",
                           "accuracy",
                           false,
                           {found, calibrated}}));
}

// The labels of a file of examples, whose images have theirs beside them.
std::vector<int> training_labels(const Evaluate& options, const NetworkFile& file) {
  ExampleOptions examples = options.examples;
  examples.labels.clear();
  return read_labelled(options.train, examples.reading(options.train, file, options.input)).labels;
}

// Of a classifier: how often it is right on labelled examples.
void evaluate(const Evaluate& options, const NetworkFile& file) {
  const Evaluate otherwise;
  refuse_options_of_cells(options.input, {{"relation", !options.relation.empty()},
                                          {"relevant", options.relevant.has_value()},
                                          {"ranking", !options.known.empty()},
                                          {"top", options.top != otherwise.top},
                                          {"by", options.group_mode != otherwise.group_mode},
                                          {"unclamped", options.unclamped}});
  check_drawing("plot", options.plot);
  check_outputs({options.plot}, {options.model, options.test, options.train, options.examples.labels});
  const LabelledExamples test =
      read_labelled(options.test, options.examples.reading(options.test, file, options.input));
  const ClassScores scores =
      score_classes(mean_probabilities(file.model, file.samples, test.values), test.labels);
  std::optional<double> majority;
  if (!options.train.empty()) majority = majority_accuracy(training_labels(options, file), test.labels);
  if (!options.plot.empty()) plot_confidence(options.plot, scores);
  if (!options.json) {
    fmt::print("{} of {} ({})\n", text(scores), options.test, kForTheOwner);
    if (!majority) return;
    fmt::print("Without a model: {} ({})\n", majority_text(*majority), kForTheOwner);
    return print_note(no_better_classes_note(scores.accuracy, *majority, !file.guarantee.empty()));
  }
  Json report;
  report["method"] = file.method;
  report["model"] = "network";
  OwnerFields owner;
  add(scores, report, owner);
  if (majority) owner.add(report, "baseline_accuracy", finite_or_null(*majority));
  owner.mark(report);
  fmt::print("{}\n", json_text(report, 2));
}

std::optional<double> unigram_of(const Evaluate& options, const ModelFile& file) {
  if (options.train.empty()) return std::nullopt;
  return unigram_perplexity(documents_of(file, options.train, options.input).documents,
                            documents_of(file, options.test, options.input).documents);
}

// Of topics: how well they guess the words of documents.
void evaluate_topics(const Evaluate& options, const ModelFile& file) {
  const Evaluate otherwise;
  refuse_relation(options.relation);
  refuse_given({{"relevant", options.relevant.has_value()},
                {"top", options.top != otherwise.top},
                {"by", options.group_mode != otherwise.group_mode},
                {"unclamped", options.unclamped}},
               "is for cells of a tensor, and this is a model of topics; omit it");
  const TopicPosterior posterior = [&] {
    const Progress progress("evaluating");
    return topics_of_documents(file, options.test, options.input);
  }();
  const std::optional<double> unigram = unigram_of(options, file);
  if (!options.json) {
    fmt::print("{} ({})\n", perplexity_text(file, posterior), kForTheOwner);
    if (!unigram) return;
    fmt::print("Without a model: perplexity {:.5g} of the shares of words in {} (no noise) ({})\n", *unigram,
               options.train, kForTheOwner);
    return print_note(no_better_topics_note(posterior.perplexity(), *unigram, !file.guarantee.empty()));
  }
  Json report;
  report["method"] = file.method;
  report["model"] = "topics";
  OwnerFields owner;
  add_perplexity(file, posterior, unigram, report, owner);
  owner.mark(report);
  fmt::print("{}\n", json_text(report, 2));
}

template <class File>
void evaluate(const Evaluate& options, File file) {
  refuse_options_of_examples(options.examples, options.model);
  if (!options.plot.empty()) fail_usage("@plot is for a classifier, which {} is not; omit it", options.model);
  const std::optional<UnseenRanking> unseen = ranking_of(options, file);
  if constexpr (std::is_same_v<File, ModelFile>)
    if (std::holds_alternative<Topics>(file.model)) return evaluate_topics(options, file);
  const auto [method, model, modes, test, predicted, is_private, baselines] = [&] {
    const Progress progress("evaluating");
    return predict_test(options, std::move(file));
  }();
  for (const Mode& mode : modes)
    if (mode.any)
      say(
          fmt::format("this model predicts the same for all positions of mode {}; the model of complete "
                      "--user-output has "
                      "a row for each",
                      mode.name));
  const Scores scores = score(test.values(), predicted);
  std::optional<Ranking> ranking;
  if (options.relevant) ranking = rank(options, modes, test, predicted);

  if (options.json) {
    Json report;
    report["method"] = method;
    report["model"] = model;
    OwnerFields owner;
    add(scores, report, owner);
    if (!options.train.empty()) add(baselines, report, owner);
    if (ranking) {
      owner.add(report, "test_auc", finite_or_null(ranking->auc));
      owner.add(report, fmt::format("test_precision_at_{}", options.top), finite_or_null(ranking->precision));
    }
    if (unseen) owner.add(report, "test_ranking", fields_of(unseen->model));
    if (unseen && unseen->popularity)
      owner.add(report, "test_ranking_by_popularity", fields_of(*unseen->popularity));
    owner.mark(report);
    fmt::print("{}\n", json_text(report, 2));
    return;
  }
  fmt::print("{} of {} ({})\n", text(scores), options.test == "-" ? "standard input" : options.test,
             kForTheOwner);
  if (baselines) fmt::print("Without a model: {} ({})\n", text(*baselines), kForTheOwner);
  print_note(no_better_note(scores.rmse, baselines, is_private));
  if (ranking)
    fmt::print("AUC {}, precision at {} {} ({})\n", share_text(ranking->auc), options.top,
               share_text(ranking->precision), kForTheOwner);
  if (unseen) print_ranking("This model", options.top, unseen->model);
  if (unseen && unseen->popularity) print_ranking("Popularity alone", options.top, *unseen->popularity);
}

void run(const Evaluate& options) {
  SavedModel model = load(options.model);
  if (options.known.empty() && !options.rank_by.empty())
    fail_usage("@rank-by is for @ranking; give it too, or omit it");
  std::visit([&](auto& file) { evaluate(options, std::move(file)); }, model);
}

}  // namespace

void add_evaluate(Verb& command) {
  auto options = std::make_shared<Evaluate>();
  Verb verb = command.add_verb("evaluate", "Measure a model's error on known cells");
  verb.add_option("MODEL", options->model, "Model file of tulle complete, topics, count, couple or classify")
      .required();
  verb.add_option("TEST", options->test,
                  "Cells with their true values, labelled examples, or documents; - for standard input")
      .required();
  verb.add_option(
      "--train", options->train,
      "Training data of the model, to measure what predicts TEST without a model: their mean and main "
      "effects, most frequent class, or shares of words");
  verb.add_option("--relation", options->relation, "Relation of the cells, for a coupled model [the first]");
  verb.add_option("--relevant", options->relevant,
                  "Also measure ranking (AUC, precision): cells with this value or more are relevant");
  verb.add_option(
      "--ranking", options->known,
      "Also rank, for each user of TEST, all items that this file of known cells does not list for "
      "the user: recall, NDCG, hit rate and coverage, with those of popularity beside");
  verb.add_option("--rank-by", options->rank_by,
                  "With --ranking: rating, popularity or both, as recommend --by");
  verb.add_option("--top", options->top,
                  "Number of best cells or items among which precision and ranking are measured")
      .positive()
      .show_default();
  verb.add_option("--by", options->group_mode,
                  "Mode whose positions (users) are each ranked separately: a name or a number")
      .show_default();
  verb.add_flag("--unclamped", options->unclamped, "Do not clamp predictions to the model's range");
  verb.add_option("--plot", options->plot,
                  "Also plot a classifier's accuracy against its confidence to this file (.svg)");
  options->examples.declare_labels(verb);
  options->examples.declare_label_column(verb);
  declare_json(verb, options->json);
  verb.add_options([&](OptionTable& table) { declare_reading(table, options->input); });
  declare_threads(verb);
  verb.footer("Example:\n  tulle evaluate model.npz test.csv --relevant 4 --top 10");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
