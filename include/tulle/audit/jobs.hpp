// The runs that are audited are the functions that the command calls, with a curator whose random bits and
// witness are the auditor's.
#pragma once

#include <tulle/method/registry.hpp>
#include <tulle/method/topics.hpp>

#include <span>
#include <string>

namespace tulle {

struct CompletionJob {
  std::string method;
  Terms terms;
  Tuning tuning = {};
  FitOptions fit = {};

  Curator open(RandomBits bits) const { return open_curator(find_method(method), terms, std::move(bits)); }
  // Entries that are blanked contribute nothing (zero-out).
  Completion run(SparseTensor data, Curator& curator, std::span<const std::size_t> blanked = {}) const {
    return complete_privately(find_method(method), std::move(data), terms, tuning, fit, curator, blanked);
  }
};

struct TopicJob {
  std::string method;
  TopicTerms terms;
  TopicOptions options = {};

  Curator open(RandomBits bits) const {
    return open_curator(find_topic_method(method), terms, std::move(bits));
  }
  TopicOutcome run(TopicData data, Curator& curator) const {
    return find_topics(find_topic_method(method), std::move(data), terms, options, curator);
  }
};

}  // namespace tulle
