//===- gpu_case.cpp - what a GPU kernel should compute --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "gpu_case.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <mutex>
#include <thread>

using namespace kernelzero;
using namespace kernelzero::bench;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static double fromHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double value = exponent == 31  ? (mantissa ? NAN : INFINITY)
                 : exponent == 0 ? std::ldexp(mantissa, -24)
                                 : std::ldexp(mantissa + 1024, exponent - 25);
  return bits & 0x8000 ? -value : value;
}

/// To the nearest, ties to even. Inputs are ordinary numbers of our making.
static uint16_t toHalf(double value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  value = std::fabs(value);
  int exponent;
  std::frexp(value, &exponent);
  exponent = std::max(exponent, -13);
  double scaled = std::nearbyint(std::ldexp(value, 11 - exponent));
  if (scaled >= 2048) {
    scaled /= 2;
    ++exponent;
  }
  if (exponent > 16)
    return sign | 0x7c00;
  // Without the hidden bit the number is subnormal and the exponent is -13.
  uint16_t mantissa = uint16_t(scaled);
  return mantissa < 1024
             ? sign | mantissa
             : sign | uint16_t((exponent + 14) << 10) | (mantissa & 1023);
}

static float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

static uint16_t toBFloat(double value) {
  // Halves an ulp at worst twice; fine for making inputs.
  float single = float(value);
  uint32_t bits;
  std::memcpy(&bits, &single, 4);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

template <typename T> static T read(const HostBuffer &buffer, int64_t i) {
  T value;
  std::memcpy(&value, buffer.bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}
template <typename T>
static void write(HostBuffer &buffer, int64_t i, T value) {
  std::memcpy(buffer.bytes.data() + i * sizeof(T), &value, sizeof(T));
}

static const std::vector<float> &halfTable() {
  static const std::vector<float> table = [] {
    std::vector<float> values(65536);
    for (int i = 0; i < 65536; ++i)
      values[i] = float(fromHalf(uint16_t(i)));
    return values;
  }();
  return table;
}

double HostBuffer::at(int64_t i) const {
  switch (type.element) {
  case ElementType::f16:
    return halfTable()[read<uint16_t>(*this, i)];
  case ElementType::bf16:
    return fromBits(uint32_t(read<uint16_t>(*this, i)) << 16);
  case ElementType::f32:
    return read<float>(*this, i);
  case ElementType::f64:
    return read<double>(*this, i);
  case ElementType::i1:
    return read<uint8_t>(*this, i) != 0;
  case ElementType::i8:
    return read<int8_t>(*this, i);
  case ElementType::i16:
    return read<int16_t>(*this, i);
  case ElementType::i32:
    return read<int32_t>(*this, i);
  case ElementType::i64:
    return double(read<int64_t>(*this, i));
  }
  return 0;
}

void HostBuffer::set(int64_t i, double value) {
  switch (type.element) {
  case ElementType::f16:
    return write<uint16_t>(*this, i, toHalf(value));
  case ElementType::bf16:
    return write<uint16_t>(*this, i, toBFloat(value));
  case ElementType::f32:
    return write<float>(*this, i, float(value));
  case ElementType::f64:
    return write<double>(*this, i, value);
  case ElementType::i1:
    return write<uint8_t>(*this, i, int64_t(value) & 1);
  case ElementType::i8:
    return write<int8_t>(*this, i, int8_t(value));
  case ElementType::i16:
    return write<int16_t>(*this, i, int16_t(value));
  case ElementType::i32:
    return write<int32_t>(*this, i, int32_t(value));
  case ElementType::i64:
    return write<int64_t>(*this, i, int64_t(value));
  }
}

void bench::parallelFor(int64_t count,
                        const std::function<void(int64_t, int64_t)> &body) {
  int64_t threads =
      std::min<int64_t>(std::max(1u, std::thread::hardware_concurrency()), 32);
  int64_t part = (count + threads - 1) / threads;
  std::vector<std::thread> pool;
  for (int64_t begin = part; begin < count; begin += part)
    pool.emplace_back(body, begin, std::min(begin + part, count));
  body(0, std::min(part, count));
  for (std::thread &thread : pool)
    thread.join();
}

static bool isInteger(ElementType type) {
  return type >= ElementType::i1 && type <= ElementType::i64;
}

void bench::fillRandom(HostBuffer &buffer, uint64_t seed, double scale) {
  halfTable();
  parallelFor(buffer.type.elements(), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      // SplitMix64 of the element's number.
      uint64_t z = seed * 0x9e3779b97f4a7c15 + uint64_t(i) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 27) * 0x94d049bb133111eb;
      z ^= z >> 31;
      // Whole numbers are small ones, as indices and token numbers are.
      buffer.set(i, isInteger(buffer.type.element)
                        ? double(z >> 57)
                        : (double(z >> 11) * 0x1p-52 - 1) * scale);
    }
  });
}

//===----------------------------------------------------------------------===//
// Which buffer is what
//===----------------------------------------------------------------------===//

static std::string shapeText(const BufferType &type) {
  std::string text;
  for (int64_t extent : type.shape)
    text += std::to_string(extent) + "x";
  return text + elementName(type.element);
}

bool bench::planCase(const LaunchList &list, const std::string &op,
                     const std::string &epilogue, const std::string &layoutB,
                     GpuCase &plan, std::string &error) {
  plan = GpuCase();
  plan.op = op;
  plan.epilogue = epilogue.empty() ? "none" : epilogue;
  std::vector<LaunchList::Buffer> buffers = list.buffers();
  std::string shapes;
  for (const LaunchList::Buffer &buffer : buffers)
    shapes += (shapes.empty() ? "" : ", ") + shapeText(buffer.type);
  auto fail = [&](const std::string &wanted) {
    error = op + " needs buffers " + wanted + "; the kernels have " + shapes;
    return false;
  };
  if (buffers.size() < 2 || !buffers.back().written)
    return fail("of which the last is written");
  plan.output = buffers.back().type;
  for (size_t i = 0; i + 1 < buffers.size(); ++i) {
    if (buffers[i].written)
      return fail("of which only the last is written");
    plan.inputs.push_back(buffers[i].type);
  }
  const std::vector<BufferType> &in = plan.inputs;

  if (op == "gemm") {
    size_t rank = in[0].shape.size();
    const std::string wanted = "A (M x K), B (K x N or N x K), perhaps a bias "
                               "(N), C (M x N)";
    if (in.size() < 2 || in.size() > 3 || rank < 2 || rank > 3 ||
        in[1].shape.size() != rank || plan.output.shape.size() != rank)
      return fail(wanted);
    plan.batch = rank == 3 ? in[0].shape[0] : 1;
    plan.m = in[0].shape[rank - 2];
    plan.k = in[0].shape[rank - 1];
    plan.n = plan.output.shape[rank - 1];
    int64_t rows = in[1].shape[rank - 2], columns = in[1].shape[rank - 1];
    bool nn = rows == plan.k && columns == plan.n;
    bool nt = rows == plan.n && columns == plan.k;
    plan.transposeB = layoutB.empty() ? !nn && nt : layoutB == "nt";
    if (!(plan.transposeB ? nt : nn) || plan.output.shape[rank - 2] != plan.m ||
        (rank == 3 && (in[1].shape[0] != plan.batch ||
                       plan.output.shape[0] != plan.batch)) ||
        (in.size() == 3 && in[2].elements() != plan.n))
      return fail(wanted);
    if (plan.epilogue != "none" && plan.epilogue != "gelu" &&
        plan.epilogue != "relu") {
      error = "no epilogue is called '" + plan.epilogue +
              "'; none, gelu and relu are";
      return false;
    }
    return true;
  }

  struct Row {
    const char *name;
    size_t inputs;
    const char *wanted;
  };
  const Row rows[] = {{"softmax", 1, "X, Y"},
                      {"layer-norm", 3, "X, scale, shift, Y"},
                      {"rms-norm", 2, "X, scale, Y"},
                      {"bias-gelu", 2, "X, bias, Y"},
                      {"gelu", 1, "X, Y"},
                      {"copy", 1, "X, Y"}};
  for (const Row &row : rows) {
    if (op != row.name)
      continue;
    plan.n = plan.output.shape.back();
    plan.m = plan.output.elements() / plan.n;
    plan.inputScale = 4;
    if (in.size() != row.inputs || in[0].shape != plan.output.shape)
      return fail(row.wanted);
    for (size_t i = 1; i < in.size(); ++i)
      if (in[i].elements() != plan.n)
        return fail(row.wanted);
    return true;
  }
  error = "no operation is called '" + op +
          "'; gemm, softmax, layer-norm, rms-norm, bias-gelu, gelu and copy "
          "are";
  return false;
}

double GpuCase::flops() const {
  return isGemm() ? 2.0 * batch * m * n * k : 0.0;
}

double GpuCase::bytes() const {
  double total = output.bytes();
  for (const BufferType &type : inputs)
    total += type.bytes();
  return total;
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

static double gelu(double x) { return 0.5 * x * (1 + std::erf(x * M_SQRT1_2)); }

void bench::referenceRows(const GpuCase &plan,
                          const std::vector<HostBuffer> &inputs,
                          std::vector<double> &reference) {
  const double epsilon = 1e-5;
  reference.resize(plan.output.elements());
  parallelFor(plan.m, [&](int64_t begin, int64_t end) {
    std::vector<double> x(plan.n);
    for (int64_t row = begin; row < end; ++row) {
      double *y = reference.data() + row * plan.n;
      double largest = -INFINITY, sum = 0, squares = 0;
      for (int64_t j = 0; j < plan.n; ++j) {
        x[j] = inputs[0].at(row * plan.n + j);
        largest = std::max(largest, x[j]);
        sum += x[j];
        squares += x[j] * x[j];
      }
      double mean = sum / plan.n, variance = 0;
      if (plan.op == "softmax") {
        double total = 0;
        for (int64_t j = 0; j < plan.n; ++j)
          total += y[j] = std::exp(x[j] - largest);
        for (int64_t j = 0; j < plan.n; ++j)
          y[j] /= total;
      } else if (plan.op == "layer-norm") {
        for (int64_t j = 0; j < plan.n; ++j)
          variance += (x[j] - mean) * (x[j] - mean);
        double scale = 1 / std::sqrt(variance / plan.n + epsilon);
        for (int64_t j = 0; j < plan.n; ++j)
          y[j] = (x[j] - mean) * scale * inputs[1].at(j) + inputs[2].at(j);
      } else if (plan.op == "rms-norm") {
        double scale = 1 / std::sqrt(squares / plan.n + epsilon);
        for (int64_t j = 0; j < plan.n; ++j)
          y[j] = x[j] * scale * inputs[1].at(j);
      } else if (plan.op == "bias-gelu") {
        for (int64_t j = 0; j < plan.n; ++j)
          y[j] = gelu(x[j] + inputs[1].at(j));
      } else if (plan.op == "gelu") {
        for (int64_t j = 0; j < plan.n; ++j)
          y[j] = gelu(x[j]);
      } else {
        std::copy(x.begin(), x.end(), y);
      }
    }
  });
}

void bench::finishProduct(const GpuCase &plan,
                          const std::vector<HostBuffer> &inputs,
                          std::vector<double> &reference) {
  bool bias = inputs.size() == 3;
  if (!bias && plan.epilogue == "none")
    return;
  parallelFor(plan.batch * plan.m, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row)
      for (int64_t j = 0; j < plan.n; ++j) {
        double &y = reference[row * plan.n + j];
        if (bias)
          y += inputs[2].at(j);
        y = plan.epilogue == "gelu"   ? gelu(y)
            : plan.epilogue == "relu" ? std::max(y, 0.0)
                                      : y;
      }
  });
}

double bench::dotProduct(const GpuCase &plan,
                         const std::vector<HostBuffer> &inputs, int64_t batch,
                         int64_t row, int64_t column) {
  double sum = 0;
  for (int64_t k = 0; k < plan.k; ++k)
    sum +=
        inputs[0].at((batch * plan.m + row) * plan.k + k) *
        inputs[1].at(plan.transposeB ? (batch * plan.n + column) * plan.k + k
                                     : (batch * plan.k + k) * plan.n + column);
  return sum;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

Comparison bench::compare(const GpuCase &plan, const HostBuffer &output,
                          const std::vector<double> &reference) {
  // Half an ulp of the output's type (all of one, as the value may lie near a
  // power of two or a tie), and what f32 sums of k products, each at most
  // scale squared and cut off rather than rounded by tensor cores, may lose.
  // Rows: a dozen f32 operations of a few ulp each.
  double relative = output.type.element == ElementType::f16    ? 0x1p-10
                    : output.type.element == ElementType::bf16 ? 0x1p-7
                                                               : 1e-5;
  double absolute = plan.isGemm() ? 2e-7 * double(plan.k) : 1e-6;
  if (plan.op == "softmax")
    absolute = 1e-7;
  if (plan.op == "copy")
    relative = absolute = 0;
  std::mutex mutex;
  Comparison result;
  result.elements = plan.output.elements();
  double difference = 0, norm = 0;
  parallelFor(result.elements, [&](int64_t begin, int64_t end) {
    Comparison part;
    double d2 = 0, r2 = 0;
    for (int64_t i = begin; i < end; ++i) {
      double got = output.at(i), expected = reference[i];
      double off = std::fabs(got - expected);
      d2 += off * off;
      r2 += expected * expected;
      double allowed = absolute + relative * std::fabs(expected);
      double share = off == 0 ? 0 : off / allowed;
      if (share <= 1) { // False for NaN.
        part.worst = std::max(part.worst, share);
        continue;
      }
      if (part.wrong++ == 0) {
        part.first = i;
        part.expected = expected;
        part.got = got;
      }
      part.worst = std::isnan(share) ? INFINITY : std::max(part.worst, share);
    }
    std::lock_guard<std::mutex> lock(mutex);
    difference += d2;
    norm += r2;
    result.worst = std::max(result.worst, part.worst);
    result.wrong += part.wrong;
    if (part.wrong && (result.first < 0 || part.first < result.first)) {
      result.first = part.first;
      result.expected = part.expected;
      result.got = part.got;
    }
  });
  result.frobenius = std::sqrt(difference / norm);
  return result;
}

std::string Comparison::text() const {
  char text[256];
  if (passed())
    std::snprintf(text, sizeof text,
                  "ok, %lld elements, relative error %.1e, worst %.2f of the "
                  "tolerance",
                  (long long)elements, frobenius, worst);
  else
    std::snprintf(text, sizeof text,
                  "WRONG, %lld of %lld elements beyond the tolerance, first "
                  "%lld: expected %g, got %g; relative error %.1e",
                  (long long)wrong, (long long)elements, (long long)first,
                  expected, got, frobenius);
  return text;
}
