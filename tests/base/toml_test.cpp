#include <tulle/base/error.hpp>
#include <tulle/base/toml.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace tulle {
namespace {

class Toml : public testing::Test {
 protected:
  TomlSection load(const std::string& text) {
    std::ofstream(path_) << text;
    return TomlSection::load(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  template <class Work>
  std::string error_of(Work&& work) {
    try {
      work();
    } catch (const Error& error) {
      return std::string(error.what()).substr(path_.size());
    }
    return "";
  }

  std::string path_ =
      (std::filesystem::temp_directory_path() / ("tulle-toml-test-" + std::to_string(::getpid()))).string();
};

TEST_F(Toml, HasValuesListsAndTables) {
  TomlSection file = load("a = 2\nb = [1, 2.5]\n[c]\nd = \"x\"\n[[e]]\nf = true\n[[e]]\n");
  EXPECT_EQ(file.get<int>("a", 0), 2);
  EXPECT_EQ(file.get<double>("a", 0), 2);
  EXPECT_EQ(file.get<int>("none", 7), 7);
  EXPECT_EQ(file.list<double>("b"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(file.table("c")->get<std::string>("d", ""), "x");
  ASSERT_EQ(file.tables("e").size(), 2u);
  EXPECT_TRUE(file.tables("e")[0].get<bool>("f", false));
  EXPECT_EQ(file.tables("e")[1].place(), path_ + ":7");
  EXPECT_EQ(file.keys(), (std::vector<std::string>{"a", "b", "c", "e"}));
  file.refuse_the_rest();
}

TEST_F(Toml, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(error_of([&] { load("a = 1\n\nb = \"x\"\n").get<int>("b", 0); }),
            ":3: 'b' has a value of the wrong kind");
  EXPECT_EQ(error_of([&] {
              TomlSection file = load("weight = 1\nwieght = 2\n");
              file.find<double>("weight");
              file.refuse_the_rest();
            }),
            ":2: 'wieght' means nothing here (did you mean 'weight'?); there is: weight");
  EXPECT_EQ(error_of([&] { load("a = 1\nb = \n"); }).substr(0, 3), ":2:");
}

}  // namespace
}  // namespace tulle
