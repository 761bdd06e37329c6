#include "io/binary/files.hpp"

#include <tulle/io/write.hpp>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace tulle::test {
namespace {

using testing::HasSubstr;

class Npz : public testing::Test {
 protected:
  using Members = std::vector<std::pair<std::string, std::string>>;

  Dataset read_members(const Members& members, const ReadOptions& options = {}) {
    put(path_, zip(members));
    return read(path_, options);
  }
  std::string error_for_bytes(std::string_view bytes, const ReadOptions& options = {}) {
    put(path_, bytes);
    const std::string message = error_of([&] { read(path_, options); });
    EXPECT_TRUE(message.empty() || message.starts_with(path_)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    return message;
  }
  std::string error_for(const Members& members, const ReadOptions& options = {}) {
    return error_for_bytes(zip(members), options);
  }

  TempDir dir_;
  std::string path_ = dir_ / "x.npz";
  std::string matrix_ = npy("<f8", false, "(1, 2)", bytes_of<double>({1, 2}));
};

std::string ints(const std::vector<std::int64_t>& values) {
  return npy("<i8", false, fmt::format("({},)", values.size()), bytes_of(values));
}
std::string doubles(const std::vector<double>& values) {
  return npy("<f8", false, fmt::format("({},)", values.size()), bytes_of(values));
}
std::string text(std::string_view text) {
  return npy(fmt::format("|S{}", text.size()), false, "()", text);
}

TEST_F(Npz, TheOnlyArrayIsTaken) {
  EXPECT_EQ(dense(read_members({{"a.npy", matrix_}})), DenseTensor({1, 2}, {1, 2}));
}

TEST_F(Npz, OneOfSeveralArraysIsNamed) {
  const Members members = {
      {"a.npy", matrix_}, {"b.npy", npy("|u1", true, "(2, 1)", "\3\4")}, {"readme.txt", "hello"}};
  EXPECT_EQ(dense(read_members(members, variable("b"))), DenseTensor({2, 1}, {3, 4}));
  EXPECT_THAT(error_for(members), HasSubstr("holds several arrays, name one of a, b"));
  EXPECT_THAT(error_for(members, variable("c")), HasSubstr("has no array 'c'; there are a, b"));
  EXPECT_THAT(error_for({{"readme.txt", "hello"}}), HasSubstr("holds no arrays"));
}

TEST_F(Npz, ScipyCoo) {
  const Members members = {{"row.npy", ints({0, 1, 1})},
                           {"col.npy", ints({2, 0, 2})},
                           {"format.npy", text("coo")},
                           {"shape.npy", ints({2, 3})},
                           {"data.npy", doubles({5, 6, 7})}};
  EXPECT_EQ(sparse(read_members(members)),
            SparseTensor(Cells({2, 3}, {{0, 1, 1}, {2, 0, 2}}), {5, 6, 7}, Unlisted::missing));
  ReadOptions zero;
  zero.unlisted = Unlisted::zero;
  EXPECT_EQ(sparse(read_members(members, zero)).unlisted(), Unlisted::zero);
}

TEST_F(Npz, ScipyCsrAndCsc) {
  const auto members = [](std::string_view format) {
    return Members{{"indices.npy", ints({2, 0, 2})},
                   {"indptr.npy", ints({0, 1, 1, 3})},
                   {"format.npy", text(format)},
                   {"shape.npy", ints({3, 3})},
                   {"data.npy", doubles({5, 6, 7})}};
  };
  EXPECT_EQ(sparse(read_members(members("csr"))),
            SparseTensor(Cells({3, 3}, {{0, 2, 2}, {2, 0, 2}}), {5, 6, 7}, Unlisted::missing));
  EXPECT_EQ(sparse(read_members(members("csc"))),
            SparseTensor(Cells({3, 3}, {{2, 0, 2}, {0, 2, 2}}), {5, 6, 7}, Unlisted::missing));
  EXPECT_THAT(error_for(members("bsr")), HasSubstr("form 'bsr'; save it with"));
}

TEST_F(Npz, WrongScipyFiles) {
  const auto csr = [&](const std::vector<std::int64_t>& indices, const std::vector<std::int64_t>& pointers) {
    return error_for({{"indices.npy", ints(indices)},
                      {"indptr.npy", ints(pointers)},
                      {"format.npy", text("csr")},
                      {"shape.npy", ints({2, 3})},
                      {"data.npy", doubles({5, 6, 7})}});
  };
  EXPECT_EQ(csr({0, 1, 2}, {0, 1, 3}), "");
  EXPECT_THAT(csr({0, 1, 3}, {0, 1, 3}),
              HasSubstr("[indices]: element 3 is 3, but positions run from 0 to 2"));
  EXPECT_THAT(csr({0, -1, 2}, {0, 1, 3}), HasSubstr("[indices]: element 2 is -1"));
  EXPECT_THAT(csr({0, 1}, {0, 1, 3}), HasSubstr("[indices]: has 2 elements, but the other arrays need 3"));
  EXPECT_THAT(csr({0, 1, 2}, {0, 2, 1}), HasSubstr("[indptr]: element 3 is 1, not a step from 2"));
  EXPECT_THAT(csr({0, 1, 2}, {1, 2, 3}), HasSubstr("[indptr]: element 1 is 1"));
  EXPECT_THAT(csr({0, 1, 2}, {0, 1, 1'000'000'000'000}), HasSubstr("[indptr]: element 3 is 1000000000000"));
  EXPECT_THAT(csr({0, 1, 2}, {0, 1, 2}), HasSubstr("[indptr]: ends at 2, but there are 3 entries"));
  EXPECT_THAT(csr({0, 1, 2}, {0, 3}), HasSubstr("[indptr]: has 2 elements, but the other arrays need 3"));
  EXPECT_THAT(csr({0, 1, 1}, {0, 1, 3}), HasSubstr("cell (2, 2) is listed twice, as entries 2 and 3"));
  EXPECT_THAT(error_for({{"format.npy", matrix_}}), HasSubstr("[format]: is no text"));
}

TEST_F(Npz, ListedCellsOfAnyOrder) {
  const auto members = [](const std::vector<std::uint32_t>& indices, std::string_view shape, bool fortran,
                          const std::vector<double>& values) {
    return Members{{"indices.npy", npy("<u4", fortran, shape, bytes_of(indices))},
                   {"values.npy", doubles(values)},
                   {"shape.npy", ints({2, 3, 4})}};
  };
  const SparseTensor expected(Cells({2, 3, 4}, {{0, 1}, {2, 0}, {3, 1}}), {5, 6}, Unlisted::missing);
  EXPECT_EQ(sparse(read_members(members({0, 2, 3, 1, 0, 1}, "(2, 3)", false, {5, 6}))), expected);
  EXPECT_EQ(sparse(read_members(members({0, 1, 2, 0, 3, 1}, "(2, 3)", true, {5, 6}))), expected);
  EXPECT_THAT(error_for(members({0, 2, 4, 1, 0, 1}, "(2, 3)", false, {5, 6})), HasSubstr("element 3 is 4"));
  EXPECT_THAT(error_for(members({0, 2, 3, 1, 0, 1}, "(3, 2)", false, {5, 6})),
              HasSubstr("is 3x2, but 2 values"));
  EXPECT_THAT(error_for(members({0, 2, 3, 0, 2, 3}, "(2, 3)", false, {5, 6})),
              HasSubstr("cell (1, 3, 4) is listed twice"));
  EXPECT_EQ(sparse(read_members(members({0, 2, 3, 0, 2, 3}, "(2, 3)", false, {5, 6}),
                                {.duplicates = Duplicates::last})),
            SparseTensor(Cells({2, 3, 4}, {{0}, {2}, {3}}), {6}, Unlisted::missing));
  EXPECT_THAT(error_for(members({0, 2, 3, 1, 0, 1}, "(2, 3)", false, {5, 1e39})),
              HasSubstr("cell (2, 1, 2) is infinite"));
  const Members nan = members({0, 2, 3, 1, 0, 1}, "(2, 3)", false, {std::nan(""), 6});
  EXPECT_THAT(error_for(nan), HasSubstr("cell (1, 3, 4) is NaN"));
  EXPECT_EQ(sparse(read_members(nan, nan_is_missing())),
            SparseTensor(Cells({2, 3, 4}, {{1}, {0}, {1}}), {6}, Unlisted::missing));
}

TEST_F(Npz, ArchivesThatLie) {
  EXPECT_THAT(error_for_bytes("no archive at all, only text that goes on for a while"),
              HasSubstr("is no zip archive"));
  EXPECT_THAT(error_for_bytes(""), testing::Ne(""));
  EXPECT_THAT(error_for_bytes(zip({{"a.npy", matrix_}}, 5)), testing::Ne(""));
  const std::string bomb = npy("<f8", false, "(100, 1000, 1000)", bytes_of<double>({1, 2}));
  EXPECT_THAT(error_for({{"a.npy", bomb}}),
              HasSubstr("bytes in the archive, but its header promises 800000"));
  std::string damaged = zip({{"a.npy", matrix_}});
  damaged[damaged.find("PK\1\2") - 1] ^= 1;  // the last byte of the array
  EXPECT_THAT(error_for_bytes(damaged), HasSubstr("[a]: CRC error; the archive is damaged"));
  EXPECT_THAT(error_of([&] { read(dir_ / "none.npz"); }), HasSubstr("none.npz: No such file"));
}

TEST_F(Npz, CutOffAtEveryByte) {
  write(path_,
        {{{"user", {"a", "b"}}, {"item", {}}}, SparseTensor(Cells({2, 3}, {{0}, {2}}), {5}, Unlisted::zero)});
  const std::string whole = get(path_);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(error_for_bytes(whole.substr(0, length)), "") << length;
  EXPECT_EQ(error_for_bytes(whole), "");
}

TEST_F(Npz, EveryByteWrong) {
  write(path_,
        {{{"user", {"a", "b"}}, {"item", {}}}, SparseTensor(Cells({2, 3}, {{0}, {2}}), {5}, Unlisted::zero)});
  const std::string whole = get(path_);
  for (std::size_t place = 0; place < whole.size(); ++place)
    for (char flip : {'\1', '\x80', '\xff'}) {
      std::string wrong = whole;
      wrong[place] ^= flip;
      put(path_, wrong);
      error_of([&] { read(path_); });  // an Error or not, but nothing else
    }
}

TEST_F(Npz, LabelsOfAnyBytesComeBack) {
  const std::vector<Mode> modes = {{"caf\xc3\xa9", {"\xe2\x82\xac", "line\nbreak \"quoted\""}},
                                   {"caf\xe9", {"\xff\xfe", "plain", "\xc3\xa9"}}};
  const Dataset data{modes, SparseTensor(Cells({2, 3}, {{1}, {2}}), {4}, Unlisted::zero)};
  write(path_, data);
  EXPECT_EQ(read(path_).modes, modes);
}

TEST_F(Npz, LabelsMustFit) {
  Dataset data{{{"a", {"x", "x"}}, {"b", {}}}, DenseTensor({2, 2}, {1, 2, 3, 4})};
  EXPECT_THAT(error_of([&] { write(path_, data); }), HasSubstr("mode 'a' has the label 'x' twice"));
  data.modes[0].labels = {"x", "y", "z"};
  EXPECT_THAT(error_of([&] { write(path_, data); }), HasSubstr("mode 'a' has 3 labels for 2 positions"));
  EXPECT_EQ(dir_.files(), 0u);
}

TEST_F(Npz, WrongDescriptions) {
  const auto error = [&](std::string_view json) {
    return error_for({{"indices.npy", npy("<u4", false, "(1, 2)", bytes_of<std::uint32_t>({0, 1}))},
                      {"values.npy", doubles({5})},
                      {"shape.npy", ints({2, 2})},
                      {"tulle.json", std::string(json)}});
  };
  const std::string start = R"({"format": "tulle tensor", "version": 1, "unlisted": "zero")";
  EXPECT_EQ(error(start + R"(, "modes": [{"name": "a"}, {"name": "b", "labels": ["x", "y"]}]})"), "");
  EXPECT_THAT(error("{"), HasSubstr("[tulle.json]: is no JSON object"));
  EXPECT_THAT(error("[]"), HasSubstr("[tulle.json]: is no JSON object"));
  EXPECT_THAT(error("{}"), HasSubstr("has no text 'format'"));
  EXPECT_THAT(error(R"({"format": "tulle model", "version": 1})"),
              HasSubstr("is a tulle model, not a tulle tensor"));
  EXPECT_THAT(error(R"({"format": "tulle tensor", "version": 2})"), HasSubstr("has format version 2"));
  EXPECT_THAT(error(R"({"format": "tulle tensor", "version": 1, "unlisted": "red"})"),
              HasSubstr("are 'red'"));
  EXPECT_THAT(error(start + "}"), HasSubstr("has no list of modes"));
  EXPECT_THAT(error(start + R"(, "modes": [{"name": "a"}]})"), HasSubstr("names 1 modes of a 2x2 tensor"));
  EXPECT_THAT(error(start + R"(, "modes": [1, 2]})"), HasSubstr("a mode is no JSON object"));
  EXPECT_THAT(error(start + R"(, "modes": [{"name": "a"}, {"name": "b", "labels": [1]}]})"),
              HasSubstr("is no text"));
  EXPECT_THAT(error(start + R"(, "modes": [{"name": "a"}, {"name": "b", "labels": 1}]})"),
              HasSubstr("no JSON array"));
  EXPECT_THAT(error(start + R"(, "modes": [{"name": "a", "encoding": "€"}, {"name": "b"}]})"),
              HasSubstr("unknown encoding"));
  EXPECT_THAT(error(start + R"(, "modes": [{"name": "€", "encoding": "latin-1"}, {"name": "b"}]})"),
              HasSubstr("character that latin-1 lacks"));
}

TEST_F(Npz, DataMoveToTheKnownLabels) {
  write(path_, {{{"user", {"b", "c"}}, {"item", {}}},
                SparseTensor(Cells({2, 3}, {{0, 1}, {2, 0}}), {5, 6}, Unlisted::missing)});
  const std::vector<Mode> modes = {{"person", {"a", "b", "c"}}, {"thing", {"x", "y", "z", "w"}}};
  const Dataset data = read(path_, known(modes));
  EXPECT_EQ(data.modes, modes);
  EXPECT_EQ(sparse(data), SparseTensor(Cells({3, 4}, {{1, 2}, {2, 0}}), {5, 6}, Unlisted::missing));

  const std::vector<Mode> fewer = {{"person", {"a", "b"}}, modes[1]};
  EXPECT_THAT(error_of([&] { read(path_, known(fewer)); }),
              HasSubstr("'c' is not among the known labels of person"));
  const Dataset grown = read(path_, known({{"person", {"c"}}, modes[1]}, true));
  EXPECT_EQ(grown.modes[0].labels, (std::vector<std::string>{"c", "b"}));
  EXPECT_EQ(sparse(grown), SparseTensor(Cells({2, 4}, {{1, 0}, {2, 0}}), {5, 6}, Unlisted::missing));
}

TEST_F(Npz, SparseDataInALargerShape) {
  write(path_, {unnamed_modes(2), SparseTensor(Cells({2, 3}, {{0}, {2}}), {5}, Unlisted::missing)});
  EXPECT_EQ(sparse(read(path_, in_shape({9, 9}))).shape(), (Shape{9, 9}));
  EXPECT_THAT(error_of([&] {
                read(path_, in_shape({9, 2}));
              }),
              HasSubstr("position 3 of mode 2 lies outside"));
}

TEST_F(Npz, SameDataSameBytes) {
  const Dataset data{unnamed_modes(2), DenseTensor({2, 2}, {1, 2, 3, 4})};
  write(path_, data);
  write(dir_ / "y.npz", data);
  EXPECT_EQ(get(path_), get(dir_ / "y.npz"));
  EXPECT_EQ(dir_.files(), 2u);
}

Dataset any_npz_dataset() {
  const int order = *rc::gen::inRange(2, 6);
  std::vector<Mode> modes = unnamed_modes(order);
  std::vector<std::uint64_t> sizes;
  for (int mode = 0; mode < order; ++mode) {
    sizes.push_back(*rc::gen::inRange<std::uint64_t>(1, 5));
    if (*rc::gen::arbitrary<bool>())
      modes[mode].labels =
          *rc::gen::unique<std::vector<std::string>>(sizes.back(), rc::gen::arbitrary<std::string>());
  }
  const Shape shape(sizes);
  const auto values = *rc::gen::container<std::vector<float>>(
      shape.cells(),
      rc::gen::map(rc::gen::arbitrary<int>(), [](int v) { return static_cast<float>(v) / 8; }));
  if (*rc::gen::arbitrary<bool>())
    return {modes, DenseTensor(shape, std::vector<double>(values.begin(), values.end()))};
  SparseTensor tensor(shape, *rc::gen::element(Unlisted::missing, Unlisted::zero));
  std::vector<std::size_t> chosen(shape.cells());
  std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  for (std::size_t number : chosen) {
    if (!*rc::gen::arbitrary<bool>()) continue;
    std::vector<Index> cell;
    for (int mode = 0; mode < order; ++mode)
      cell.push_back(static_cast<Index>(number / shape.stride(mode) % shape[mode]));
    tensor.append(cell, values[number]);
  }
  return {modes, tensor};
}

RC_GTEST_PROP(NpzRoundTrip, AnyDataset, ()) {
  const Dataset data = any_npz_dataset();
  const TempDir dir;
  write(dir / "x.npz", data);
  const Dataset back = read(dir / "x.npz");
  RC_ASSERT(back.modes == data.modes);
  RC_ASSERT(back.tensor == data.tensor);
}

}  // namespace
}  // namespace tulle::test
