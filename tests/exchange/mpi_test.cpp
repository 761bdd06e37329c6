// What needs no second process; mpi_parties_test.py runs several.
#include <tulle/exchange/mpi.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace tulle {
namespace {

TEST(Mpi, APlaceIsKnownFromTheEnvironmentOfMpirun) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE"})
    unsetenv(name);
  EXPECT_FALSE(mpi_place());
  setenv("PMI_RANK", "1", 1);
  EXPECT_FALSE(mpi_place()) << "no size";
  setenv("PMI_SIZE", "2", 1);
  EXPECT_EQ(mpi_place()->rank, 1);
  setenv("OMPI_COMM_WORLD_RANK", "3", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  EXPECT_EQ(mpi_place()->rank, 3);
  EXPECT_EQ(mpi_place()->size, 4);
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE"})
    unsetenv(name);
}

}  // namespace
}  // namespace tulle
