// The job of `tulle topics`: topics of documents, or components of a mixture of Gaussians, from their
// moments.
#pragma once

#include <tulle/method/private_completion.hpp>
#include <tulle/model/topics.hpp>
#include <tulle/tensor/documents.hpp>
#include <tulle/tensor/matrix.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#pragma GCC visibility push(default)

namespace tulle {

// Vectors of a mixture, a row each, and the public bound of their norms; longer ones are shortened to it, and
// rows that are not finite count as zero.
struct Samples {
  Matrix rows;
  double norm = 1;
  std::vector<std::size_t> sites;  // how many rows each site has, where that is known and public

  std::size_t size() const { return static_cast<std::size_t>(rows.rows()); }
};

using TopicData = std::variant<Corpus, Samples>;

struct TopicOptions {
  int topics = 0;
  std::uint64_t seed = 0;  // of what is no noise: starts of the power method
};

// What a method sees: public facts, and the data, protected. A unit is a document, or a row, and is replaced
// by any other one: how many there are, of every site too, is public. At one of several sites the data are
// its own, and a release of the curator is a sum over all sites.
struct TopicRequest {
  Index words;                          // or coordinates
  std::uint64_t documents;              // of all sites together
  std::optional<std::uint64_t> length;  // of every document, where it is public
  double norm;                          // bound of the norms of a mixture's rows, which are divided by it
  Budget budget;
  TopicOptions options;
  std::variant<Protected<Documents>, Protected<Matrix>> data;  // rows have at most length 1

  bool mixture() const { return data.index() == 1; }
  const Protected<Documents>& corpus() const { return std::get<0>(data); }
  const Protected<Matrix>& rows() const { return std::get<1>(data); }
};

struct TopicOutcome {
  Topics model;
  Guarantee guarantee;
  std::vector<std::string> remarks;  // from public facts or releases alone
  Matrix second_moment = {};         // of published forms: released beside the topics in the paper
  // What the model was estimated from, where the method releases all of it first.
  std::shared_ptr<const Measurement> measured = {};
};

// All checks come before anything is released; then `pay`, if there is one, is asked to charge a ledger.
TopicOutcome find_topics(const Method& method, TopicData data, const Terms& terms,
                         const TopicOptions& options, std::function<void(const Curator&)> pay = {});
// The same with a curator that open_curator() made for these terms, as an auditor does. Where the terms name
// sites, this is the program of one of them, whose curator has joined the others: the data are its own, and
// say how many documents each site has.
TopicOutcome find_topics(const Method& method, TopicData data, const Terms& terms,
                         const TopicOptions& options, Curator& curator);

// What find_topics() would have made of the same releases with these options. It costs nothing, and has the
// guarantee of the releases. A UsageError where there is no such estimate.
TopicOutcome refit(const Measurement& measured, const TopicOptions& options);

}  // namespace tulle

#pragma GCC visibility pop
