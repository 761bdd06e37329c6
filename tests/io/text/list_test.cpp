#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/io/list.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tulle {
namespace {

using Labels = std::vector<std::string>;

TEST(List, HasALabelPerLineQuotedOrNot) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_list({folder.write("films.txt", "Alien\n\"Brazil\"\n\nCube, the\n"), ""}, "film"),
            (Labels{"Alien", "Brazil", "Cube, the"}));
  EXPECT_EQ(read_list({folder.write("said.txt", "\"She said \"\"no\"\"\"\n\"open\n"), ""}, "film"),
            (Labels{"She said \"no\"", "\"open"}));
}

TEST(List, DropsAHeaderThatIsTheNameOfTheMode) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_list({folder.write("films.txt", "film\nAlien\n"), ""}, "film"), Labels{"Alien"});
  EXPECT_EQ(read_list({folder.write("films.csv", "film\nAlien\n"), ""}, "film"), Labels{"Alien"});
  EXPECT_EQ(read_list({folder.write("one.txt", "film\n"), ""}, "film"), Labels{"film"});
}

TEST(List, OfATableIsAColumnOfIt) {
  const TemporaryFolder folder;
  const std::string path = folder.write("films.csv", ",film,title\n0,1,\"Alien, the\"\n1,2,Brazil\n");
  EXPECT_EQ(read_list({path, ""}, "film"), (Labels{"1", "2"}));
  EXPECT_EQ(read_list({path, "title"}, "film"), (Labels{"Alien, the", "Brazil"}));
  EXPECT_THAT(message_of([&] {
                (void)read_list({path, "year"}, "film");
              }),
              ::testing::HasSubstr("films.csv: the first line names no column 'year'"));
  EXPECT_THAT(message_of([&] {
                (void)read_list({path, ""}, "movie");
              }),
              ::testing::HasSubstr("3 columns, and the first line calls none of them 'movie'"));
  EXPECT_THAT(message_of([&] {
                (void)read_list({folder.write("odd.csv", "film,title\n1\n"), ""}, "film");
              }),
              ::testing::HasSubstr("odd.csv:2: 1 columns"));
}

TEST(List, NamesAColumnBehindTheNameOfATable) {
  EXPECT_EQ(list_file("a/films.csv:title").path, "a/films.csv");
  EXPECT_EQ(list_file("a/films.csv:title").column, "title");
  EXPECT_EQ(list_file("films.tsv.gz:t:u").column, "t:u");
  for (const char* whole : {"films.csv", "films.txt:title", "films.csv:", "a:b.csv"}) {
    EXPECT_EQ(list_file(whole).path, whole);
    EXPECT_EQ(list_file(whole).column, "");
  }
}

}  // namespace
}  // namespace tulle
