// Parties as processes on one machine or several, connected by MPI: mpirun -n 4 tulle ...
#pragma once

#include <tulle/exchange/party.hpp>

#include <chrono>
#include <functional>
#include <optional>

namespace tulle {

// The number of processes that were started together, and the rank of this one.
struct MpiPlace {
  int rank = 0, size = 1;
};
// Reads the environment that mpirun sets; empty if this process was started by itself. Makes no MPI call.
std::optional<MpiPlace> mpi_place();

// Runs the program of this process's party; the others run theirs. Returns when it has ended and the others
// have ended too or are gone: a party that is silent for `silence` counts as gone. An Error if Tulle was
// built without MPI, or if MPI does not start within `start`: it waits for all processes, and one may have
// stopped before. Once per process.
void run_mpi(const SumTerms& terms, const std::function<void(Party&)>& program,
             std::chrono::milliseconds silence = std::chrono::seconds(10),
             std::chrono::seconds start = std::chrono::seconds(30));

}  // namespace tulle
