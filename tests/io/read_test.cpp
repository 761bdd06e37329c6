#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/read.hpp>
#include <tulle/io/write.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace tulle {
namespace {

// Standard input from a file, for as long as it lives.
class Redirected {
 public:
  explicit Redirected(const std::string& path) : saved_(::dup(STDIN_FILENO)) {
    const int file = ::open(path.c_str(), O_RDONLY);
    ::dup2(file, STDIN_FILENO);
    ::close(file);
  }
  ~Redirected() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

TEST(Read, ByEndingOrAsTold) {
  const TemporaryFolder folder;
  EXPECT_EQ(read(folder.write("x.tns", "1 2 3\n")).shape(), (Shape{1, 2}));
  EXPECT_EQ(read(folder.write("x.csv", "a,b,3\n")).modes[0].labels, std::vector<std::string>{"a"});
  EXPECT_EQ(read(folder.write("x.tsv", "a,\tb\t3\n")).modes[0].labels, std::vector<std::string>{"a,"});
  EXPECT_EQ(read(folder.write("x.mtx", "%%MatrixMarket matrix array real general\n1 2\n1\n2\n")).shape(),
            (Shape{1, 2}));
  EXPECT_EQ(read(folder.write("x", "a,b,3\n"), {.format = Format::csv}).listed(), 1);
}

// In every text format, the mean of rows 4 and 6 of one cell and the only row of another one.
TEST(Read, MergesRowsOfOneCell) {
  const TemporaryFolder folder;
  const SparseTensor expected(Cells(Shape{2, 2}, {{0, 1}, {0, 1}}), {5, 1}, Unlisted::missing);
  const ReadOptions mean{.duplicates = Duplicates::mean};
  for (const std::string& path :
       {folder.write("x.tns", "1 1 4\n2 2 1\n1 1 6\n"), folder.write("x.csv", "a,b,4\nz,y,1\na,b,6\n"),
        folder.write("x.mtx",
                     "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 4\n2 2 1\n1 1 6\n")}) {
    const Dataset data = read(path, mean);
    EXPECT_EQ(data.merged_rows, 1u) << path;
    if (!path.ends_with("csv")) {
      EXPECT_EQ(std::get<SparseTensor>(data.tensor), expected) << path;
    }
    EXPECT_EQ(data.listed(), 2u);
    EXPECT_NE(message_of([&] { read(path); })
                  .find("keep one of the two, or have them merged (ReadOptions::duplicates mean, last, sum "
                        "or count)"),
              std::string::npos);
    ReadOptions cells = mean;
    cells.header = false;
    EXPECT_EQ(read_cells(path, cells).cells.size(), 3u);  // cells to predict are not merged
  }
}

// Both halves of a symmetric matrix may be listed; each cell and its mirror image are the sum.
TEST(Read, MergesRowsOfASymmetricMatrix) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("x.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n2 1 4\n1 2 3\n1 1 1\n");
  EXPECT_EQ(std::get<SparseTensor>(read(path, {.duplicates = Duplicates::sum}).tensor),
            SparseTensor(Cells(Shape{2, 2}, {{0, 0, 1}, {0, 1, 0}}), {1, 7, 7}, Unlisted::missing));
}

TEST(Read, CountsTheRowsOfAPattern) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("x.mtx", "%%MatrixMarket matrix coordinate pattern general\n1 2 3\n1 2\n1 1\n1 2\n");
  const Dataset data = read(path, {.duplicates = Duplicates::count});
  EXPECT_EQ(std::get<SparseTensor>(data.tensor),
            SparseTensor(Cells(Shape{1, 2}, {{0, 0}, {0, 1}}), {1, 2}, Unlisted::missing));
}

TEST(Read, NamesTheFileAndTheLine) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.tns", "1 2 3\n1 0 3\n");
  EXPECT_MESSAGE(read(path), path + ":2: position 0 in column 2; positions count from 1");
  EXPECT_MESSAGE(read(folder / "none.tns"), folder / "none.tns" + ": No such file or directory");
}

TEST(Read, StandardInput) {
  const TemporaryFolder folder;
  {
    const Redirected input(folder.write("x", "1 2 3\n"));
    EXPECT_EQ(read("-").shape(), (Shape{1, 2}));
  }
  {
    const Redirected input(folder.write("x", "a,b,3\nx\n"));
    EXPECT_MESSAGE(read("-", {.format = Format::csv}),
                   "standard input:2: 1 columns, but the first line has 3; correct the line");
  }
  EXPECT_THROW(read("-", {.format = Format::npz}), UsageError);
}

TEST(Read, ArchivesAreNotReadThroughGzip) {
  EXPECT_MESSAGE(read("x.npz.gz"),
                 "x.npz.gz: npz is compressed already and not read through gzip; run gunzip on it");
}

// Wherever a compressed file is cut, reading it fails; no part of it passes for the whole.
TEST(Read, GzipCutAnywhereIsAnError) {
  const TemporaryFolder folder;
  const Dataset data = read(folder.write("x.tns", "1 2 3\n2 1 4.5\n"));
  for (const char* name : {"x.tns.gz", "x.csv.gz", "x.mtx.gz"}) {
    write(folder / name, data);
    const std::string whole = folder.read(name);
    EXPECT_EQ(read(folder / name).listed(), 2);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      folder.write(name, whole.substr(0, length));
      EXPECT_THROW(read(folder / name), Error) << name << " cut to " << length;
    }
  }
}

TEST(ReadCells, FromEveryTextFormat) {
  const TemporaryFolder folder;
  const ReadOptions options{.shape = Shape{3, 3}, .known = unnamed_modes(2)};
  const Cells expected(Shape{3, 3}, {{0, 2}, {1, 0}});
  EXPECT_EQ(read_cells(folder.write("x.tns", "1 2\n3 1\n"), options).cells, expected);
  EXPECT_EQ(read_cells(folder.write("x.csv", "1,2\n3,1\n"), options).cells, expected);
  EXPECT_EQ(read_cells(folder.write("x.tsv", "1\t2\t\n3\t1\t\n"), options).cells, expected);
  EXPECT_EQ(
      read_cells(folder.write("x.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n3 1\n"),
                 options)
          .cells,
      expected);
}

// A mode whose positions 2 and 4, as files count them, had entries in the fit.
const std::vector<Mode> kNumbered = {{.name = "user", .labels = {"2", "4"}, .numbered = true},
                                     {.name = "film"}};
constexpr const char* kPattern = "%%MatrixMarket matrix coordinate pattern general\n";

TEST(ReadNumbered, PositionsAreThoseOfTheirNumbers) {
  const TemporaryFolder folder;
  const ReadOptions known{.shape = Shape{2, 3}, .known = kNumbered};
  for (const std::string& path :
       {folder.write("x.tns", "4 1\n2 3\n"), folder.write("x.csv", "user,film\n4,1\n2,3\n"),
        folder.write("x.mtx", std::string(kPattern) + "4 3 2\n4 1\n2 3\n")}) {
    const CellList list = read_cells(path, known);
    EXPECT_EQ(list.cells, Cells(Shape{2, 3}, {{1, 0}, {0, 2}})) << path;
    EXPECT_EQ(list.modes, kNumbered) << path;
  }
}

TEST(ReadNumbered, NumbersThatAreNotKnownAreRefusedOrAdded) {
  const TemporaryFolder folder;
  for (const char* user : {"1", "3", "5", "4000000000"}) {
    const std::string path = folder.write("x.tns", fmt::format("{} 1 5\n", user));
    EXPECT_EQ(
        message_of([&] {
          read_cells(path, {.shape = Shape{2, 3}, .known = kNumbered});
        }),
        fmt::format("{}: position {} of user is not a known one; remove its cells, or let new ones be added",
                    path, user));
    const Dataset grown = read(path, {.known = kNumbered, .grow = true});
    EXPECT_EQ(grown.modes[0], (Mode{.name = "user", .labels = {"2", "4", user}, .numbered = true}));
    EXPECT_EQ(observed(grown).cells()(0, 0), 2u);
  }
}

TEST(ReadNumbered, ArraysAreReadByTheirNumbersToo) {
  const TemporaryFolder folder;
  const SparseTensor cells(Cells(Shape{4, 3}, {{3, 1}, {0, 2}}), {7, 8}, Unlisted::missing);
  for (const char* name : {"x.npz", "x.tns", "x.mtx"}) {
    write(folder / name, {unnamed_modes(2), cells}, format_of(name));
    const SparseTensor found = observed(read(folder / name, {.shape = Shape{2, 3}, .known = kNumbered}));
    EXPECT_EQ(found.cells(), Cells(Shape{2, 3}, {{1, 0}, {0, 2}})) << name;
    EXPECT_EQ(found.values()[0], 7) << name;
  }
  write(folder / "x.npy", {unnamed_modes(2), DenseTensor(Shape{4, 3}, std::vector<double>(12, 1))},
        Format::npy);
  EXPECT_NE(message_of([&] {
              read(folder / "x.npy", {.shape = Shape{2, 3}, .known = kNumbered});
            }),
            "(no error)");
}

}  // namespace
}  // namespace tulle
