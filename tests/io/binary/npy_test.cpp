#include "io/binary/files.hpp"

#include <tulle/io/write.hpp>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
namespace tulle::test {
namespace {

using testing::HasSubstr;

class Npy : public testing::Test {
 protected:
  Dataset read_bytes(std::string_view bytes, const ReadOptions& options = {}) {
    put(path_, bytes);
    return read(path_, options);
  }
  std::string error_for(std::string_view bytes, const ReadOptions& options = {}) {
    const std::string message = error_of([&] { read_bytes(bytes, options); });
    EXPECT_TRUE(message.empty() || message.starts_with(path_ + ": ")) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  std::string error_for_header(std::string_view dictionary) {
    return error_for(npy(dictionary, std::string(48, '\0')));
  }

  TempDir dir_;
  std::string path_ = dir_ / "x.npy";
};

TEST_F(Npy, MayHaveNoCellWhereDataMayBeEmpty) {
  const std::string bytes = npy("<f8", false, "(0, 3)", "");
  EXPECT_EQ(read_bytes(bytes, {.may_be_empty = true}).shape(), (Shape{1, 3}));
  EXPECT_EQ(read_bytes(bytes, {.may_be_empty = true}).listed(), 0u);
  EXPECT_THAT(error_for(bytes), HasSubstr("0"));
}

TEST_F(Npy, AValueBeyondFloat32IsTheLargestWhereItIsToBeClamped) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  const auto table = [](std::vector<double> values) {
    return npy("<f8", false, "(1, 2)", bytes_of(values, false));
  };
  const ReadOptions clamped{.nan_is_missing = true, .clamp_to_float32 = true};
  EXPECT_EQ(observed(read_bytes(table({nan, -1e39}), clamped)).values()[0], -kLargest);
  EXPECT_EQ(observed(read_bytes(table({1, 1e39}), {.clamp_to_float32 = true})).values()[1], kLargest);
  EXPECT_THAT(error_for(table({1, infinity}), clamped), HasSubstr("infinite"));
  EXPECT_THAT(error_for(table({1, 1e39}), {.nan_is_missing = true}), HasSubstr("too large"));
}

template <class T>
void check_type(const std::string& path, const std::string& descr, const std::vector<T>& values,
                const std::vector<double>& expected) {
  for (const bool swapped : {false, true}) {
    put(path, npy((swapped ? ">" : "<") + descr, false, "(2, 3)", bytes_of(values, swapped)));
    EXPECT_EQ(dense(read(path)), DenseTensor({2, 3}, expected)) << descr << " swapped " << swapped;
  }
}

TEST_F(Npy, EveryNumericTypeInBothByteOrders) {
  check_type<std::uint8_t>(path_, "u1", {0, 1, 127, 128, 254, 255}, {0, 1, 127, 128, 254, 255});
  check_type<std::int8_t>(path_, "i1", {0, 1, 127, -128, -2, -1}, {0, 1, 127, -128, -2, -1});
  check_type<std::uint16_t>(path_, "u2", {0, 1, 258, 32768, 65534, 65535}, {0, 1, 258, 32768, 65534, 65535});
  check_type<std::int16_t>(path_, "i2", {0, 1, 258, -32768, -2, 32767}, {0, 1, 258, -32768, -2, 32767});
  check_type<std::uint32_t>(path_, "u4", {0, 1, 66051, 1u << 31, 3, ~0u},
                            {0, 1, 66051, 0x1p31, 3, 0x1p32 - 1});
  check_type<std::int32_t>(path_, "i4", {0, 1, 66051, INT32_MIN, -3, INT32_MAX},
                           {0, 1, 66051, -0x1p31, -3, 0x1p31 - 1});
  check_type<std::uint64_t>(path_, "u8", {0, 1, 72623859790382856u >> 8, 1ull << 63, 3, 4},
                            {0, 1, 283686952306183, 0x1p63, 3, 4});
  check_type<std::int64_t>(path_, "i8", {0, 1, -283686952306183, INT64_MIN, -3, 4},
                           {0, 1, -283686952306183, -0x1p63, -3, 4});
  check_type<float>(path_, "f4", {0, 1.5f, -2.25f, 1e-40f, 3e38f, 0.1f},
                    {0, 1.5, -2.25, double{1e-40f}, double{3e38f}, double{0.1f}});
  check_type<double>(path_, "f8", {0, 1.5, -2.25, 5e-324, 1.7e308, 0.1},
                     {0, 1.5, -2.25, 5e-324, 1.7e308, 0.1});
  // Half: 1, -2, largest, smallest normal, smallest subnormal, a third.
  check_type<std::uint16_t>(path_, "f2", {0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001, 0x3555},
                            {1, -2, 65504, 0x1p-14, 0x1p-24, 0x555p-12});
}

TEST_F(Npy, BooleansAreZeroAndOne) {
  EXPECT_EQ(dense(read_bytes(npy("|b1", false, "(1, 4)", std::string_view("\0\1\2\xff", 4)))),
            DenseTensor({1, 4}, {0, 1, 1, 1}));
}

TEST_F(Npy, FortranOrderIsTurned) {
  EXPECT_EQ(dense(read_bytes(npy("<i4", true, "(2, 3)", bytes_of<std::int32_t>({1, 4, 2, 5, 3, 6})))),
            DenseTensor({2, 3}, {1, 2, 3, 4, 5, 6}));
}

TEST_F(Npy, VersionsTwoAndThree) {
  const std::string_view dictionary = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }\n";
  for (int version : {1, 2, 3})
    EXPECT_EQ(dense(read_bytes(npy(dictionary, bytes_of<double>({1, 2}), version))),
              DenseTensor({1, 2}, {1, 2}));
}

TEST_F(Npy, HeadersAsOthersWriteThem) {
  const std::string data = bytes_of<double>({1, 2});
  for (std::string_view dictionary : {"{'shape':(1,2),'fortran_order':False,'descr':'<f8'}",
                                      "{\"descr\": \"f8\", \"fortran_order\": False, \"shape\": (1, 2)}",
                                      "{'descr': '=f8', 'fortran_order': False, 'shape': (1L, 2L), }   \n"})
    EXPECT_EQ(dense(read_bytes(npy(dictionary, data))), DenseTensor({1, 2}, {1, 2})) << dictionary;
}

TEST_F(Npy, CompressedIsLookedThrough) {
  const DenseTensor tensor({1, 2}, {1, 2});
  write(dir_ / "x.npy.gz", {unnamed_modes(2), tensor});
  EXPECT_EQ(get(dir_ / "x.npy.gz").substr(0, 2), "\x1f\x8b");
  EXPECT_EQ(dense(read(dir_ / "x.npy.gz")), tensor);
}

// Position p of a tensor in Fortran order, as its C order number modulo 251.
std::string fortran_bytes(const Shape& shape) {
  std::string bytes(shape.cells(), '\0');
  std::vector<Index> cell(shape.order(), 0);
  for (char& byte : bytes) {
    byte = static_cast<char>(shape.offset(cell) % 251);
    for (int mode = 0; mode < shape.order(); ++mode) {
      if (++cell[mode] < shape[mode]) break;
      cell[mode] = 0;
    }
  }
  return bytes;
}

TEST_F(Npy, FortranOrderInBlocksOfEveryKind) {
  // One block; several tiles of slices; blocks of slices; slices larger than a block.
  for (const Shape& shape :
       {Shape{3, 4, 5}, Shape{7, 3, 70}, Shape{1, 1}, Shape{1, 9}, Shape{2, 1, 2, 1, 2, 1, 2, 3},
        Shape{1500, 1000, 5}, Shape{2, 3'000'000}, Shape{2100, 2000, 2}}) {
    const auto dims = shape.dimensions();
    const DenseTensor tensor =
        dense(read_bytes(npy("|u1", true, fmt::format("({})", fmt::join(dims, ", ")), fortran_bytes(shape))));
    ASSERT_EQ(tensor.shape(), shape);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < tensor.size(); ++i)
      wrong += tensor.values()[i] != static_cast<double>(i % 251);
    EXPECT_EQ(wrong, 0u) << shape.text();
  }
}

TEST_F(Npy, LyingHeaders) {
  const auto header = [](std::string_view shape) {
    return fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': {}, }}\n", shape);
  };
  EXPECT_THAT(error_for_header(header("(2, 4)")),
              HasSubstr("promises 8 elements (64 bytes), but only 48 bytes follow"));
  EXPECT_THAT(error_for_header(header("(2, 2)")), HasSubstr("bytes follow behind the 4 elements"));
  EXPECT_THAT(error_for_header(header("(100, 1000, 1000)")), HasSubstr("but only 48 bytes follow"));
  EXPECT_THAT(error_for_header(header("(1000000, 1000000)")),
              HasSubstr("GiB of memory, but this machine has"));
  EXPECT_THAT(error_for_header(header("(4294967295, 4294967295)")),
              HasSubstr("more cells than any memory holds"));
  EXPECT_THAT(error_for_header(header("(99999999999999999999, 2)")),
              HasSubstr("more cells than any memory holds"));
  EXPECT_THAT(error_for_header(header("(4294967296, 2)")), HasSubstr("mode 1 has size 4294967296"));
  EXPECT_THAT(error_for_header(header("(-2, 3)")), HasSubstr("negative size"));
  EXPECT_THAT(error_for_header(header("(0, 3)")), HasSubstr("mode 1 has size 0"));
  EXPECT_THAT(error_for_header(header("(6,)")), HasSubstr("a tensor has 2 to 8 modes, not 1"));
  EXPECT_THAT(error_for_header(header("()")), HasSubstr("a tensor has 2 to 8 modes, not 0"));
  EXPECT_THAT(error_for_header(header("(1, 1, 1, 1, 1, 1, 1, 1, 6)")),
              HasSubstr("a tensor has 2 to 8 modes, not 9"));
  EXPECT_THAT(error_for_header(header("(2, 3")), HasSubstr("cannot be understood at its character"));
  EXPECT_THAT(error_for_header(header("2, 3")), HasSubstr("cannot be understood at its character"));
  EXPECT_THAT(error_for_header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), "),
              HasSubstr("cannot be understood at its character"));
  EXPECT_THAT(error_for_header("{'descr': '<f8"), HasSubstr("cannot be understood at its character 11"));
  EXPECT_THAT(error_for_header(""), HasSubstr("cannot be understood at its character 1"));
  EXPECT_THAT(error_for_header("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 3)}"),
              HasSubstr("cannot be understood"));
  EXPECT_THAT(error_for_header("{'descr': '<f8', 'shape': (2, 3)}"), HasSubstr("lacks 'fortran_order'"));
  EXPECT_THAT(error_for_header("{'descr': '<f8', 'descr': '<f4', 'shape': (2, 3)}"),
              HasSubstr("cannot be understood"));
  EXPECT_THAT(error_for_header("{'colour': 'red'}"), HasSubstr("unknown key 'colour'"));
  EXPECT_THAT(error_for_header(header("(2, 3)") + "x"), HasSubstr("cannot be understood"));
}

TEST_F(Npy, TypesThatAreNoNumbers) {
  const auto error = [&](std::string_view descr) {
    return error_for_header(
        fmt::format("{{'descr': {}, 'fortran_order': False, 'shape': (2, 3), }}\n", descr));
  };
  EXPECT_THAT(error("'|O'"), HasSubstr("Python objects, which are not read because unpickling runs code"));
  EXPECT_THAT(error("[('a', '<f8')]"), HasSubstr("structured dtype"));
  EXPECT_THAT(error("'<c16'"), HasSubstr("complex numbers (<c16)"));
  EXPECT_THAT(error("'<U3'"), HasSubstr("holds text"));
  EXPECT_THAT(error("'<M8[ns]'"), HasSubstr("dtype '<M8[ns]' is not numeric"));
  EXPECT_THAT(error("'<f16'"), HasSubstr("dtype '<f16' is not numeric"));
  EXPECT_THAT(error("''"), HasSubstr("dtype '' is not numeric"));
  EXPECT_THAT(error("'V\x1b[2J'"), HasSubstr("dtype 'V?[2J' is not numeric"));
}

TEST_F(Npy, FilesThatAreNone) {
  EXPECT_THAT(error_for(""), HasSubstr("is empty"));
  EXPECT_THAT(error_for("PK\3\4 and more"), HasSubstr("is no .npy file"));
  EXPECT_THAT(error_for("\x80\x04\x95 and more"), HasSubstr("Python pickle"));
  EXPECT_THAT(error_for(std::string_view("\x93NUMPY\x04\0abcdefg", 15)),
              HasSubstr(".npy version 4.0 is unknown"));
  EXPECT_THAT(error_for(std::string_view("\x93NUMPY\x01\0\xff\xff{", 11)),
              HasSubstr("ends inside the header"));
  EXPECT_THAT(error_for(std::string_view("\x93NUMPY\x02\0\xff\xff\xff\xff{", 13)),
              HasSubstr("header of 4294967295 bytes"));
}

TEST_F(Npy, CutOffAtEveryByte) {
  const std::string whole = npy("<f8", true, "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, 6}));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(error_for(whole.substr(0, length)), "") << length;
  EXPECT_EQ(error_for(whole), "");
  EXPECT_NE(error_for(whole + '\0'), "");
}

TEST_F(Npy, CellsThatAreNotFiniteAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const auto file = [](std::vector<double> values, bool fortran) {
    return npy("<f8", fortran, "(2, 3)", bytes_of(values));
  };
  EXPECT_THAT(error_for(file({0, 0, 0, nan, 0, 0}, false)), HasSubstr("cell (2, 1) is NaN"));
  EXPECT_THAT(error_for(file({0, 0, 0, nan, 0, 0}, true)), HasSubstr("cell (2, 2) is NaN"));
  EXPECT_THAT(error_for(file({0, 0, -inf, 0, 0, nan}, false)), HasSubstr("cell (1, 3) is infinite"));

  const ReadOptions missing = nan_is_missing();
  EXPECT_THAT(error_for(file({0, 0, inf, 0, 0, nan}, false), missing), HasSubstr("cell (1, 3) is infinite"));
  EXPECT_THAT(error_for(file({0, 0, 1e39, 0, 0, nan}, false), missing),
              HasSubstr("cell (1, 3) is 1e+39, too large"));
  for (const bool fortran : {false, true}) {
    const SparseTensor tensor = sparse(read_bytes(file({1, nan, 3, nan, 5, 6}, fortran), missing));
    EXPECT_EQ(tensor.unlisted(), Unlisted::missing);
    const auto columns = fortran ? std::vector<std::vector<Index>>{{0, 0, 0, 1}, {0, 1, 2, 2}}
                                 : std::vector<std::vector<Index>>{{0, 0, 1, 1}, {0, 2, 1, 2}};
    EXPECT_EQ(tensor, SparseTensor(Cells({2, 3}, columns), {1, 3, 5, 6}, Unlisted::missing));
  }
}

TEST_F(Npy, WrittenAsNumPyWrites) {
  write(path_, {unnamed_modes(2), DenseTensor({1, 2}, {1, 2})});
  const std::string bytes = get(path_);
  const std::string_view header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }";
  ASSERT_EQ(bytes.size(), 128u + 16u);
  EXPECT_EQ(bytes.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(bytes.substr(10, header.size()), header);
  EXPECT_EQ(bytes[127], '\n');
  EXPECT_EQ(bytes.substr(128), bytes_of<double>({1, 2}));
}

TEST_F(Npy, SparseTensorsAreNotWritten) {
  const Dataset data{unnamed_modes(2), SparseTensor(Shape{2, 2}, Unlisted::zero)};
  EXPECT_THAT(error_of([&] { write(path_, data); }), HasSubstr("write it as .npz or .tns"));
  EXPECT_EQ(dir_.files(), 0u);
}

TEST_F(Npy, ExpectedModesAndShape) {
  const std::string bytes = npy("<f8", false, "(1, 2)", bytes_of<double>({1, 2}));
  const Mode row{"row", {"a"}};
  const Mode column{"column", {"x", "y", "z"}};
  const Dataset data = read_bytes(bytes, known({row, column}));
  EXPECT_EQ(data.modes, (std::vector<Mode>{row, column}));
  EXPECT_EQ(sparse(data), SparseTensor(Cells({1, 3}, {{0, 0}, {0, 1}}), {1, 2}, Unlisted::missing));
  EXPECT_THAT(error_for(bytes, known({row, {"column", {"x"}}})),
              HasSubstr("'column' has 2 positions, but 1 are known"));
  EXPECT_THAT(error_for(bytes, known({row})), HasSubstr("but 1 modes are known"));
  EXPECT_THAT(error_for(bytes, in_shape({2, 2})), HasSubstr("is 1x2, not 2x2"));
}

RC_GTEST_PROP(NpyRoundTrip, DenseTensors, ()) {
  const int order = *rc::gen::inRange(2, 9);
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < order; ++mode) sizes.push_back(*rc::gen::inRange<std::uint64_t>(1, 4));
  const Shape shape(sizes);
  const auto values = *rc::gen::container<std::vector<double>>(
      shape.cells(),
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](auto v) { return static_cast<double>(v) * 1e-3; }));
  const TempDir dir;
  write(dir / "x.npy", {unnamed_modes(order), DenseTensor(shape, values)});
  RC_ASSERT(dense(read(dir / "x.npy")) == DenseTensor(shape, values));
}

}  // namespace
}  // namespace tulle::test
