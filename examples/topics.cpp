// Finds the topics of documents, private to every document.
#include <tulle/tulle.hpp>

#include <fmt/core.h>

namespace {

// Documents of three words; those of the first topic use words 0 to 2, those of the second words 3 to 5.
tulle::Corpus two_topics() {
  tulle::Documents documents(6);
  for (tulle::Index i = 0; i < 20'000; ++i) {
    const tulle::Index first = i % 2 * 3;
    const tulle::Index words[] = {first + i % 3, first + i / 3 % 3, first + i / 9 % 3};
    documents.append(words, "two_topics");
  }
  return {.documents = std::move(documents), .length = 3, .sites = {}};
}

}  // namespace

int main() {
  // Epsilon 1 for any one document. How many there are, and their length, is public.
  const tulle::TopicJob job{.method = "histogram",
                            .terms = {.budget = {.epsilon = 1}, .unit = tulle::Unit::document},
                            .options = {.topics = 2}};
  const tulle::TopicOutcome found = job.run(two_topics());

  for (int topic = 0; topic < found.model.count(); ++topic) {
    fmt::print("topic {}, weight {:.2f}:", topic + 1, found.model.weights[topic]);
    for (double probability : found.model.topics.col(topic)) fmt::print(" {:.2f}", probability);
    fmt::print("\n");
  }
  fmt::print("{}\n", tulle::sentence(found.guarantee));
}
