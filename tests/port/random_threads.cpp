// Writes random CUDA programs of kernels whose threads are independent, for the pass that runs these in the lanes of vectors
// (src/port/passes/thread_lanes.cpp): random_threads SEED COUNT. A thread's work is a function that the program's main also calls
// for one thread after another, and compares with what the kernel made, bit by bit.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>

#include "port/random_program/random_numbers.hpp"

namespace {

/// Writes the text of one thread's function. Unsigned numbers a, b, c and floating point numbers u, v are a thread's own, as is
/// the array t; i is its number, n the number of threads with work, m a number that all share.
class ThreadText {
 public:
  explicit ThreadText(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const bool has_array = random_.below(2) == 0;
    arrays_ = has_array;
    std::string all = "  if (i >= n) return;\n";
    all += "  unsigned a = i * " + number(9) + "u + m, b = in[i], c = " + number(99) + "u;\n";
    all += "  REAL u = f[i], v = (REAL)(a & 255u);\n";
    if (has_array) {
      all += random_.below(2) == 0 ? "  unsigned t[8] = {};\n"
                                   : "  unsigned t[8];\n  for (unsigned k = 0; k < 8; k++) t[k] = in[k] + k * m;\n";
    }
    if (random_.below(4) == 0) {  // what is written must not be written again when lanes part
      all += left_together("together") + "if (i < " + number(1013) + "u) {\n" + statements(1, 1) + "}\n";
    }
    all += statements(2, 2 + static_cast<int>(random_.below(4)));
    all += "  out[i] = a ^ b * 3u ^ c * 5u" + std::string(has_array ? " ^ t[a & 7u] ^ t[3]" : "") + ";\n  g[i] = u + v;\n";
    return all;
  }

 private:
  std::string number(unsigned most) { return std::to_string(random_.below(most) + 1); }

  std::string own_integer() { return std::string(1, "abc"[random_.below(3)]); }
  std::string own_real() { return std::string(1, "uv"[random_.below(2)]); }

  std::string integer(int depth) {
    switch (depth <= 0 ? random_.below(4) : random_.below(19)) {
      case 17:
      case 18:
        return of_parts(depth - 1);
      case 0:
      case 1:
        return own_integer();
      case 2:
        return number(50) + "u";
      case 3:
        return random_.below(2) == 0 ? "i" : "m";
      case 4:
        return "in[i]";
      case 5:
        return "in[i + " + number(64) + "u]";
      case 6:
        return "in[(" + integer(depth - 1) + ") & 511u]";
      case 7:
        return "in[" + number(8) + "u * i + " + number(8) + "u]";
      case 8:
        return "(" + integer(depth - 1) + " / (" + integer(depth - 1) + " | 1u))";
      case 9:
        return "(" + integer(depth - 1) + " >> (" + integer(depth - 1) + " & 31u))";
      case 10:
        return arrays_ ? "t[" + (random_.below(2) == 0 ? number(7) + "u" : "(" + integer(depth - 1) + ") & 7u") + "]"
                       : own_integer();
      case 11:
        return "(unsigned)((int)" + integer(depth - 1) + " >> 3)";
      case 13:
        return "mix(" + integer(depth - 1) + ", " + own_integer() + ")";
      case 14:
      case 15:
        return near_limits(depth - 1);
      case 12:
        return "(" + condition(depth - 1) + " ? " + integer(depth - 1) + " : " + integer(depth - 1) + ")";
      default:
        return "(" + integer(depth - 1) + std::string(1, " +-*^&"[1 + random_.below(5)]) + integer(depth - 1) + ")";
    }
  }

  /// Quotients and rests, also of the thread's number: signed, narrow and wide; and bytes and half words of tables.
  std::string of_parts(int depth) {
    const std::string divisor = random_.below(2) == 0 ? "m" : "(" + integer(depth) + " | 1u)";
    switch (random_.below(8)) {
      case 0:
        return "in[i / m * m + i % m]";
      case 1:
        return "in[(i >> 4) * 32u + (i & 15u) + " + number(9) + "u]";
      case 2:
        return "(unsigned)((int)" + integer(depth) + (random_.below(2) == 0 ? " / " : " % ") + "(int)(" + divisor +
               " & 4095u | 1u))";
      case 3:
        return "(unsigned)((int)" + integer(depth) + " / -(int)(" + divisor + " & 255u | 1u))";
      case 4:
        return "(unsigned)(((unsigned long long)" + integer(depth) + " << " + number(30) + ") " +
               (random_.below(2) == 0 ? "/ " : "% ") + divisor + ")";
      case 5:
        return "(unsigned)((unsigned short)" + integer(depth) + " / (unsigned short)(" + integer(depth) + " | 1u))";
      case 6:
        return "(unsigned)((const unsigned char*)in)[" + integer(depth) + " & 1023u]";
      default:
        return "(unsigned)((const short*)in)[" + integer(depth) + " & 1023u]";
    }
  }

  /// Indices that wrap or are out of bounds for some threads, narrow types, and bools.
  std::string near_limits(int depth) {
    const std::string far = number(1013) + "u";
    switch (random_.below(6)) {
      case 0:
        return "(i >= " + far + " ? in[i - " + far + "] : " + integer(depth) + ")";
      case 1:
        return "(unsigned)(((unsigned long long)(i - " + far + ") - (unsigned long long)i) >> 32)";
      case 2:
        return "(unsigned)((signed char)" + integer(depth) + " * (short)" + integer(depth) + ")";
      case 3:
        return "(unsigned)((const unsigned char*)in)[i + " + far + "]";
      case 4:
        return "(unsigned)((unsigned long long)" + integer(depth) + " * " + integer(depth) + " >> 29)";
      default:
        return "((unsigned)(" + condition(depth) + ") ^ (unsigned)(" + condition(depth) + "))";
    }
  }

  std::string real(int depth) {
    switch (depth <= 0 ? random_.below(3) : random_.below(10)) {
      case 0:
      case 1:
        return own_real();
      case 2:
        return "(REAL)" + number(9);
      case 3:
        return "(REAL)((" + integer(depth - 1) + ") & 1023u)";
      case 4:
        return "f[i + " + number(9) + "u]";
      case 5:
        return "f[(" + integer(depth - 1) + ") & 511u]";
      case 8:
        return "ERF(" + real(depth - 1) + ")";
      case 6:
        return "SQRT(" + real(depth - 1) + " * " + real(depth - 1) + " + (REAL)1)";
      case 7:
        return "(" + real(depth - 1) + " / (" + real(depth - 1) + " * (REAL)0.25 + (REAL)4099))";
      default:
        return "(" + real(depth - 1) + (random_.below(2) == 0 ? " + " : " - ") + real(depth - 1) + " * (REAL)0.125)";
    }
  }

  std::string condition(int depth) {
    switch (random_.below(5)) {
      case 4:  // of indices alone
        return random_.below(2) == 0 ? "i < " + number(1013) + "u" : "i == " + number(1013) + "u";
      case 0:
        return real(depth) + " < " + real(depth);
      case 1:
        return "(" + integer(depth) + " & " + number(7) + "u) == 1u";
      case 2:
        return "m > " + number(20) + "u";
      default:
        return integer(depth) + " < " + integer(depth);
    }
  }

  std::string statements(int depth, int count) {
    std::string all;
    for (int statement = 0; statement < count; ++statement) {
      all += one(depth);
    }
    return all;
  }

  std::string one(int depth) {
    const std::string index = "k" + std::to_string(names_++);
    switch (depth <= 0 ? random_.below(4) : random_.below(16)) {
      case 0:
      case 1:
        return own_integer() + " = " + integer(2) + ";\n";
      case 2:
        return own_real() + " = " + real(2) + " * (REAL)0.5;\n";
      case 3:
        return arrays_ && random_.below(2) == 0
                   ? "t[(" + integer(1) + ") & 7u] = " + integer(1) + ";\n"
                   : "out[i + " + number(3) + "u * 4096u] " + (random_.below(2) == 0 ? "+" : "") + "= " + integer(2) + ";\n";
      case 4:
        return "if (" + condition(1) + ") {\n" + statements(depth - 1, 2) + "}\n";
      case 5:
        return "if (" + condition(1) + ") {\n" + statements(depth - 1, 2) + "} else {\n" + statements(depth - 1, 1) + "}\n";
      case 6:
        return "for (unsigned " + index + " = 0; " + index + " < m; " + index + "++) {\n" + own_integer() + " += in[" + index +
               " * n + i] * " + index + ";\n" + statements(depth - 1, 2) + "}\n";
      case 7:
        return "for (int " + index + " = " + number(4) + "; " + index + " < 9; " + index + "++) {\n" + own_real() + " += f[" +
               index + "] * (REAL)0.01;\n" + statements(depth - 1, 2) + "}\n";
      case 11:  // what is written must not be written again when lanes part
        return "out[i + " + number(3) + "u * 4096u] += " + integer(1) + ";\nif (i < " + number(1013) + "u) {\n" +
               statements(depth - 1, 1) + "}\n";
      case 8:  // lanes leave one by one
        return "for (unsigned " + index + " = " + integer(1) + " & 7u; " + index + " < 9u; " + index + "++) {\n" + own_integer() +
               " ^= " + index + ";\n" + statements(depth - 1, 2) + "}\n";
      case 9:
        return "{\nunsigned " + index + " = 0;\ndo {\n" + statements(depth - 1, 2) + "} while (++" + index + " < ((" +
               integer(1) + ") & 7u));\n}\n";
      case 12:
      case 13:
      case 14:
        return rare(depth, index);
      default:  // over the grid
        return "for (unsigned " + index + " = i; " + index + " < n; " + index + " += 700u) {\n" + own_integer() + " += in[" +
               index + "];\nout[" + index + " % 700u + i / 700u * 700u + 4u * 4096u] = " + own_integer() + ";\n}\n";
    }
  }

  /// A loop that threads leave together in its middle, and that writes behind that.
  std::string left_together(const std::string& index) {
    return "for (unsigned " + index + " = 0;; " + index + "++) {\nif ((in[" + index + "] & 2u) != 0u) {\n" + own_integer() +
           " += in[" + index + "];\n} else if ((in[" + index + "] & 4u) != 0u) {\n" + own_integer() + " ^= " + integer(1) +
           ";\n}\nif ((in[" + index + "] & 1u) != 0u) break;\nout[i + " + number(3) + "u * 4096u] += " + integer(1) + ";\n}\n";
  }

  /// Calls that write a thread's own numbers, divisors of zero beside a condition, switches, returns, breaks.
  std::string rare(int depth, const std::string& index) {
    switch (random_.below(arrays_ ? 12 : 11)) {
      case 10:  // the order of threads does not change what is there in the end
        return random_.below(2) == 0 ? "atomicAdd(&out[i % 64u + 7u * 4096u + 512u], " + integer(1) + ");\n"
                                     : own_integer() + " += atomicAdd(&out[i + 7u * 4096u + 1024u], " + integer(1) + ");\n";
      case 9: {  // rows of two or four numbers, one after another
        const unsigned width = random_.below(2) == 0 ? 2 : 4;
        const unsigned first = static_cast<unsigned>(random_.below(width));
        std::string all;
        for (unsigned place = 0; place < width; ++place) {
          all += "out[" + std::to_string(width) + "u * i + " + std::to_string((first + place) % width) + "u + " +
                 (width == 2 ? "6u" : "9u") + " * 4096u] = " + integer(place == 2 ? 2 : 0) + ";\n";
        }
        return all;
      }
      case 6:  // a loop that threads leave in several ways, one of them through a loop around it
        return "for (unsigned " + index + " = 0; " + index + " < " + number(5) + "u; " + index + "++) {\nunsigned w" + index +
               " = a & 15u;\nwhile (w" + index + " != 0u) {\nif (" + condition(1) + ") break;\nb += w" + index + ";\nif (" +
               condition(0) + ") {\nout[i] = b;\ng[i] = u;\nreturn;\n}\n" + one(depth - 2) + "w" + index + " >>= 1;\n}\n" +
               one(depth - 1) + "if (" + condition(1) + ") continue;\n" + statements(depth - 1, 1) + "}\n";
      case 7:
        return "if (" + condition(1) + ") {\nfor (unsigned " + index + " = in[i] & 3u; " + index + " < (in[i + 1u] & 15u); " +
               index + "++) {\n" + own_integer() + " += in[" + index + " + m * 2u] + in[" + index + " * 64u + i];\n" +
               statements(depth - 1, 1) + "}\n}\n";
      case 8:
        return own_integer() + " += count(" + integer(1) + ", m, in, " + own_integer() + ");\n";
      case 0:  // the disjoint `or` is a sum in these threads only
        return "out[i + 4096u] += a;\nif ((i & 1u) == 0u) out[(i | 1u) + 5u * 4096u] = " + integer(1) + ";\n";
      case 1:
        return "split(" + integer(1) + ", a, b);\n";
      case 2: {  // no divisor is zero where the division is
        const std::string divisor = "d" + index;
        return "{\nunsigned " + divisor + " = " + integer(1) + " & 3u;\nif (" + divisor + " != 0u) c += " + integer(1) + " / " +
               divisor + " - a % " + divisor + ";\n}\n";
      }
      case 3:
        return "switch (" + (random_.below(2) == 0 ? std::string("m") : integer(1)) + " & 3u) {\ncase 0: " + one(0) +
               "break;\ncase 1: " + one(0) + "case 2: " + one(0) + "break;\ndefault: " + one(0) + "}\n";
      case 4:
        return "if (" + condition(1) + ") {\nout[i] = a;\ng[i] = v;\nreturn;\n}\n";
      case 5:
        return "for (unsigned " + index + " = 0; " + index + " < 9u; " + index + "++) {\nif (" + condition(1) +
               (random_.below(2) == 0 ? ") break;\n" : ") continue;\n") + statements(depth - 1, 1) + "}\n";
      default:
        return "memset(t, (int)" + integer(0) + ", sizeof(t));\n";
    }
  }

  phpc::test::RandomNumbers random_;
  bool arrays_ = false;
  int names_ = 0;
};

void print_kernel(std::uint64_t seed, int kernel) {
  const std::string name = std::to_string(kernel);
  const bool wide = kernel % 3 == 2;
  const std::string parameters = "(unsigned n, unsigned m, const unsigned* in, const REAL* f, unsigned* out, REAL* g) {\n";
  std::cout << "#define REAL " << (wide ? "double" : "float") << "\n#define SQRT " << (wide ? "sqrt" : "sqrtf")
            << "\n#define ERF " << (wide ? "erf" : "erff")
            << "\n__host__ __device__ inline __attribute__((always_inline)) void thread" << name << "(unsigned i, "
            << parameters.substr(1) << ThreadText(seed * 1000 + static_cast<std::uint64_t>(kernel)).text()
            << "}\n__global__ void kernel" << name << parameters << "  thread" << name
            << "(blockIdx.x * blockDim.x + threadIdx.x, n, m, in, f, out, g);\n}\n"
            << "__attribute__((noinline)) void plain" << name << parameters
            << "#pragma clang loop vectorize(disable)\n  for (unsigned i = 0; i < n; i++) thread" << name
            << "(i, n, m, in, f, out, g);\n}\n#undef REAL\n#undef SQRT\n#undef ERF\n";
}

/// What compares a kernel with the plain loop.
constexpr const char* comparison =
    R"(template <class R, class K, class P> bool same(K launch, P plain) {
  constexpr unsigned n = 1013, m = 7, words = 10 * 4096;
  std::vector<unsigned> in(16384), out(words, 1u), out2(words, 1u);
  std::vector<R> f(2048), g(n), g2(n);
  unsigned x = 12345;
  for (auto& one : in) one = (x = x * 1664525u + 1013904223u) >> 8;
  for (auto& one : f) one = (R)((x = x * 1664525u + 1013904223u) >> 20) / (R)64;
  unsigned *in_d, *out_d;
  R *f_d, *g_d;
  cudaMalloc(&in_d, 4 * in.size());
  cudaMalloc(&out_d, 4 * words);
  cudaMalloc(&f_d, sizeof(R) * f.size());
  cudaMalloc(&g_d, sizeof(R) * n);
  cudaMemcpy(in_d, in.data(), 4 * in.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(out_d, out.data(), 4 * words, cudaMemcpyHostToDevice);
  cudaMemcpy(f_d, f.data(), sizeof(R) * f.size(), cudaMemcpyHostToDevice);
  cudaMemcpy(g_d, g.data(), sizeof(R) * n, cudaMemcpyHostToDevice);
  launch(n, m, in_d, f_d, out_d, g_d);
  cudaMemcpy(out.data(), out_d, 4 * words, cudaMemcpyDeviceToHost);
  cudaMemcpy(g.data(), g_d, sizeof(R) * n, cudaMemcpyDeviceToHost);
  cudaFree(in_d);
  cudaFree(out_d);
  cudaFree(f_d);
  cudaFree(g_d);
  plain(n, m, in.data(), f.data(), out2.data(), g2.data());
  return out == out2 && std::memcmp(g.data(), g2.data(), sizeof(R) * n) == 0;
}
)";

void print_call(int kernel) {
  const std::string type = kernel % 3 == 2 ? "double" : "float";
  const int block = kernel % 4 == 1 ? 100 : kernel % 4 == 3 ? 37 : 256;
  std::cout << "  if (!same<" << type << ">([](unsigned n, unsigned m, const unsigned* in, const " << type
            << "* f, unsigned* out, " << type << "* g) { kernel" << kernel << "<<<(n + " << block - 1 << ") / " << block << ", "
            << block << ">>>(n, m, in, f, out, g); }, plain" << kernel << ")) {\n    printf(\"kernel" << kernel
            << " differs\\n\");\n    ++failed;\n  }\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: random_threads SEED COUNT\nprints a CUDA program of COUNT kernels that checks itself\n";
    return 2;
  }
  const std::uint64_t seed = std::strtoull(arguments[1], nullptr, 10);
  const int kernels = std::atoi(arguments[2]);
  std::cout << "// random_threads " << seed << " " << kernels
            << "\n#include <cmath>\n#include <cstdio>\n#include <cstring>\n#include <vector>\n#include <cuda_runtime.h>\n"
               "__host__ __device__ __attribute__((noinline)) unsigned mix(unsigned x, unsigned y) { return (x ^ y >> 7) * "
               "2654435761u + y; }\n__host__ __device__ __attribute__((noinline)) void split(unsigned x, unsigned& low, "
               "unsigned& high) "
               "{ low += x & 65535u; high ^= x >> 16; }\n"
               "__host__ __device__ unsigned count(unsigned x, unsigned m, const unsigned* in, unsigned& last) {\n  unsigned "
               "found = 0;\n"
               "  for (unsigned k = 0; k < m; k++) {\n    if (in[(x + k) & 1023u] % 5u == 3u) return found + k;\n"
               "    last ^= in[k];\n    found += last & 1u;\n  }\n  return found;\n}\n";
  for (int kernel = 0; kernel < kernels; ++kernel) {
    print_kernel(seed, kernel);
  }
  std::cout << comparison << "int main() {\n  int failed = 0;\n";
  for (int kernel = 0; kernel < kernels; ++kernel) {
    print_call(kernel);
  }
  std::cout << "  printf(failed == 0 ? \"PASS " << kernels << "\\n\" : \"FAIL %d\\n\", failed);\n  return failed != 0;\n}\n";
  return 0;
}
