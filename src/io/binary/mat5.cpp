// MATLAB files of version 5 (also those called 6 and 7). A file is a header and a list of elements; an
// element is a tag (type, bytes) and its bytes, and an array is an element made of elements. Version 7
// deflates each array.
//
// Read here rather than by a library, because the file is untrusted: every length in it is checked against
// the bytes that are there.
#include "binary/mat.hpp"
#include "binary/mat5_format.hpp"
#include "binary/positions.hpp"
#include "binary/promise.hpp"
#include "text/listing.hpp"

#include <tulle/base/error.hpp>

#include <zlib.h>

#include <bit>
#include <cstdio>
#include <cstring>

namespace tulle {
namespace {

constexpr std::size_t kFileHeader = 128;
constexpr std::size_t kMaxName = 4096;
constexpr std::size_t kMaxDimensions = 64;

[[noreturn]] void fail_damaged(const std::string& name, std::string_view reason) {
  fail("{}: {}; the file is damaged, copy or save it again", name, reason);
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// A range of bytes of the file.
class Stretch final : public ByteStream {
 public:
  Stretch(const std::string& name, std::FILE* file, std::uint64_t start, std::uint64_t size)
      : ByteStream(name), file_(file), left_(size) {
    if (fseeko(file, static_cast<off_t>(start), SEEK_SET) != 0) fail("{}: {}", name, std::strerror(errno));
  }
  std::size_t read(std::span<char> buffer) override {
    const std::size_t got =
        std::fread(buffer.data(), 1, std::min<std::uint64_t>(buffer.size(), left_), file_);
    left_ -= got;
    return got;
  }

 private:
  std::FILE* file_;
  std::uint64_t left_;
};

class Inflater final : public ByteStream {
 public:
  explicit Inflater(std::unique_ptr<ByteStream> deflated)
      : ByteStream(deflated->name()), deflated_(std::move(deflated)), input_(65536) {
    if (inflateInit(&zlib_) != Z_OK) fail("{}: not enough memory", name());
  }
  ~Inflater() override { inflateEnd(&zlib_); }

  std::size_t read(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size() && !ended_) {
      if (zlib_.avail_in == 0) refill();
      const std::size_t room = std::min<std::size_t>(buffer.size() - filled, std::size_t{1} << 30);
      zlib_.next_out = reinterpret_cast<Bytef*>(buffer.data() + filled);
      zlib_.avail_out = static_cast<uInt>(room);
      const int code = inflate(&zlib_, Z_NO_FLUSH);
      filled += room - zlib_.avail_out;
      if (code == Z_STREAM_END)
        ended_ = true;
      else if (code != Z_OK && !(code == Z_BUF_ERROR && zlib_.avail_in == 0 && !dry_))
        fail_damaged(name(), dry_ ? "its compressed data end too early" : "its compressed data are corrupt");
    }
    return filled;
  }

 private:
  void refill() {
    const std::size_t got = deflated_->read(input_);
    dry_ = got == 0;
    zlib_.next_in = reinterpret_cast<Bytef*>(input_.data());
    zlib_.avail_in = static_cast<uInt>(got);
  }

  std::unique_ptr<ByteStream> deflated_;
  std::vector<char> input_;
  z_stream zlib_{};
  bool dry_ = false;
  bool ended_ = false;
};

struct Tag {
  std::uint32_t type;
  std::uint64_t bytes;
  std::size_t padding;  // behind the bytes
};

// The elements of an array.
class Elements {
 public:
  Elements(std::unique_ptr<ByteStream> stream, bool swapped)
      : stream_(std::move(stream)), swapped_(swapped) {}

  const std::string& name() const { return stream_->name(); }

  std::uint32_t word() {
    std::uint32_t value;
    exactly({reinterpret_cast<char*>(&value), sizeof value});
    return swapped_ ? __builtin_bswap32(value) : value;
  }

  // A tag may itself contain up to 4 bytes of data: the upper half of its first word is then their number.
  Tag tag() {
    const std::uint32_t first = word();
    if (const std::uint32_t bytes = first >> 16; bytes != 0) {
      if (bytes > 4) fail_damaged(name(), "a tag of a small element states more than 4 bytes");
      return {first & 0xffff, bytes, 4 - bytes};
    }
    const std::uint32_t bytes = word();
    return {first, bytes, (8 - bytes % 8) % 8};
  }

  std::string bytes(const Tag& tag, std::size_t limit) {
    if (tag.bytes > limit) fail_damaged(name(), "a name or a list of sizes is far too long");
    std::string result(tag.bytes, '\0');
    exactly(result);
    skip(tag.padding);
    return result;
  }

  std::uint64_t count(const Tag& tag) const { return tag.bytes / bytes_of(element(tag)); }

  void numbers(const Tag& tag, const TakeNumbers& take) {
    if (tag.bytes % bytes_of(element(tag)) != 0) fail_damaged(name(), "an element ends inside a number");
    if (read_elements(*stream_, {element(tag), swapped_}, count(tag), take) < tag.bytes) fail_short();
    skip(tag.padding);
  }

 private:
  Element element(const Tag& tag) const {
    switch (tag.type) {
      case kInt8:
        return Element::i1;
      case kUint8:
        return Element::u1;
      case kInt16:
        return Element::i2;
      case kUint16:
        return Element::u2;
      case kInt32:
        return Element::i4;
      case kUint32:
        return Element::u4;
      case kSingle:
        return Element::f4;
      case kDouble:
        return Element::f8;
      case kInt64:
        return Element::i8;
      case kUint64:
        return Element::u8;
      default:
        fail_damaged(name(), fmt::format("element type {} where numbers belong", tag.type));
    }
  }
  [[noreturn]] void fail_short() const { fail_damaged(name(), "ends inside an array"); }
  void exactly(std::span<char> buffer) {
    if (stream_->read(buffer) < buffer.size()) fail_short();
  }
  // The padding of the last element may be missing.
  void skip(std::size_t count) {
    char ignored[8];
    static_cast<void>(stream_->read({ignored, count}));
  }

  std::unique_ptr<ByteStream> stream_;
  bool swapped_;
};

struct Array {
  std::uint64_t start = 0;  // of its element in the file, after the tag
  std::uint64_t bytes = 0;
  bool compressed = false;
};

std::string type_name(std::uint32_t array_class) {
  switch (array_class) {
    case kCell:
      return "cell";
    case kStruct:
      return "struct";
    case kChar:
      return "char";
    default:
      return "object";
  }
}

// Reads the part of an array before its numbers.
MatVariable read_head(Elements& elements) {
  const Tag flags_tag = elements.tag();
  if (flags_tag.type != kUint32 || flags_tag.bytes != 8)
    fail_damaged(elements.name(), "an array lacks its flags");
  const std::uint32_t flags = elements.word();
  elements.word();  // the capacity of a sparse matrix, which follows from the lengths of its elements
  const std::uint32_t array_class = flags & 0xff;

  MatVariable variable;
  if (array_class != kOpaque) {  // those have a name but no sizes
    const Tag tag = elements.tag();
    if (tag.type != kInt32 || tag.bytes > 4 * kMaxDimensions)
      fail_damaged(elements.name(), "an array lacks its sizes");
    elements.numbers(tag, [&](std::span<const double> sizes) {
      for (double size : sizes) {
        if (size < 0) fail_damaged(elements.name(), "an array has a negative size");
        variable.dimensions.push_back(static_cast<std::uint64_t>(size));
      }
    });
  }
  variable.name = elements.bytes(elements.tag(), kMaxName);

  if (array_class >= kDoubles && array_class <= kUint64s)
    variable.kind = MatVariable::Kind::numbers;
  else if (array_class == kSparse)
    variable.kind = MatVariable::Kind::sparse;
  else
    variable.type = type_name(array_class);
  if (variable.kind != MatVariable::Kind::other && (flags & kComplexFlag) != 0) {
    variable.kind = MatVariable::Kind::other;
    variable.type = "complex";
  }
  return variable;
}

class Mat5 final : public MatFile {
 public:
  explicit Mat5(const std::string& path) : path_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (file_ == nullptr) fail("{}: {}", path, std::strerror(errno));
    fseeko(file_.get(), 0, SEEK_END);
    size_ = static_cast<std::uint64_t>(ftello(file_.get()));
    read_byte_order();
    find_arrays();
  }

  const std::vector<MatVariable>& variables() const override { return variables_; }

  void read_numbers(std::size_t variable, const TakeNumbers& take) const override {
    Elements elements = open(arrays_[variable]);
    read_head(elements);
    const Tag tag = elements.tag();
    if (const std::uint64_t cells = variables_[variable].cells(path_); elements.count(tag) != cells)
      fail_damaged(path_, fmt::format("'{}' has {} numbers for its {} cells",
                                      shortened(variables_[variable].name), elements.count(tag), cells));
    elements.numbers(tag, take);
  }

  MatSparse read_sparse(std::size_t variable) const override {
    const std::string name = fmt::format("{}[{}]", path_, shortened(variables_[variable].name));
    const Shape shape({variables_[variable].dimensions[0], variables_[variable].dimensions[1]});
    Elements elements = open(arrays_[variable]);
    read_head(elements);

    const Tag rows_tag = elements.tag();
    PromisedVector<Index> rows(elements.count(rows_tag));
    elements.numbers(rows_tag, [&](std::span<const double> numbers) {
      for (double row : numbers) rows.push_back(to_position(name, row, shape[0], rows.size()));
    });
    PointerExpander columns(name, shape[1], rows.size());
    elements.numbers(elements.tag(), [&](std::span<const double> numbers) { columns.append(numbers); });
    const Tag values_tag = elements.tag();
    PromisedVector<float> values(elements.count(values_tag));
    elements.numbers(values_tag, [&](std::span<const double> numbers) {
      for (double value : numbers) values.push_back(static_cast<float>(value));
    });
    return {rows.take(), columns.take(), values.take()};
  }

 private:
  void read_byte_order() {
    std::array<char, kFileHeader> header{};
    if (Stretch(path_, file_.get(), 0, size_).read(header) < header.size())
      fail("{}: is too short for a .mat file; copy or save it again", path_);
    const std::string_view mark(header.data() + 126, 2);
    if (mark != "IM" && mark != "MI")
      fail("{}: is no .mat file of version 5 or later; save it in MATLAB with save(.., '-v7')", path_);
    swapped_ = (mark == "MI") == (std::endian::native == std::endian::little);
  }

  void find_arrays() {
    std::uint64_t next = kFileHeader;
    while (next < size_) {
      Elements elements(std::make_unique<Stretch>(path_, file_.get(), next, size_ - next), swapped_);
      const std::uint32_t type = elements.word();
      Array array;
      array.bytes = elements.word();
      array.start = next + 8;
      array.compressed = type == kCompressed;
      if (type != kMatrix && type != kCompressed)
        fail_damaged(path_, fmt::format("byte {} begins no array", next + 1));
      if (array.bytes > size_ - array.start) fail_damaged(path_, "ends inside an array");
      next = array.start + array.bytes;
      if (array.bytes == 0) continue;
      Elements inside = open(array);
      MatVariable variable = read_head(inside);
      if (variable.name.empty()) continue;  // MATLAB's own, the contents of objects
      variables_.push_back(std::move(variable));
      arrays_.push_back(array);
    }
  }

  // The elements of an array.
  Elements open(const Array& array) const {
    std::unique_ptr<ByteStream> stream =
        std::make_unique<Stretch>(path_, file_.get(), array.start, array.bytes);
    if (array.compressed) stream = std::make_unique<Inflater>(std::move(stream));
    Elements elements(std::move(stream), swapped_);
    if (array.compressed && elements.tag().type != kMatrix)
      fail_damaged(path_, "compressed data hold no array");
    return elements;
  }

  std::string path_;
  File file_;
  std::uint64_t size_ = 0;
  bool swapped_ = false;
  std::vector<MatVariable> variables_;
  std::vector<Array> arrays_;
};

}  // namespace

std::unique_ptr<MatFile> open_mat5(const std::string& path) {
  return std::make_unique<Mat5>(path);
}

}  // namespace tulle
