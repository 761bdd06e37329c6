#include "io/expect_error.hpp"
#include "text/formats.hpp"

#include <gtest/gtest.h>

namespace tulle {
namespace {

Dataset parse_matrix(std::string_view text, const ReadOptions& options = {},
                     std::size_t chunk_bytes = kChunkBytes) {
  Source source = Source::memory("x.mtx", text);
  return read_mtx(source, options, chunk_bytes);
}

SparseTensor sparse(Shape shape, std::vector<std::vector<Index>> columns, std::vector<float> values) {
  return {Cells(shape, std::move(columns)), std::move(values), Unlisted::missing};
}

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";
const std::string kArray = "%%MatrixMarket matrix array real general\n";

TEST(Mtx, Coordinates) {
  const Dataset data = parse_matrix(kGeneral + "% a comment\n\n4 5 2\n4 1 2.5\n% between\n1 5 -1\n");
  EXPECT_EQ(std::get<SparseTensor>(data.tensor), sparse(Shape{4, 5}, {{3, 0}, {0, 4}}, {2.5, -1}));
  EXPECT_EQ(data.modes, unnamed_modes(2));
}

TEST(Mtx, MayHaveNoRowWhereDataMayBeEmpty) {
  EXPECT_EQ(parse_matrix(kGeneral + "0 5 0\n", {.may_be_empty = true}).shape(), (Shape{1, 5}));
  EXPECT_MESSAGE(parse_matrix(kGeneral + "0 5 0\n"),
                 "x.mtx:2: a 0 x 5 matrix; sizes run from 1 to 4294967295");
}

TEST(Mtx, AValueBeyondFloat32IsTheLargestWhereItIsToBeClamped) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  EXPECT_EQ(std::get<SparseTensor>(
                parse_matrix(kGeneral + "1 2 2\n1 1 1e39\n1 2 -1e400\n", {.clamp_to_float32 = true}).tensor),
            sparse(Shape{1, 2}, {{0, 0}, {0, 1}}, {kLargest, -kLargest}));
  EXPECT_EQ(observed(parse_matrix(kArray + "1 2\n1e39\n-1e400\n", {.clamp_to_float32 = true})),
            sparse(Shape{1, 2}, {{0, 0}, {0, 1}}, {kLargest, -kLargest}));
  EXPECT_THROW(parse_matrix(kGeneral + "1 1 1\n1 1 inf\n", {.clamp_to_float32 = true}), Error);
}

TEST(Mtx, BannerInAnyCase) {
  EXPECT_EQ(parse_matrix("%%MatrixMarket MATRIX Coordinate Integer General\n1 1 1\n1 1 7\n").listed(), 1);
}

TEST(Mtx, PatternsAreOnes) {
  const Dataset data = parse_matrix("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 2\n");
  EXPECT_EQ(std::get<SparseTensor>(data.tensor), sparse(Shape{2, 2}, {{0, 1}, {1, 1}}, {1, 1}));
}

TEST(Mtx, SymmetricCoordinates) {
  const Dataset data =
      parse_matrix("%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 5\n3 3 6\n2 3 7\n");
  EXPECT_EQ(std::get<SparseTensor>(data.tensor),
            sparse(Shape{3, 3}, {{1, 2, 2, 0, 1}, {0, 2, 1, 1, 2}}, {5, 6, 7, 5, 7}));
  EXPECT_MESSAGE(parse_matrix("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 5\n1 2 5\n"),
                 "x.mtx:4: cell (2, 1) was given in line 3 already; keep one of the two, or have them merged "
                 "(ReadOptions::duplicates mean, last, sum or count)");
  EXPECT_MESSAGE(parse_matrix("%%MatrixMarket matrix coordinate real symmetric\n3 4 2\n2 1 5\n1 2 5\n"),
                 "x.mtx:2: a symmetric matrix is square, not 3 x 4");
}

TEST(Mtx, SkewSymmetricCoordinates) {
  const Dataset data =
      parse_matrix("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 2\n2 1 5\n1 3 7\n");
  EXPECT_EQ(std::get<SparseTensor>(data.tensor),
            sparse(Shape{3, 3}, {{1, 2, 0, 0}, {0, 0, 1, 2}}, {5, -7, -5, 7}));
  EXPECT_MESSAGE(parse_matrix("%%MatrixMarket matrix coordinate real skew-symmetric\n3 3 1\n2 2 5\n"),
                 "x.mtx:3: a skew-symmetric matrix has zeros on its diagonal; remove the line");
}

TEST(Mtx, ArraysGoColumnByColumn) {
  const Dataset data = parse_matrix(kArray + "2 3\n1\n2\n3e0\n4\n5.1\n6\n");
  EXPECT_EQ(std::get<DenseTensor>(data.tensor), DenseTensor(Shape{2, 3}, {1, 3, 5.1, 2, 4, 6}));
  EXPECT_EQ(parse_matrix(kArray + "2 3\n1 2 3\n% c\n4 5.1\t6\r\n").tensor, data.tensor);
}

TEST(Mtx, SymmetricArrays) {
  EXPECT_EQ(std::get<DenseTensor>(
                parse_matrix("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n").tensor),
            DenseTensor(Shape{2, 2}, {1, 2, 2, 3}));
  EXPECT_EQ(std::get<DenseTensor>(
                parse_matrix("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n").tensor),
            DenseTensor(Shape{3, 3}, {0, -1, -2, 1, 0, -3, 2, 3, 0}));
}

TEST(Mtx, MissingCells) {
  const ReadOptions options{.nan_is_missing = true};
  EXPECT_EQ(std::get<SparseTensor>(parse_matrix(kArray + "2 2\n1\nnan\n3\n4\n", options).tensor),
            sparse(Shape{2, 2}, {{0, 0, 1}, {0, 1, 1}}, {1, 3, 4}));
  EXPECT_EQ(parse_matrix(kGeneral + "2 2 2\n1 1 nan\n2 2 1\n", options).listed(), 1);
}

TEST(Mtx, AbsurdHeadersTakeNoMemory) {
  EXPECT_MESSAGE(parse_matrix(kArray + "1000000000 1000000000\n1\n"),
                 "x.mtx: 1 entries, but its size line promises 1000000000000000000; the file is cut or its "
                 "header is wrong");
  EXPECT_MESSAGE(
      parse_matrix(kGeneral + "1000000000 1000000000 99999999999999\n1 1 1\n"),
      "x.mtx: 1 entries, but its size line promises 99999999999999; the file is cut or its header is wrong");
  EXPECT_EQ(parse_matrix(kGeneral + "1000000000 1000000000 1\n1 1 1\n").shape(),
            (Shape{1'000'000'000, 1'000'000'000}));
}

TEST(Mtx, SaysWhatIsWrongAndWhere) {
  const std::string expected_banner =
      "x.mtx:1: the first line must be '%%MatrixMarket matrix coordinate real general' or alike";
  EXPECT_MESSAGE(parse_matrix(""), expected_banner);
  EXPECT_MESSAGE(parse_matrix("1 1 1\n"), expected_banner);
  EXPECT_MESSAGE(parse_matrix("%%MatrixMarket matrix coordinate\n"), expected_banner);
  EXPECT_MESSAGE(parse_matrix("%%MatrixMarket matrix coordinate complex general\n"),
                 "x.mtx:1: 'complex' is not supported; expected real, integer, double, pattern");
  EXPECT_MESSAGE(parse_matrix("%%MatrixMarket matrix coordinate real hermitian\n"),
                 "x.mtx:1: 'hermitian' is not supported; expected general, symmetric, skew-symmetric");
  EXPECT_MESSAGE(parse_matrix("%%MatrixMarket matrix array pattern general\n"),
                 "x.mtx:1: a pattern has coordinates and is not skew-symmetric; correct the first line");
  EXPECT_MESSAGE(parse_matrix(kGeneral), "x.mtx:2: 0 sizes, but 3 are needed: rows, columns, entries");
  EXPECT_MESSAGE(parse_matrix(kGeneral + "%\n2 2\n"),
                 "x.mtx:3: 2 sizes, but 3 are needed: rows, columns, entries");
  EXPECT_MESSAGE(parse_matrix(kGeneral + "2 x 2\n"),
                 "x.mtx:2: 'x' is not a size; expected rows, columns and, for coordinates, entries");
  EXPECT_MESSAGE(parse_matrix(kGeneral + "0 2 2\n"),
                 "x.mtx:2: a 0 x 2 matrix; sizes run from 1 to 4294967295");
  EXPECT_MESSAGE(parse_matrix(kGeneral + "4294967296 2 2\n"),
                 "x.mtx:2: a 4294967296 x 2 matrix; sizes run from 1 to 4294967295");
  EXPECT_MESSAGE(parse_matrix(kGeneral + "2 2 2\n1 1 1\n"),
                 "x.mtx: 1 entries, but its size line promises 2; the file is cut or its header is wrong");
  EXPECT_MESSAGE(parse_matrix(kGeneral + "2 2 1\n1 1 1\n\n2 3 1\n"),
                 "x.mtx:5: position 3 of mode 2 lies outside its size 2; correct it or give a larger shape "
                 "(ReadOptions::shape)");
  EXPECT_MESSAGE(parse_matrix(kGeneral + "2 2 1\n1 1 1 1\n"),
                 "x.mtx:3: 4 columns, but 2 positions and a value make 3; correct the line");
  EXPECT_MESSAGE(parse_matrix(kGeneral + "2 2 0\n"), "x.mtx: no entries; give at least one cell");
  EXPECT_MESSAGE(parse_matrix(kArray + "2 1\n1\n\nx\n"),
                 "x.mtx:5: the value 'x' is not a number; correct the line");
  EXPECT_MESSAGE(parse_matrix(kArray + "2 1\n1\n2,5\n"),
                 "x.mtx:4: the value '2,5' is not a number; correct the line");
  EXPECT_MESSAGE(parse_matrix(kArray + "2 1\n1\ninf\n"),
                 "x.mtx:4: the value 'inf' is infinite; remove the line or give a finite value");
  EXPECT_MESSAGE(parse_matrix(kArray + "2 1\n1\n1e999\n"),
                 "x.mtx:4: the value 1e999 is too large; scale the data");
  EXPECT_MESSAGE(parse_matrix(kArray + "2 1\n1\n2\n3\n"),
                 "x.mtx: 3 entries, but its size line promises 2; the file is cut or its header is wrong");
}

TEST(Mtx, Shapes) {
  EXPECT_EQ(parse_matrix(kGeneral + "2 2 1\n1 1 1\n", {.shape = Shape{3, 4}}).shape(), (Shape{3, 4}));
  EXPECT_MESSAGE(parse_matrix(kGeneral + "2 5 1\n1 1 1\n", {.shape = Shape{3, 4}}),
                 "x.mtx: a 2 x 5 matrix does not fit into 3 x 4; give a larger shape (ReadOptions::shape)");
  EXPECT_MESSAGE(parse_matrix(kGeneral + "2 5 1\n1 1 1\n", {.shape = Shape{3, 4, 5}}),
                 "x.mtx: a matrix has 2 modes, but 3 are expected; is it the right file?");
  EXPECT_MESSAGE(parse_matrix(kArray + "1 1\n1\n", {.shape = Shape{3, 4}}),
                 "x.mtx: a dense 1x1 matrix does not fill the shape 3x4");
}

TEST(Mtx, CellsToPredict) {
  const std::string text = kGeneral + "3 3 2\n1 2 ?\n3 3 ?\n";
  Source source = Source::memory("x.mtx", text);
  EXPECT_EQ(read_mtx_cells(source, {}).cells, Cells(Shape{3, 3}, {{0, 2}, {1, 2}}));
}

TEST(Mtx, DoesNotDependOnChunks) {
  std::string array = kArray + "100 50\n", list = kGeneral + "100 50 5000\n";
  for (int i = 0; i < 5000; ++i) {
    array += fmt::format("{}\n", i * 0.1);
    list += fmt::format("{} {} {}\n", i % 100 + 1, i / 100 + 1, i);
  }
  for (std::size_t chunk : {16, 1000}) {
    EXPECT_EQ(parse_matrix(array, {}, chunk).tensor, parse_matrix(array).tensor);
    EXPECT_EQ(parse_matrix(list, {}, chunk).tensor, parse_matrix(list).tensor);
  }
}

}  // namespace
}  // namespace tulle
