// Writes random CUDA programs of kernels whose lanes exchange values in step by volatile shared memory, in branches, loops and
// functions by which they part, for the pass src/port/passes/thread_steps.cpp: random_steps SEED COUNT. What each kernel must
// give is computed here: of a warp's lanes those go on, to their next access, that are at the least place of the text. Which
// statements a lane comes to depends on its number alone, so that each lane's exchanges are listed first.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "port/random_program/random_numbers.hpp"

namespace {

constexpr unsigned lanes = 32;

/// (t * a + b [+ the counter of a loop]) % m < c, where t is the lane.
struct Condition {
  unsigned a, b, m, c;
  int counter;  ///< -1: none

  [[nodiscard]] bool holds(unsigned t, const std::vector<unsigned>& counters) const {
    return (t * a + b + (counter < 0 ? 0 : counters[static_cast<std::size_t>(counter)])) % m < c;
  }
  [[nodiscard]] std::string text() const {
    return "(t * " + std::to_string(a) + " + " + std::to_string(b) + (counter < 0 ? "" : " + k" + std::to_string(counter)) +
           ") % " + std::to_string(m) + " < " + std::to_string(c);
  }
};

struct Statement {
  enum class Kind : std::uint8_t { exchange, branch, counted, endless, skip, leave, back, call };
  Kind kind = Kind::exchange;
  unsigned position = 0;  ///< of an exchange in the text: its load, and one more, its store
  unsigned distance = 0, added = 0;
  Condition condition{};
  int number = 0;         ///< of a loop's counter, or of a function
  unsigned a = 0, m = 1;  ///< (t * a) % m turns of a loop
  std::vector<Statement> first, second;
};
using Kind = Statement::Kind;
using Block = std::vector<Statement>;

/// Makes the text of a kernel and what its lanes do.
class Kernel {
 public:
  Kernel(phpc::test::RandomNumbers& random, std::string name) : random_(random), name_(std::move(name)) {
    body_ = block({.depth = 3}, 3 + below(4));
  }

  [[nodiscard]] std::string text() const {
    std::string all;
    for (std::size_t number = 0; number < functions_.size(); ++number) {
      all += "__device__ void " + function(static_cast<int>(number)) + "(volatile unsigned* s, unsigned t) {\n" +
             text_of(functions_[number]) + "}\n";
    }
    return all + "__device__ void " + name_ + "_body(volatile unsigned* s, unsigned t) {\n" + text_of(body_) +
           "}\n__global__ void " + name_ +
           "(unsigned* out) {\n  volatile __shared__ unsigned s[32];\n  const unsigned t = threadIdx.x;\n  s[t] = t;\n  " +
           name_ + "_body(s, t);\n  out[t] = s[t];\n}\n";
  }

  /// What the lanes have at last.
  [[nodiscard]] std::array<unsigned, lanes> results() const {
    std::array<std::vector<const Statement*>, lanes> ways;
    std::array<std::size_t, lanes> done{};  // half exchanges
    std::array<unsigned, lanes> numbers{};
    std::array<unsigned, lanes> loaded{};
    for (unsigned t = 0; t < lanes; ++t) {
      numbers[t] = t;
      std::vector<unsigned> counters(static_cast<std::size_t>(counters_));
      (void)follow(body_, t, counters, ways[t]);
    }
    constexpr unsigned none = ~0U;
    const auto place = [&](unsigned t) {
      return done[t] / 2 == ways[t].size() ? none : ways[t][done[t] / 2]->position + static_cast<unsigned>(done[t] % 2);
    };
    for (;;) {
      unsigned least = none;
      for (unsigned t = 0; t < lanes; ++t) {
        least = std::min(least, place(t));
      }
      if (least == none) {
        return numbers;
      }
      for (unsigned t = 0; t < lanes; ++t) {
        if (place(t) == least) {
          const Statement& one = *ways[t][done[t] / 2];
          if (done[t]++ % 2 == 0) {
            loaded[t] = numbers[(t + one.distance) % lanes];
          } else {
            numbers[t] = loaded[t] * 3 + one.added;
          }
        }
      }
    }
  }

 private:
  /// Where a statement stands.
  struct Place {
    int depth = 0;
    bool is_in_loop = false;
    bool is_in_function = false;
    std::vector<int> counters{};  // NOLINT(readability-redundant-member-init): for designated initialisers
  };
  enum class Way : std::uint8_t { on, skipped, left, back };

  unsigned below(unsigned most) { return static_cast<unsigned>(random_.below(static_cast<int>(most))); }

  Condition condition(const Place& place) {
    const std::size_t count = place.counters.size();
    const bool is_counted = count > 0 && below(5) < 3;
    const int counter = is_counted ? place.counters[below(static_cast<unsigned>(count))] : -1;
    return {.a = below(6) + 1, .b = below(7), .m = below(4) + 2, .c = below(3) + 1, .counter = counter};
  }

  Block block(const Place& place, unsigned count) {
    Block made;
    for (unsigned one = 0; one < count; ++one) {
      made.push_back(statement(place));
    }
    return made;
  }

  Statement statement(const Place& place) {
    Statement made;
    const unsigned chosen = place.depth == 0 ? 0 : below(100);
    Place inner = place;
    --inner.depth;
    if (chosen < 40) {
      made.position = position_;
      position_ += 2;
      made.distance = below(lanes);
      made.added = below(100);
    } else if (chosen < 60) {
      made.kind = Kind::branch;
      made.condition = condition(place);
      made.first = block(inner, below(3) + 1);
      made.second = block(inner, below(2) * (below(3) + 1));
    } else if (chosen < 85) {
      made.kind = chosen < 73 ? Kind::counted : Kind::endless;
      made.number = counters_++;
      made.a = below(5) + 1;
      made.m = below(5) + 1;
      inner.counters.push_back(made.number);
      if (made.kind == Kind::endless) {  // where it ends stands first
        made.second = block(inner, below(2));
      }
      inner.is_in_loop = true;
      made.first = block(inner, below(3) + 1);
    } else if (chosen < 94) {
      made.kind = !place.is_in_loop || chosen >= 91 ? Kind::back : chosen < 88 ? Kind::skip : Kind::leave;
      made.condition = condition(place);
      made.first = block(inner, below(2));
    } else if (!place.is_in_function) {
      made.kind = Kind::call;
      Block body = block({.depth = 2, .is_in_function = true}, below(3) + 1);
      made.number = static_cast<int>(functions_.size());
      functions_.push_back(std::move(body));
    } else {
      return statement({});
    }
    return made;
  }

  [[nodiscard]] std::string function(int number) const { return name_ + "_" + std::to_string(number); }

  [[nodiscard]] std::string text_of(const Block& block) const {
    std::string all;
    for (const Statement& one : block) {
      const std::string k = "k" + std::to_string(one.number);
      const std::string turns = "t * " + std::to_string(one.a) + " % " + std::to_string(one.m);
      switch (one.kind) {
        case Kind::exchange:
          all += "s[t] = s[(t + " + std::to_string(one.distance) + ") % 32] * 3 + " + std::to_string(one.added) + ";\n";
          break;
        case Kind::branch:
          all += "if (" + one.condition.text() + ") {\n" + text_of(one.first) +
                 (one.second.empty() ? "}\n" : "} else {\n" + text_of(one.second) + "}\n");
          break;
        case Kind::counted:
          all += "for (unsigned " + k + " = 0; " + k + " < " + turns + "; ++" + k + ") {\n" + text_of(one.first) + "}\n";
          break;
        case Kind::endless:
          all += "for (unsigned " + k + " = 0;; ++" + k + ") {\nif (" + k + " >= " + turns + ") {\n" + text_of(one.second) +
                 "break;\n}\n" + text_of(one.first) + "}\n";
          break;
        case Kind::skip:
        case Kind::leave:
        case Kind::back:
          all += "if (" + one.condition.text() + ") {\n" + text_of(one.first) +
                 (one.kind == Kind::skip    ? "continue"
                  : one.kind == Kind::leave ? "break"
                                            : "return") +
                 ";\n}\n";
          break;
        case Kind::call:
          all += function(one.number) + "(s, t);\n";
          break;
      }
    }
    return all;
  }

  /// Lists the exchanges that a lane makes. Returns how it goes on.
  Way follow(const Block& block, unsigned t, std::vector<unsigned>& counters, std::vector<const Statement*>& way) const {
    for (const Statement& one : block) {
      Way next = Way::on;
      if (one.kind == Kind::exchange) {
        way.push_back(&one);
      } else if (one.kind == Kind::branch) {
        next = follow(one.condition.holds(t, counters) ? one.first : one.second, t, counters, way);
      } else if (one.kind == Kind::call) {
        (void)follow(functions_[static_cast<std::size_t>(one.number)], t, counters, way);
      } else if (one.kind == Kind::counted || one.kind == Kind::endless) {
        unsigned& counter = counters[static_cast<std::size_t>(one.number)];
        for (counter = 0; counter < t * one.a % one.m && (next == Way::on || next == Way::skipped); ++counter) {
          next = follow(one.first, t, counters, way);
        }
        if (next != Way::left && next != Way::back) {
          next = follow(one.second, t, counters, way);
        }
        next = next == Way::back ? next : Way::on;
      } else if (one.condition.holds(t, counters)) {
        next = follow(one.first, t, counters, way);
        const Way own = one.kind == Kind::skip ? Way::skipped : one.kind == Kind::leave ? Way::left : Way::back;
        next = next == Way::on ? own : next;
      }
      if (next != Way::on) {
        return next;
      }
    }
    return Way::on;
  }

  phpc::test::RandomNumbers& random_;
  std::string name_;
  Block body_;
  std::vector<Block> functions_;
  unsigned position_ = 0;
  int counters_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: random_steps SEED COUNT\nprints a CUDA program of COUNT kernels that checks itself\n";
    return 2;
  }
  const std::uint64_t seed = std::strtoull(arguments[1], nullptr, 10);
  const int kernels = std::atoi(arguments[2]);
  phpc::test::RandomNumbers random(seed);
  std::string checks;
  std::cout << "// random_steps " << seed << " " << kernels << "\n#include <cstdio>\n#include <cuda_runtime.h>\n";
  for (int number = 0; number < kernels; ++number) {
    const std::string name = "kernel" + std::to_string(number);
    const Kernel kernel(random, name);
    std::cout << kernel.text();
    checks += "  {\n    static const unsigned expected[32] = {";
    for (const unsigned result : kernel.results()) {
      checks += std::to_string(result) + "u, ";
    }
    checks += "};\n    " + name + "<<<1, 32>>>(memory);\n    failed += differs(\"" + name + "\", memory, expected);\n  }\n";
  }
  std::cout << "static int differs(const char* name, const unsigned* memory, const unsigned* expected) {\n  unsigned got[32];\n"
               "  cudaMemcpy(got, memory, sizeof(got), cudaMemcpyDeviceToHost);\n  int bad = 0;\n"
               "  for (int t = 0; t < 32; ++t) bad += got[t] != expected[t];\n"
               "  if (bad != 0) printf(\"%s: %d lanes differ\\n\", name, bad);\n  return bad != 0;\n}\n"
               "int main() {\n  unsigned* memory;\n  cudaMalloc(&memory, 128);\n  int failed = 0;\n"
            << checks << "  printf(failed == 0 ? \"PASS " << kernels
            << "\\n\" : \"FAIL %d\\n\", failed);\n  return failed != 0;\n}\n";
  return 0;
}
