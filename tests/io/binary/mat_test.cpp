#include "binary/mat_write.hpp"
#include "io/binary/files.hpp"

#include <tulle/io/write.hpp>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace tulle::test {
namespace {

using testing::HasSubstr;

// Version 5 files by hand: types, classes and flags are named as in MATLAB's description of the format.
enum Type : std::uint32_t {
  miINT8 = 1,
  miUINT8,
  miINT16,
  miUINT16,
  miINT32,
  miUINT32,
  miSINGLE,
  miDOUBLE = 9,
  miINT64 = 12,
  miUINT64,
  miMATRIX,
  miCOMPRESSED
};
enum Class : std::uint32_t {
  mxCELL = 1,
  mxSTRUCT,
  mxOBJECT,
  mxCHAR,
  mxSPARSE,
  mxDOUBLE,
  mxSINGLE,
  mxINT8,
  mxUINT8,
  mxINT16,
  mxUINT16,
  mxINT32,
  mxUINT32,
  mxINT64,
  mxUINT64,
  mxOPAQUE = 17
};
constexpr std::uint32_t kComplex = 0x800;
constexpr std::uint32_t kLogical = 0x200;

struct Mat {
  bool swapped = false;

  std::string tag(Type type, std::size_t bytes) const {
    return bytes_of<std::uint32_t>({type, static_cast<std::uint32_t>(bytes)}, swapped);
  }
  std::string element(Type type, std::string bytes) const {
    const std::string head = tag(type, bytes.size());
    bytes.resize((bytes.size() + 7) / 8 * 8, '\0');
    return head + bytes;
  }
  // Up to 4 bytes inside the tag.
  std::string small_element(Type type, std::string bytes) const {
    const auto word = static_cast<std::uint32_t>(bytes.size() << 16 | type);
    bytes.resize(4, '\0');
    return bytes_of<std::uint32_t>({word}, swapped) + bytes;
  }
  template <class T>
  std::string numbers(Type type, const std::vector<T>& values) const {
    return element(type, bytes_of(values, swapped));
  }
  std::string head(std::uint32_t flags, const std::vector<std::int32_t>& dimensions,
                   const std::string& name) const {
    return numbers<std::uint32_t>(miUINT32, {flags, 0}) + numbers(miINT32, dimensions) +
           element(miINT8, name);
  }
  std::string array(std::uint32_t flags, const std::vector<std::int32_t>& dimensions, const std::string& name,
                    const std::string& data) const {
    return element(miMATRIX, head(flags, dimensions, name) + data);
  }
  std::string file(const std::string& elements) const {
    std::string start = "MATLAB 5.0 MAT-file, by hand";
    start.resize(116, ' ');
    start.append(8, '\0');
    return start + bytes_of<std::uint16_t>({0x0100, 'M' << 8 | 'I'}, swapped) + elements;
  }
};

// A zlib stream that stores its bytes as they are.
std::string deflated(const std::string& bytes) {
  const auto length = static_cast<std::uint16_t>(bytes.size());
  std::uint32_t a = 1;
  std::uint32_t b = 0;
  for (char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return "\x78\x01\x01" + bytes_of<std::uint16_t>({length, static_cast<std::uint16_t>(~length)}) + bytes +
         bytes_of<std::uint32_t>({b << 16 | a}, true);
}

class MatFiles : public testing::Test {
 protected:
  Dataset read_bytes(std::string_view bytes, const ReadOptions& options = {}) {
    put(path_, bytes);
    return read(path_, options);
  }
  std::string error_for(std::string_view bytes, const ReadOptions& options = {}) {
    const std::string message = error_of([&] { read_bytes(bytes, options); });
    EXPECT_TRUE(message.empty() || message.starts_with(path_)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  std::string error_for_array(const std::string& array) { return error_for(mat_.file(array)); }

  TempDir dir_;
  std::string path_ = dir_ / "x.mat";
  Mat mat_;
  std::string matrix_ = mat_.array(mxDOUBLE, {2, 3}, "x", mat_.numbers<double>(miDOUBLE, {1, 4, 2, 5, 3, 6}));
  DenseTensor expected_{{2, 3}, {1, 2, 3, 4, 5, 6}};
};

template <class T>
void check_class(const std::string& path, std::uint32_t flags, Type type) {
  for (const bool swapped : {false, true}) {
    const Mat mat{swapped};
    put(path, mat.file(mat.array(flags, {2, 3}, "x", mat.numbers<T>(type, {1, 4, 2, 5, 3, 6}))));
    EXPECT_EQ(dense(read(path)), DenseTensor({2, 3}, {1, 2, 3, 4, 5, 6})) << flags << " swapped " << swapped;
  }
}

TEST_F(MatFiles, EveryNumericClassInBothByteOrders) {
  check_class<double>(path_, mxDOUBLE, miDOUBLE);
  check_class<float>(path_, mxSINGLE, miSINGLE);
  check_class<std::int8_t>(path_, mxINT8, miINT8);
  check_class<std::uint8_t>(path_, mxUINT8, miUINT8);
  check_class<std::int16_t>(path_, mxINT16, miINT16);
  check_class<std::uint16_t>(path_, mxUINT16, miUINT16);
  check_class<std::int32_t>(path_, mxINT32, miINT32);
  check_class<std::uint32_t>(path_, mxUINT32, miUINT32);
  check_class<std::int64_t>(path_, mxINT64, miINT64);
  check_class<std::uint64_t>(path_, mxUINT64, miUINT64);
  check_class<std::uint8_t>(path_, mxUINT8 | kLogical, miUINT8);
  check_class<std::uint8_t>(path_, mxDOUBLE, miUINT8);  // doubles that fit into less are stored so
}

TEST_F(MatFiles, SmallElements) {
  const std::string array =
      mat_.element(miMATRIX, mat_.numbers<std::uint32_t>(miUINT32, {mxUINT8, 0}) +
                                 mat_.numbers<std::int32_t>(miINT32, {1, 3}) +
                                 mat_.small_element(miINT8, "abc") + mat_.small_element(miUINT8, "\1\2\3"));
  EXPECT_EQ(dense(read_bytes(mat_.file(array))), DenseTensor({1, 3}, {1, 2, 3}));
}

TEST_F(MatFiles, CompressedArrays) {
  const std::string packed = deflated(matrix_);
  const std::string file = mat_.file(mat_.tag(miCOMPRESSED, packed.size()) + packed);
  EXPECT_EQ(dense(read_bytes(file)), expected_);
  std::string corrupt = file;
  corrupt[128 + 8 + 2] = '\7';  // a kind of block that does not exist
  EXPECT_THAT(error_for(corrupt), HasSubstr("compressed data are corrupt"));
  const std::string cut = packed.substr(0, 100);
  EXPECT_THAT(error_for(mat_.file(mat_.tag(miCOMPRESSED, cut.size()) + cut)),
              HasSubstr("compressed data end too early"));
}

TEST_F(MatFiles, OrderThree) {
  const std::string array =
      mat_.array(mxDOUBLE, {1, 2, 3}, "x", mat_.numbers<double>(miDOUBLE, {1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(dense(read_bytes(mat_.file(array))), DenseTensor({1, 2, 3}, {1, 2, 3, 4, 5, 6}));
}

TEST_F(MatFiles, SparseMatrix) {
  const auto array = [&](const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& columns) {
    return mat_.array(mxSPARSE, {3, 3}, "s",
                      mat_.numbers(miINT32, rows) + mat_.numbers(miINT32, columns) +
                          mat_.numbers<double>(miDOUBLE, {5, 6, 7}));
  };
  const SparseTensor expected(Cells({3, 3}, {{0, 2, 1}, {0, 0, 2}}), {5, 6, 7}, Unlisted::missing);
  EXPECT_EQ(sparse(read_bytes(mat_.file(array({0, 2, 1}, {0, 2, 2, 3})))), expected);
  EXPECT_EQ(sparse(read_bytes(mat_.file(array({0, 2, 1, 0, 0}, {0, 2, 2, 3})))), expected);  // room for more
  EXPECT_THAT(error_for_array(array({0, 3, 1}, {0, 2, 2, 3})),
              HasSubstr("[s]: element 2 is 3, but positions run from 0 to 2"));
  EXPECT_THAT(error_for_array(array({0, 2, 1}, {0, 2, 1, 3})), HasSubstr("[s]: element 3 is 1, not a step"));
  EXPECT_THAT(error_for_array(array({0, 2, 1}, {0, 2, 3})), HasSubstr("[s]: has 3 elements"));
  EXPECT_THAT(error_for_array(array({0, 0, 1}, {0, 2, 2, 3})), HasSubstr("cell (1, 1) is listed twice"));
  EXPECT_THAT(error_for_array(array({0, 2, 1, 1}, {0, 2, 2, 4})),
              HasSubstr("fewer rows or values than its 4 entries"));
}

TEST_F(MatFiles, VariablesAreChosenByName) {
  const std::string other = mat_.array(mxDOUBLE, {1, 2}, "y", mat_.numbers<double>(miDOUBLE, {8, 9}));
  const std::string scalar = mat_.array(mxDOUBLE, {1, 1}, "rank", mat_.numbers<double>(miDOUBLE, {3}));
  const std::string words =
      mat_.array(mxCHAR, {1, 2}, "words", mat_.numbers<std::uint16_t>(miUINT16, {'h', 'i'}));
  EXPECT_EQ(dense(read_bytes(mat_.file(matrix_ + other), variable("x"))), expected_);
  EXPECT_EQ(dense(read_bytes(mat_.file(scalar + words + matrix_))),
            expected_);  // the only one of more than one number
  EXPECT_THAT(error_for(mat_.file(matrix_ + other)), HasSubstr("holds several variables, name one of x, y"));
  EXPECT_THAT(error_for(mat_.file(matrix_ + other), variable("z")),
              HasSubstr("has no variable 'z'; there are x, y"));
  EXPECT_THAT(error_for(mat_.file("")), HasSubstr("holds no variables"));
}

TEST_F(MatFiles, WhatIsNoArrayOfNumbers) {
  EXPECT_THAT(error_for_array(mat_.array(mxDOUBLE | kComplex, {1, 1}, "z", "")),
              HasSubstr("[z]: is complex, not an array"));
  EXPECT_THAT(error_for_array(mat_.array(mxSPARSE | kComplex, {1, 1}, "z", "")),
              HasSubstr("[z]: is complex"));
  EXPECT_THAT(error_for_array(mat_.array(mxCELL, {1, 1}, "c", "")), HasSubstr("[c]: is cell"));
  EXPECT_THAT(error_for_array(mat_.array(mxSTRUCT, {1, 1}, "s", "")), HasSubstr("[s]: is struct"));
  EXPECT_THAT(error_for_array(mat_.array(mxCHAR, {1, 1}, "t", "")), HasSubstr("[t]: is char"));
  const std::string table = mat_.element(
      miMATRIX, mat_.numbers<std::uint32_t>(miUINT32, {mxOPAQUE, 0}) + mat_.element(miINT8, "table"));
  EXPECT_THAT(error_for_array(table), HasSubstr("[table]: is object"));
}

TEST_F(MatFiles, LyingArrays) {
  const std::string six = mat_.numbers<double>(miDOUBLE, {1, 2, 3, 4, 5, 6});
  const auto error = [&](const std::vector<std::int32_t>& dimensions) {
    return error_for_array(mat_.array(mxDOUBLE, dimensions, "x", six));
  };
  EXPECT_EQ(error({2, 3}), "");
  EXPECT_THAT(error({2, 4}), HasSubstr("'x' has 6 numbers for its 8 cells"));
  EXPECT_THAT(error({100'000, 100'000, 100'000}), HasSubstr("GiB of memory"));
  EXPECT_THAT(error({INT32_MAX, INT32_MAX, INT32_MAX}), HasSubstr("more cells than"));
  EXPECT_THAT(error({-2, -3}), HasSubstr("negative size"));
  EXPECT_THAT(error({0, 3}), HasSubstr("mode 1 has size 0"));
  EXPECT_THAT(error({6}), HasSubstr("2 to 8 modes, not 1"));
  EXPECT_THAT(error({1, 1, 1, 1, 1, 1, 1, 1, 6}), HasSubstr("2 to 8 modes, not 9"));
  EXPECT_THAT(error_for_array(mat_.array(mxDOUBLE, {1, 1}, "x", mat_.element(miMATRIX, "abcdefgh"))),
              HasSubstr("element type 14 where numbers belong"));
  EXPECT_THAT(error_for_array(mat_.element(miDOUBLE, "abcdefgh")), HasSubstr("byte 129 begins no array"));
  EXPECT_THAT(error_for_array(mat_.tag(miMATRIX, 0xffffffff) + "abcdefgh"),
              HasSubstr("ends inside an array"));
  EXPECT_THAT(error_for_array(mat_.element(miMATRIX, mat_.tag(miUINT32, 4) + "abcdefgh")),
              HasSubstr("lacks its flags"));
}

TEST_F(MatFiles, FilesThatAreNone) {
  EXPECT_THAT(error_for(""), HasSubstr("too short"));
  EXPECT_THAT(error_for(std::string(200, 'x')), HasSubstr("is no .mat file of version 5"));
  EXPECT_THAT(error_of([&] { read(dir_ / "none.mat"); }), HasSubstr("none.mat"));
}

TEST_F(MatFiles, CutOffAtEveryByte) {
  const std::string whole = mat_.file(matrix_);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(error_for(whole.substr(0, length)), "") << length;
}

TEST_F(MatFiles, NotANumber) {
  const std::string array =
      mat_.array(mxDOUBLE, {2, 2}, "x", mat_.numbers<double>(miDOUBLE, {1, std::nan(""), 3, 4}));
  EXPECT_THAT(error_for_array(array), HasSubstr("[x]: cell (2, 1) is NaN"));
  EXPECT_EQ(sparse(read_bytes(mat_.file(array), nan_is_missing())),
            SparseTensor(Cells({2, 2}, {{0, 0, 1}, {0, 1, 1}}), {1, 3, 4}, Unlisted::missing));
}

// A file of version 7.3 that matio wrote: variables of many kinds.
class Mat73 : public testing::Test {
 protected:
  std::string path_ = beside_the_tests("data/matio73.mat").string();
};

TEST_F(Mat73, ArraysOfOthers) {
  const auto value = [](int i, int j, int k) { return i + 2 * j + 6 * k; };
  for (const auto& [name, sign] : {std::pair("plain", 1), std::pair("packed", -1)}) {
    const DenseTensor tensor = dense(read(path_, variable(name)));
    ASSERT_EQ(tensor.shape(), (Shape{2, 3, 4}));
    for (Index i = 0; i < 2; ++i)
      for (Index j = 0; j < 3; ++j)
        for (Index k = 0; k < 4; ++k) EXPECT_EQ((tensor[std::array{i, j, k}]), sign * value(i, j, k));
  }
  EXPECT_EQ(dense(read(path_, variable("flags"))), DenseTensor({2, 2}, {1, 1, 0, 1}));
  EXPECT_EQ(sparse(read(path_, variable("s"))),
            SparseTensor(Cells({3, 4}, {{0, 2, 1}, {0, 0, 2}}), {1.5, 2.5, 3.5}, Unlisted::missing));
}

TEST_F(Mat73, WhatIsNoArrayOfNumbers) {
  const auto error = [&](const std::string& name) { return error_of([&] { read(path_, variable(name)); }); };
  EXPECT_THAT(error("text"), HasSubstr("[text]: is char"));
  EXPECT_THAT(error("z"), HasSubstr("[z]: is complex"));
  EXPECT_THAT(error("st"), HasSubstr("[st]: is struct"));
  EXPECT_THAT(error("nothing"), HasSubstr("[nothing]: is empty"));
  EXPECT_THAT(error("none"),
              HasSubstr("has no variable 'none'; there are flags, nothing, packed, plain, s, st, text, z"));
  EXPECT_THAT(error(""), HasSubstr("holds several variables, name one of flags, "));
}

TEST_F(Mat73, DamagedFilesGiveOneLine) {
  const std::string whole = get(path_);
  const TempDir dir;
  const std::string path = dir / "x.mat";
  for (std::size_t length = 520; length < whole.size(); length += 499) {
    put(path, whole.substr(0, length));
    EXPECT_THAT(error_of([&] { read(path, variable("packed")); }), testing::StartsWith(path)) << length;
  }
  for (std::size_t place = 520; place < whole.size(); place += 97) {
    std::string wrong = whole;
    wrong[place] ^= '\xff';
    put(path, wrong);
    error_of([&] { read(path, variable("packed")); });  // an Error or not, but nothing else
  }
}

Dataset any_mat_dataset() {
  const int order = *rc::gen::inRange(2, 6);
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < order; ++mode) sizes.push_back(*rc::gen::inRange<std::uint64_t>(1, 5));
  const Shape shape(sizes);
  const auto values = *rc::gen::container<std::vector<int>>(shape.cells(), rc::gen::inRange(-1000, 1000));
  if (*rc::gen::arbitrary<bool>())
    return {unnamed_modes(order), DenseTensor(shape, std::vector<double>(values.begin(), values.end()))};
  SparseTensor tensor(shape, Unlisted::missing);
  // By columns, as a sparse matrix of MATLAB is.
  std::vector<Index> cell(order, 0);
  for (int value : values) {
    if (value % 2 == 0) tensor.append(cell, static_cast<float>(value));
    for (int mode = 0; mode < order; ++mode) {
      if (++cell[mode] < shape[mode]) break;
      cell[mode] = 0;
    }
  }
  return {unnamed_modes(order), tensor};
}

RC_GTEST_PROP(MatRoundTrip, Version5, ()) {
  const Dataset data = any_mat_dataset();
  const TempDir dir;
  write(dir / "x.mat", data);
  RC_ASSERT(get(dir / "x.mat").starts_with("MATLAB 5.0"));
  RC_ASSERT(read(dir / "x.mat").tensor == data.tensor);
}

TEST(MatRoundTrip, Version73) {
  DenseTensor tensor({3, 4, 70});
  std::iota(tensor.values().begin(), tensor.values().end(), 1.0);
  const SparseTensor listed(Cells({2, 3, 4}, {{1, 0}, {2, 0}, {3, 1}}), {5, 6}, Unlisted::missing);
  const TempDir dir;
  for (const Dataset& data : {Dataset{unnamed_modes(3), tensor}, Dataset{unnamed_modes(3), listed}}) {
    write_mat_within(dir / "x.mat", data, 0);
    const std::string bytes = get(dir / "x.mat");
    EXPECT_TRUE(bytes.starts_with("MATLAB 7.3 MAT-file"));
    EXPECT_EQ(bytes.substr(512, 4), "\x89HDF");
    EXPECT_EQ(read(dir / "x.mat").tensor, data.tensor);
    write_mat_within(dir / "y.mat", data, 0);
    EXPECT_EQ(bytes, get(dir / "y.mat"));
  }
}

TEST(MatRoundTrip, BlocksOfSlices) {
  DenseTensor tensor({1500, 700, 9});
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.values()[i] = static_cast<double>(i % 1009);
  const TempDir dir;
  for (const std::uint64_t limit : {kMat5Limit, std::uint64_t{0}}) {
    write_mat_within(dir / "x.mat", {unnamed_modes(3), tensor}, limit);
    EXPECT_TRUE(dense(read(dir / "x.mat")) == tensor);
  }
}

}  // namespace
}  // namespace tulle::test
