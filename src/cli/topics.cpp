// tulle topics: topics of documents, or components of a mixture of Gaussians.
#include "charging.hpp"
#include "dry_run.hpp"
#include "options.hpp"
#include "terminal/terminal.hpp"
#include "verbs.hpp"

#include <tulle/base/error.hpp>
#include <tulle/job/topics/request.hpp>
#include <tulle/job/write_page.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace tulle::cli {
namespace {

struct FindTopics {
  TopicsOptions asked;
  bool json = false, dry_run = false;
};

// The most probable words of a topic.
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
    words.push_back(fmt::format("{} ({:.3f})",
                                vocabulary.empty() ? fmt::format("{}", order[i] + 1)
                                                   : legible(vocabulary[static_cast<std::size_t>(order[i])]),
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
    fmt::print(
        "{:>5}  share {:.3f}: {}\n", topic + 1, model.weights[topic],
        model.is_noise(topic) ? "does not stand out of the noise" : top_words(model, topic, vocabulary));
  for (const std::string& remark : found.outcome.remarks) fmt::print("{}\n", remark);
  if (found.error) fmt::print("{} e_comp {:.4f}{}\n", bold("Distance to the truth:"), *found.error, mark);
  fmt::print("{} {:.2f} s{}\n", bold("Time:"), found.seconds, mark);
  for (const std::string& note : found.owner_notes) fmt::print("{} {}{}\n", bold("Note:"), note, mark);
  fmt::print("{} {}\n", bold("Guarantee:"), sentence(found.outcome.guarantee));
  if (!options.output.empty()) fmt::print("{} {}\n", bold("Model:"), options.output);
  if (options.page.wanted()) fmt::print("{} {}\n", bold("Report:"), options.page.path);
}

void run(const FindTopics& options) {
  const TopicsOptions& asked = options.asked;
  TopicsRequest request = [&] {
    const Progress progress("reading");
    return TopicsRequest(asked);
  }();
  if (options.dry_run) return print_plan(request.plan(), options.json);
  const std::vector<AccuracyCurve> curves = curves_of(asked);
  const TopicsFound found = [&] {
    const Progress progress("finding topics");
    return request.run(on_terminal({}));
  }();
  write_outputs(asked.ledger.account, [&] {
    if (!asked.output.empty()) save(asked.output, request.model(found));
    write_page(asked.page, "Privacy report: topics", report_of(request.job(), found),
               drawings_of(request.model(found)), request.payment(), curves);
    request.payment().delivered();
  });
  if (options.json) return print_json(report_of(request.job(), found), request.payment());
  print_report(asked, found, request.vocabulary());
  print_balance(request.payment());
}

}  // namespace

void add_topics(Verb& command) {
  auto options = std::make_shared<FindTopics>();
  Verb verb = command.add_verb("topics", "Find the topics of documents, or the components of a mixture");
  verb.add_options([&](OptionTable& table) { options->asked.declare(table); },
                   {{"documents", "WORDS"}, {"output", "-o,--output"}});
  declare_dry_run(verb, options->dry_run);
  declare_json(verb, options->json);
  verb.footer(
      "Example:\n  tulle topics words.npy --topics 3 --words 300 --epsilon 1 -o topics.npz\n"
      "  tulle topics letters.txt --vocabulary vocabulary.txt --topics 3 --epsilon 1\n"
      "  tulle topics letters.txt --vocabulary english --topics 3 --epsilon 1");
  verb.callback([options] { run(*options); });
}

}  // namespace tulle::cli
