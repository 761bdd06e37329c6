// Any bytes as labelled examples: a table, images with their labels, or arrays. An Error or examples, never
// anything else. Readers choose the format by the name, so the files have one.
#include "members.hpp"

#include <tulle/base/error.hpp>
#include <tulle/io/read_labelled.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

std::string written(const std::string& name, std::string_view bytes) {
  static const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tulle-fuzz-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name, std::ios::binary) << bytes;
  return (folder / name).string();
}

void read_as(const std::string& path, const tulle::LabelledFileOptions& options) {
  try {
    const tulle::LabelledExamples examples = tulle::read_labelled(path, options);
    check(examples);
  } catch (const tulle::Error&) {
  }
}

}  // namespace

// The first byte divides the others into images and labels.
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(bytes), size);
  const std::size_t cut = size == 0 ? 0 : std::min<std::size_t>(size - 1, bytes[0]);
  const std::string_view rest = input.substr(std::min<std::size_t>(size, 1));
  const std::string labels = written("a-labels-idx1-ubyte", rest.substr(0, cut));
  const std::string images = written("a-images-idx3-ubyte", rest.substr(cut));
  const std::string table = written("a.csv", input), arrays = written("a.npz", archive_of(input));
  for (const std::string& path : {images, table, arrays}) {
    read_as(path, {.labels = path == images ? labels : ""});
    read_as(path, {.labels = path == images ? labels : "",
                   .label_column = size % 2 == 1 ? "1" : "label",
                   .header = true,
                   .classes = 3,
                   .clamped = true,
                   .may_be_empty = true});
    read_as(path, {.labels = path == images ? labels : "",
                   .known = {"1", "cat"},
                   .values = 2,
                   .values_alone = size % 2 == 1,
                   .image = std::pair(1, 2)});
  }
  return 0;
}
