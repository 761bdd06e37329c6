#include "io/temporary_folder.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/data_files.hpp>

#include <gtest/gtest.h>

namespace tulle {
namespace {

using Files = std::vector<std::string>;

TEST(DataFiles, OfAFileAreThatFile) {
  const TemporaryFolder folder;
  const std::string table = folder.write("table.csv", "1,2\n");
  for (const bool labels_given : {false, true})
    EXPECT_EQ(files_of_data(table, labels_given).files, Files{table});
  EXPECT_FALSE(files_of_data(table).images || files_of_data(table).in_a_folder);
}

TEST(DataFiles, OfImagesAreTheirLabelsToo) {
  const TemporaryFolder folder;
  const std::string images = folder.write("train-images-idx3-ubyte.gz", "x");
  EXPECT_THROW(files_of_data(images), Error) << "labels are missing";
  const std::string labels = folder.write("train-labels-idx1-ubyte", "y");
  folder.write("t10k-images-idx3-ubyte", "not trained on");
  for (const std::string& path : {images, folder / ""}) {
    EXPECT_EQ(files_of_data(path).files, (Files{images, labels})) << path;
    EXPECT_EQ(files_of_data(path, true).files, Files{images}) << "labels that are named are elsewhere";
    EXPECT_TRUE(files_of_data(path).images);
  }
}

TEST(DataFiles, OfAFolderOfDocumentsAreAllOfThemByName) {
  const TemporaryFolder folder;
  EXPECT_THROW(files_of_data(folder / ""), Error) << "it is empty";
  const std::string second = folder.write("b", "two"), first = folder.write("a", "one");
  EXPECT_EQ(files_of_data(folder / "").files, (Files{first, second}));
  EXPECT_TRUE(files_of_data(folder / "").in_a_folder);
}

}  // namespace
}  // namespace tulle
