// A party of mpi_parties_test.py: adds up round after round, and stops on the way where it is told to.
// usage: mpi_parties THRESHOLD ROUNDS [RANK HOW], HOW: throw, kill or stop, after half the rounds,
// long: sends a long message where one of a sum is expected, or absent: before MPI starts
#include <tulle/base/error.hpp>
#include <tulle/exchange/mpi.hpp>

#include <csignal>
#include <cstdlib>
#include <string>

namespace {

void stop_as_told(const std::string& how, tulle::Party& party) {
  if (how == "throw") tulle::fail("told to stop");
  if (how == "long") {
    party.broadcast(tulle::Bytes(80'000'000), party.rank());
    return;
  }
  std::raise(how == "kill" ? SIGKILL : SIGSTOP);
}

}  // namespace

int main(int count, char** arguments) try {
  const tulle::MpiPlace place = tulle::mpi_place().value();
  const int threshold = std::atoi(arguments[1]), rounds = std::atoi(arguments[2]);
  const bool stops = count > 4 && std::atoi(arguments[3]) == place.rank;
  const tulle::SumTerms terms{place.size, threshold, place.size == threshold ? place.size - 1 : 1};
  const auto program = [&](tulle::Party& party) {
    std::uint64_t sum = 0;
    int parties = 0;
    for (int round = 1; round <= rounds; ++round) {
      if (stops && round > rounds / 2) stop_as_told(arguments[4], party);
      const std::vector<std::uint64_t> own(10000, static_cast<std::uint64_t>(party.rank() + round));
      const tulle::SumTotal total = party.sum(own);
      sum += total.values.back();
      parties = total.parties;
    }
    fmt::print("site {} of {}: {} from {}\n", party.rank() + 1, party.size(), sum, parties);
    std::fflush(stdout);
  };
  const bool one_is_absent = count > 4 && arguments[4] == std::string("absent");
  if (stops && one_is_absent) tulle::fail("told not to start");
  if (one_is_absent)
    tulle::run_mpi(terms, program, std::chrono::milliseconds(1500), std::chrono::seconds(5));
  else
    tulle::run_mpi(terms, program, std::chrono::milliseconds(1500));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "mpi_parties: {}\n", error.what());
  return 1;
}
