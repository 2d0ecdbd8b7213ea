//===- Array.cpp - tensors in host memory, and .npy files -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "KernelZero/Runtime/Array.h"
#include "KernelZero/Record/Record.h"
#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

using namespace kernelzero;

namespace {
/// Element types and how NumPy writes them.
struct ElementRow {
  const char *name;
  const char *descr;
  int64_t bytes;
};
constexpr ElementRow elementRows[] = {{"f16", "<f2", 2}, {"f32", "<f4", 4},
                                      {"f64", "<f8", 8}, {"bf16", "<V2", 2},
                                      {"i1", "|b1", 1},  {"i8", "|i1", 1},
                                      {"i16", "<i2", 2}, {"i32", "<i4", 4},
                                      {"i64", "<i8", 8}, {"index", "<i8", 8}};
constexpr char magic[] = "\x93NUMPY";
constexpr size_t magicBytes = 6;
} // namespace

int64_t kernelzero::getArrayElementBytes(const std::string &element) {
  for (const ElementRow &row : elementRows)
    if (element == row.name)
      return row.bytes;
  return 0;
}

ArrayBytes kernelzero::allocateBytes(int64_t bytes) {
  int64_t rounded = bytes / 4096 * 4096 + 4096;
  return ArrayBytes(static_cast<char *>(std::aligned_alloc(4096, rounded)));
}

int64_t ArrayType::elements() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

int64_t ArrayType::bytes() const {
  return elements() * getArrayElementBytes(element);
}

std::string kernelzero::toText(const ArrayType &type) {
  std::string text;
  for (int64_t size : type.shape)
    text += (text.empty() ? "" : "x") + std::to_string(size);
  return (text.empty() ? "()" : text) + " of " + type.element;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The text behind `'key':` in a header, which is a literal of Python.
static bool findEntry(const std::string &header, const std::string &key,
                      std::string &rest) {
  size_t at = header.find("'" + key + "'");
  if (at == std::string::npos)
    return false;
  at = header.find(':', at);
  if (at == std::string::npos)
    return false;
  at = header.find_first_not_of(' ', at + 1);
  if (at == std::string::npos)
    return false;
  rest = header.substr(at);
  return true;
}

static bool parseShape(const std::string &text, std::vector<int64_t> &shape) {
  if (text.empty() || text[0] != '(')
    return false;
  size_t end = text.find(')');
  if (end == std::string::npos)
    return false;
  for (size_t at = 1; at < end;) {
    if (text[at] == ' ' || text[at] == ',') {
      ++at;
      continue;
    }
    int64_t size = 0;
    auto [rest, code] =
        std::from_chars(text.data() + at, text.data() + end, size);
    if (code != std::errc() || size < 0)
      return false;
    shape.push_back(size);
    at = rest - text.data();
  }
  return true;
}

/// Reads what `descr` and `fortran_order` say; empty or the end of a sentence.
static std::string parseHeader(const std::string &header, ArrayType &type) {
  std::string text;
  if (!findEntry(header, "descr", text) || text[0] != '\'' ||
      text.find('\'', 1) == std::string::npos)
    return "its header names no plain element type";
  std::string descr = text.substr(1, text.find('\'', 1) - 1);
  for (const ElementRow &row : elementRows) {
    // Where one byte is all, or opaque, the order of bytes says nothing.
    bool orderless = row.bytes == 1 || row.descr[1] == 'V';
    if (type.element.empty() &&
        (descr == row.descr || (orderless && descr.substr(1) == row.descr + 1)))
      type.element = row.name;
  }
  if (type.element.empty())
    return "its element type is '" + descr +
           "'; accepted are <f2, <f4, <f8, <V2 (bfloat16), |b1, |i1, <i2, <i4 "
           "and <i8, all little-endian";
  if (!findEntry(header, "fortran_order", text))
    return "its header does not say fortran_order";
  bool fortran = text.compare(0, 4, "True") == 0;
  if (!findEntry(header, "shape", text) || !parseShape(text, type.shape))
    return "its header names no shape";
  // With one dimension that counts, both orders are the same.
  int longDims = 0;
  for (int64_t size : type.shape)
    longDims += size > 1;
  if (fortran && longDims > 1)
    return "it is in Fortran order; numpy.ascontiguousarray makes C order, "
           "which is accepted";
  return "";
}

std::string kernelzero::readNpy(const std::string &path, Array &array) {
  namespace fs = std::filesystem;
  auto refuse = [&](const std::string &reason) {
    return "'" + path + "' cannot be read as an array: " + reason;
  };
  std::error_code code;
  if (!fs::exists(path, code))
    return "'" + path + "': no such file";
  if (!fs::is_regular_file(path, code))
    return "'" + path + "' is no regular file";
  uintmax_t size = fs::file_size(path, code);
  std::ifstream file(path, std::ios::binary);
  if (code || !file)
    return "'" + path + "' cannot be opened for reading";
  unsigned char start[12] = {};
  file.read(reinterpret_cast<char *>(start), 8);
  if (file.gcount() != 8 || std::memcmp(start, magic, magicBytes) != 0)
    return refuse("it does not start as a .npy file does");
  int version = start[6];
  if (version < 1 || version > 3)
    return refuse("its format version is " + std::to_string(version) +
                  "; accepted are 1 to 3");
  int lengthBytes = version == 1 ? 2 : 4;
  file.read(reinterpret_cast<char *>(start) + 8, lengthBytes);
  uintmax_t length = start[8] | start[9] << 8;
  if (version > 1)
    length |= uintmax_t(start[10]) << 16 | uintmax_t(start[11]) << 24;
  uintmax_t first = 8 + lengthBytes + length;
  if (!file || first > size)
    return refuse("its header is cut off");
  std::string header(length, '\0');
  file.read(header.data(), length);
  array = Array();
  if (std::string reason = parseHeader(header, array.type); !reason.empty())
    return refuse(reason);
  // Before a product overflows: no file is that large.
  int64_t bytes = getArrayElementBytes(array.type.element);
  bool empty = std::find(array.type.shape.begin(), array.type.shape.end(), 0) !=
               array.type.shape.end();
  for (int64_t dim : array.type.shape)
    if (!empty &&
        (__builtin_mul_overflow(bytes, dim, &bytes) || uintmax_t(bytes) > size))
      return refuse("it is cut off: " + toText(array.type) +
                    " needs more than its " + std::to_string(size - first) +
                    " bytes");
  if (empty)
    bytes = 0;
  if (size - first != uintmax_t(bytes))
    return refuse("it holds " + std::to_string(size - first) +
                  " bytes of elements, " + toText(array.type) + " needs " +
                  std::to_string(bytes));
  array.data = allocateBytes(bytes);
  if (!array.data)
    return refuse("there is no memory for its " + std::to_string(bytes) +
                  " bytes");
  file.read(array.data.get(), bytes);
  if (file.gcount() != bytes)
    return refuse("it cannot be read to its end");
  return "";
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string kernelzero::writeNpy(const std::string &path, const ArrayType &type,
                                 const void *data) {
  const char *descr = nullptr;
  for (const ElementRow &row : elementRows)
    if (type.element == row.name)
      descr = row.descr;
  if (!descr)
    return "cannot write '" + path + "': an array cannot hold elements of " +
           type.element;
  std::string shape;
  for (int64_t size : type.shape)
    shape += (shape.empty() ? "" : ", ") + std::to_string(size);
  if (type.shape.size() == 1)
    shape += ",";
  std::string header = std::string("{'descr': '") + descr +
                       "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // Elements start at a multiple of 64 bytes; the header ends in a newline.
  size_t total = (magicBytes + 4 + header.size() + 1 + 63) / 64 * 64;
  header.resize(total - magicBytes - 4 - 1, ' ');
  header += '\n';
  std::string text(magic, magicBytes);
  text += '\x01';
  text += '\x00';
  text += static_cast<char>(header.size() & 255);
  text += static_cast<char>(header.size() >> 8);
  text += header;
  text.append(static_cast<const char *>(data), type.bytes());
  return writeFileAtomically(path, text);
}
