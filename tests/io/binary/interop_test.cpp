// Files of NumPy and SciPy are read, and those that are written here are read there. Skipped where Python
// lacks them.
#include "io/binary/files.hpp"

#include <tulle/io/model_file.hpp>
#include <tulle/io/write.hpp>

#include <gmock/gmock.h>

#include <cstdlib>

namespace tulle::test {
namespace {

using testing::HasSubstr;

class Interop : public testing::Test {
 protected:
  void SetUp() override { std::iota(cube_.values().begin(), cube_.values().end(), 0.0); }
  bool run(const std::string& what) const {
    const auto script = beside_the_tests("interop.py");
    return std::system(
               fmt::format("/usr/bin/python3 '{}' {} '{}'", script.string(), what, dir_ / "").c_str()) == 0;
  }

  TempDir dir_;
  DenseTensor cube_{{2, 3, 4}};
  SparseTensor matrix_{Cells({3, 4}, {{0, 2, 1}, {3, 0, 2}}), {1.5, 2.5, 3.5}, Unlisted::missing};
};

// The listed cells, in C order.
std::vector<std::tuple<Index, Index, float>> sorted(const SparseTensor& matrix) {
  std::vector<std::tuple<Index, Index, float>> entries;
  for (std::size_t i = 0; i < matrix.size(); ++i)
    entries.emplace_back(matrix.column(0)[i], matrix.column(1)[i], matrix.values()[i]);
  std::sort(entries.begin(), entries.end());
  return entries;
}

TEST_F(Interop, FilesOfOthers) {
  ASSERT_TRUE(run("make"));
  DenseTensor boolean = cube_;
  for (double& value : boolean.values()) value = value != 0;
  for (const char* type : {"bool", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"})
    for (const char* order : {"C-le", "C-be", "F-le", "F-be"})
      EXPECT_EQ(dense(read(dir_ / fmt::format("{}-{}.npy", type, order))),
                type == std::string("bool") ? boolean : cube_)
          << type << order;
  for (int version : {1, 2, 3}) EXPECT_EQ(dense(read(dir_ / fmt::format("version{}.npy", version))), cube_);
  EXPECT_EQ(dense(read(dir_ / "stored.npz", variable("a"))), cube_);
  EXPECT_EQ(dense(read(dir_ / "deflated.npz")), cube_);
  for (const char* form : {"coo", "csr", "csc"})
    EXPECT_EQ(sorted(sparse(read(dir_ / fmt::format("scipy-{}.npz", form)))), sorted(matrix_)) << form;
  EXPECT_THAT(error_of([&] { read(dir_ / "objects.npy"); }), HasSubstr("Python objects"));
  for (const char* file : {"stored.mat", "deflated.mat"}) {
    EXPECT_EQ(dense(read(dir_ / file, variable("cube"))), cube_);
    EXPECT_EQ(dense(read(dir_ / file, variable("small"))), cube_);
    EXPECT_EQ(sorted(sparse(read(dir_ / file, variable("matrix")))), sorted(matrix_));
    EXPECT_THAT(error_of([&] { read(dir_ / file, variable("text")); }), HasSubstr("is char"));
    EXPECT_THAT(error_of([&] { read(dir_ / file, variable("z")); }), HasSubstr("is complex"));
  }
  EXPECT_THAT(error_of([&] { read(dir_ / "old.mat"); }), HasSubstr("is no .mat file of version 5"));
}

TEST_F(Interop, OthersReadOurFiles) {
  for (const char* file : {"cube.npy", "cube.npz", "cube.mat"}) write(dir_ / file, {unnamed_modes(3), cube_});
  for (const char* file : {"matrix.npz", "matrix.mat"})
    write(dir_ / file, {{{"user", {"a", "b", "\xc3\xbc"}}, {"item", {}}}, matrix_});
  write(dir_ / "listed.mat", {unnamed_modes(3), SparseTensor(Cells({2, 3, 4}, {{0, 1}, {2, 0}, {3, 1}}),
                                                             {5, 6}, Unlisted::missing)});
  const Cp model{Vector::Constant(1, 2),
                 {(Matrix(2, 1) << 1, 2).finished(), (Matrix(2, 1) << 1, 2).finished()},
                 {3, {(Vector(2) << 1, 2).finished(), (Vector(2) << 1, 3).finished()}}};
  save(dir_ / "model.npz", {model, unnamed_modes(2), "cp-als", ""});
  EXPECT_TRUE(run("check"));
}

}  // namespace
}  // namespace tulle::test
