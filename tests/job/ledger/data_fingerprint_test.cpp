#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/data_files.hpp>
#include <tulle/job/data_fingerprint.hpp>
#include <tulle/privacy/ledger/fingerprint.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

TEST(DataFingerprint, OfOneFileIsThatOfItsBytes) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.csv", "1,1,5\n");
  EXPECT_EQ(fingerprint_of_data({file}), fingerprint_of_file(file)) << "as accounts have it";
  const std::string table = folder.write("b.csv", "1,1,4\n");
  EXPECT_EQ(fingerprint_of_data({file, table}), fingerprint_of_files({table, file}));
  EXPECT_EQ(fingerprint_of_images({file}), "");
}

TEST(DataFingerprint, OfWhatIsNoFileIsUnknown) {
  const TemporaryFolder folder;
  EXPECT_EQ(fingerprint_of_data({folder.write("a.csv", "1"), "-"}), "");
  EXPECT_THROW(fingerprint_of_data({folder / "missing.csv"}), Error);
}

// A document per file: their names decide on their order.
TEST(DataFingerprint, OfAFolderIsThatOfTheFilesInItAndTheirNames) {
  const TemporaryFolder folder, renamed, other;
  for (const TemporaryFolder* each : {&folder, &renamed}) {
    each->write("1.txt", "one");
    each->write("2.txt", "two");
  }
  const auto of = [](const TemporaryFolder& each) { return fingerprint_of_data({each / ""}); };
  EXPECT_EQ(of(folder).size(), 64u) << "however many files there are";
  EXPECT_EQ(of(folder), of(renamed));
  other.write("2.txt", "one");
  EXPECT_THROW(fingerprint_of_data({TemporaryFolder() / ""}), Error) << "an empty folder";
  other.write("1.txt", "two");
  EXPECT_NE(of(folder), of(other)) << "the same documents in another order";
  renamed.write("3.txt", "three");
  EXPECT_NE(of(folder), of(renamed));
  folder.write("1.txt", "one more");
  EXPECT_NE(of(folder), of(other));
  EXPECT_EQ(documents_in(folder / "").size(), 2u) << "what the reader of documents reads";
}

TEST(DataFingerprint, OfImagesWithoutLabelsAsksForThem) {
  const TemporaryFolder folder;
  const std::string images = folder.write("digits-idx3-ubyte", "x");
  EXPECT_THROW(fingerprint_of_data({images}), Error);
  EXPECT_NO_THROW(fingerprint_of_data({images, folder.write("labels", "y")}));
}

}  // namespace
}  // namespace tulle
