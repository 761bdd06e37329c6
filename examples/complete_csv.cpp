// Completes a CSV file of ratings under differential privacy: nobody who sees the model learns much about any
// one rating.
//
//   complete_csv ratings.csv model.npz
#include <tulle/tulle.hpp>

#include <fmt/core.h>

int main(int argc, char** argv) try {
  if (argc != 3) tulle::fail_usage("usage: complete_csv ratings.csv model.npz");
  // Each column but the last is a mode, the last one is the value.
  const tulle::Dataset ratings = tulle::read(argv[1]);

  // Epsilon 1 for any one rating. The range is a public fact: never take it from the data.
  const tulle::CompletionJob job{
      .method = "auto", .terms = {.budget = {.epsilon = 1}, .range = {0, 1}}, .fit = {.ranks = {2}}};
  const tulle::Completion completion = job.run(ratings);

  for (const std::string& remark : completion.remarks) fmt::print("{}\n", remark);
  fmt::print("{}\n", tulle::sentence(completion.guarantee));
  // The file holds the guarantee too, for whoever is given the model.
  tulle::save(argv[2], {completion.model, ratings.modes, job.method, tulle::to_json(completion.guarantee)});
} catch (const tulle::Error& error) {
  fmt::print(stderr, "complete_csv: {}\n", error.what());
  return 1;
}
