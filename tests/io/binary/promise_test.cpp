#include "binary/promise.hpp"

#include "io/expect_error.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(CheckMemory, RefusesMoreThanTheMachineHas) {
  EXPECT_NO_THROW(check_memory("x.npy", 1000, 8));
  const std::string message = message_of([] { check_memory("x.npy", std::uint64_t{1} << 60, 8); });
  EXPECT_TRUE(message.starts_with("x.npy: needs 8.59e+09 GiB of memory, but this machine has ")) << message;
}

TEST(PromisedVector, TakesMemoryForALargePromiseOnceAnEighthHasArrived) {
  constexpr std::size_t kPromised = kSmallPromise / sizeof(double) + 8, kShare = kPromised / kPromiseShare;
  PromisedVector<double> early(kPromised), late(kPromised);
  early.append(std::vector<double>(kShare - 1, 1));
  EXPECT_LT(early.take().capacity(), kPromised);
  late.append(std::vector<double>(kShare - 1, 1));
  late.push_back(2);
  EXPECT_EQ(late.size(), kShare);
  const std::vector<double> values = late.take();
  EXPECT_EQ(values.capacity(), kPromised);
  EXPECT_EQ(values.front(), 1);
  EXPECT_EQ(values.back(), 2);
}

TEST(PromisedVector, TakesMemoryForASmallPromiseAtOnce) {
  constexpr std::size_t kPromised = kSmallPromise / sizeof(double);
  PromisedVector<double> values(kPromised);
  values.push_back(1);
  EXPECT_EQ(values.take().capacity(), kPromised);
}

TEST(PromisedVector, HasRoomToBeFilled) {
  PromisedVector<int> values(8);
  values.push_back(7);
  const std::span<int> room = values.extend(2);
  ASSERT_EQ(room.size(), 2u);
  room[0] = 1;
  room[1] = 2;
  EXPECT_EQ(values.take(), (std::vector<int>{7, 1, 2}));
}

TEST(PromisedVector, HoldsMoreThanWasPromised) {
  PromisedVector<int> values(2);
  for (int i = 0; i < 5; ++i) values.push_back(i);
  EXPECT_EQ(values.take(), (std::vector<int>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace tulle
