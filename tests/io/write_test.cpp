#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/io/write.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <set>

namespace tulle {
namespace {

const Dataset kSmall{{{"user", {"a", "b,c"}}, {"item", {}}},
                     SparseTensor(Cells(Shape{2, 4}, {{1, 0}, {3, 0}}), {0.1f, -2e20f}, Unlisted::missing)};

TEST(Write, Tns) {
  const TemporaryFolder folder;
  write(folder / "x.tns", kSmall);
  EXPECT_EQ(folder.read("x.tns"), "2 4 0.1\n1 1 -2e+20\n");
}

TEST(Write, CsvHasLabelsAndAHeader) {
  const TemporaryFolder folder;
  write(folder / "x.csv", kSmall);
  EXPECT_EQ(folder.read("x.csv"), "user,item,value\n\"b,c\",4,0.1\na,1,-2e+20\n");
  write(folder / "x", kSmall, Format::tsv);
  EXPECT_EQ(folder.read("x"), "user\titem\tvalue\nb,c\t4\t0.1\na\t1\t-2e+20\n");
}

TEST(Write, Mtx) {
  const TemporaryFolder folder;
  write(folder / "x.mtx", kSmall);
  EXPECT_EQ(folder.read("x.mtx"),
            "%%MatrixMarket matrix coordinate real general\n2 4 2\n2 4 0.1\n1 1 -2e+20\n");
  const Dataset dense{unnamed_modes(2), DenseTensor(Shape{2, 2}, {1, 2, 3, 0.1})};
  write(folder / "y.mtx", dense);
  EXPECT_EQ(folder.read("y.mtx"), "%%MatrixMarket matrix array real general\n2 2\n1\n3\n2\n0.1\n");
  EXPECT_EQ(read(folder / "y.mtx").tensor, dense.tensor);
  const Dataset cube{unnamed_modes(3), DenseTensor(Shape{2, 2, 2})};
  EXPECT_MESSAGE(write(folder / "z.mtx", cube),
                 folder / "z.mtx" + ": .mtx holds matrices, not tensors of 3 modes; write .tns");
  EXPECT_EQ(folder.files(), 2);
}

// Positions whose numbers have gaps, as of keys that were chosen.
TEST(Write, PositionsHaveTheirOwnNumbers) {
  const TemporaryFolder folder;
  Dataset drawn{{{.name = "key", .labels = {"5", "9"}, .numbered = true}, {"hour", {"a", "b"}}},
                SparseTensor(Cells(Shape{2, 2}, {{0, 1}, {1, 0}}), {3, 4}, Unlisted::zero)};
  write(folder / "x.tns", drawn);
  EXPECT_EQ(folder.read("x.tns"), "5 2 3\n9 1 4\n");
  write(folder / "x.mtx", drawn);
  EXPECT_EQ(folder.read("x.mtx"), "%%MatrixMarket matrix coordinate real general\n9 2 2\n5 2 3\n9 1 4\n");
  write(folder / "x.csv", drawn);
  EXPECT_EQ(folder.read("x.csv"), "key,hour,value\n5,b,3\n9,a,4\n");
  drawn.tensor = DenseTensor(Shape{2, 2}, {1, 2, 3, 4});
  write(folder / "y.tns", drawn);
  EXPECT_EQ(folder.read("y.tns"), "5 1 1\n5 2 2\n9 1 3\n9 2 4\n");
  EXPECT_THROW(write(folder / "y.npy", drawn), Error);
  drawn.modes[0].labels = {"1", "2"};
  EXPECT_NO_THROW(write(folder / "y.npy", drawn));
}

TEST(Write, AllCellsOfADenseTensor) {
  const TemporaryFolder folder;
  write(folder / "x.tns", {unnamed_modes(3), DenseTensor(Shape{1, 2, 2}, {1, 2, 3, 4})});
  EXPECT_EQ(folder.read("x.tns"), "1 1 1 1\n1 1 2 2\n1 2 1 3\n1 2 2 4\n");
}

TEST(Write, StandardOutput) {
  const TemporaryFolder folder;
  std::fflush(stdout);
  const int saved = ::dup(STDOUT_FILENO);
  const int file = ::open((folder / "out").c_str(), O_WRONLY | O_CREAT, 0600);
  ::dup2(file, STDOUT_FILENO);
  write("-", kSmall);
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  ::close(file);
  EXPECT_EQ(folder.read("out"), "2 4 0.1\n1 1 -2e+20\n");
  EXPECT_THROW(write("-", kSmall, Format::npz), UsageError);
  EXPECT_THROW(write("x.npz.gz", kSmall), UsageError);
}

// Text that breaks careless readers and writers.
rc::Gen<std::string> nasty_text() {
  return rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab,;\t\"'\n\r #%\\/\xc3\xa9\x01-1.")));
}

Mode random_mode(std::string name, std::size_t size) {
  const auto labels = *rc::gen::unique<std::vector<std::string>>(size, nasty_text());
  return {std::move(name), labels};
}

float random_value() {
  const auto bits = *rc::gen::arbitrary<std::uint32_t>();
  const float value = std::bit_cast<float>(bits * 2654435761u);
  return std::isfinite(value) ? value : 0.5f;
}

Dataset random_dataset(int order, std::uint64_t largest, bool with_labels) {
  std::vector<Mode> modes = unnamed_modes(order);
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < order; ++mode) {
    sizes.push_back(*rc::gen::inRange<std::uint64_t>(1, largest));
    if (with_labels) modes[mode] = random_mode(*nasty_text() + std::to_string(mode), sizes.back());
  }
  SparseTensor tensor(Shape(sizes), Unlisted::missing);
  std::set<std::vector<Index>> used;
  const auto count = *rc::gen::inRange(1, 30);
  for (int entry = 0; entry < count; ++entry) {
    std::vector<Index> cell;
    for (auto size : sizes) cell.push_back(static_cast<Index>(*rc::gen::inRange<std::uint64_t>(0, size)));
    if (used.insert(cell).second) tensor.append(cell, random_value());
  }
  return {std::move(modes), std::move(tensor)};
}

void expect_same_after(const Dataset& data, const std::string& name, const ReadOptions& options) {
  const TemporaryFolder folder;
  write(folder / name, data);
  const Dataset back = read(folder / name, options);
  RC_ASSERT(back.modes == data.modes);
  RC_ASSERT(back.tensor == data.tensor);
}

RC_GTEST_PROP(RoundTrip, Tns, ()) {
  const Dataset data = random_dataset(*rc::gen::inRange(2, 9), 2'000'000'000, false);
  expect_same_after(data, *rc::gen::element<std::string>("x.tns", "x.tns.gz"), {.shape = data.shape()});
}

RC_GTEST_PROP(RoundTrip, Mtx, ()) {
  const Dataset data = random_dataset(2, 2'000'000'000, false);
  expect_same_after(data, *rc::gen::element<std::string>("x.mtx", "x.mtx.gz"), {});
}

RC_GTEST_PROP(RoundTrip, CsvWithLabels, ()) {
  const Dataset data = random_dataset(*rc::gen::inRange(2, 5), 6, true);
  expect_same_after(data, *rc::gen::element<std::string>("x.csv", "x.tsv", "x.csv.gz"),
                    {.shape = data.shape(), .header = true, .known = data.modes});
}

RC_GTEST_PROP(RoundTrip, CsvWithNumbers, ()) {
  const Dataset data = random_dataset(*rc::gen::inRange(2, 9), 2'000'000'000, false);
  expect_same_after(data, *rc::gen::element<std::string>("x.csv", "x.tsv"),
                    {.shape = data.shape(), .known = data.modes});
}

}  // namespace
}  // namespace tulle
