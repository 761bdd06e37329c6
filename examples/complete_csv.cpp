// Completes a CSV file of ratings under differential privacy: nobody who sees the model learns much about any
// one rating.
//
//   complete_csv ratings.csv model.npz
#include <tulle/tulle.hpp>

#include <fmt/core.h>

int main(int argc, char** argv) try {
  if (argc != 3) tulle::fail_usage("usage: complete_csv ratings.csv model.npz");
  tulle::CompletionOptions asked;
  asked.data.train = argv[1];  // each column but the last is a mode, the last one is the value
  asked.fit.ranks = {2};

  // Epsilon 1 for any one rating. The range is a public fact: never take it from the data.
  asked.privacy.epsilon = 1;
  asked.privacy.range = tulle::Range{0, 1};

  tulle::CompletionRequest request(asked);
  const tulle::CompletionOutcome outcome = request.run({});

  for (const std::string& remark : outcome.completion.remarks) fmt::print("{}\n", remark);
  fmt::print("{}\n", tulle::sentence(outcome.completion.guarantee));
  // The file holds the guarantee too, for whoever is given the model.
  tulle::save(argv[2], tulle::published_model(request.job(), outcome, request.data()));
} catch (const tulle::Error& error) {
  fmt::print(stderr, "complete_csv: {}\n", error.what());
  return 1;
}
