// The interpreter of random programs, inside: a block's threads go through the tree in lockstep, each statement with the threads
// that are there.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "port/random_program/ast.hpp"

namespace phpc::test {

using Threads = std::vector<int>;  ///< ranks in the block, in order
using Bits = std::uint32_t;

inline Bits bits_of(float value) {
  return std::bit_cast<Bits>(value);
}
inline float real_of(Bits bits) {
  return std::bit_cast<float>(bits);
}
inline std::int32_t integer_of(Bits bits) {
  return static_cast<std::int32_t>(bits);
}

/// An element of an array in memory, with who touched it since the last barrier.
struct Cell {
  Bits value = 0;
  int writer = -1, reader = -1;  // reader -2: several
  long written = -1, read = -1;  // epochs
};

/// `a` op `b`, with the guards of divisions and shifts that the printed programs have.
[[nodiscard]] Bits combine(char op, Type type, Bits a, Bits b);

/// Runs one kernel.
class Interpreter {
 public:
  Interpreter(const Program& program, const Kernel& kernel)
      : program_(program),
        kernel_(kernel),
        size_(static_cast<int>(kernel.threads_per_block())),
        values_(program.variables.size()) {
    for (std::size_t v = 0; v < values_.size(); ++v) {
      aliases_.emplace_back(program.variables[v].target, program.variables[v].target_element);
    }
    for (std::size_t a = 0; a < program.arrays.size(); ++a) {
      bound_.push_back(static_cast<int>(a));
    }
    const std::uint32_t all = kernel.blocks() * kernel.threads_per_block();
    out_.resize(static_cast<std::size_t>(all) * static_cast<std::size_t>(kernel.outputs));
    for (std::uint32_t i = 0; i < all; ++i) {
      work_.push_back(work_value(i));
    }
    for (int k = 0; k < total_count; ++k) {
      totals_[k] = neutral(total_ops[k], Type::natural);
    }
  }

  std::uint64_t run() {
    for (block_ = 0; block_ < kernel_.blocks(); ++block_) {
      run_block();
    }
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const auto& words : {out_, work_, std::vector<Bits>(totals_, totals_ + total_count)}) {
      for (const Bits word : words) {
        for (int shift = 0; shift < 32; shift += 8) {
          hash = (hash ^ (word >> shift & 0xff)) * 0x100000001b3u;
        }
      }
    }
    return hash;
  }

 private:
  enum class State { running, left, going_on, returned };

  void run_block();

  /// The value of variable `id`, element `element`, in thread `t`.
  Bits& value(int id, int t, int element = 0) {
    while (program_.variables[static_cast<std::size_t>(id)].alias) {
      std::tie(id, element) = aliases_[static_cast<std::size_t>(id)];
    }
    auto& values = values_[static_cast<std::size_t>(id)];
    const int elements = std::max(1, program_.variables[static_cast<std::size_t>(id)].size);
    values.resize(static_cast<std::size_t>(elements * largest_block));
    return values[static_cast<std::size_t>(element * largest_block + t)];
  }

  Cell& cell(int array, std::uint32_t index) { return cells_[bound_[static_cast<std::size_t>(array)]][index]; }

  Bits read(int array, std::uint32_t index, int t) {
    Cell& c = cell(array, index);
    if (c.written == epoch_ && c.writer != t) {
      throw std::logic_error(kernel_.name + ": a read races with a write");
    }
    c.reader = c.read == epoch_ && c.reader != t ? -2 : t;
    c.read = epoch_;
    return c.value;
  }

  void write(int array, std::uint32_t index, int t, Bits bits) {
    Cell& c = cell(array, index);
    if ((c.written == epoch_ && c.writer != t) || (c.read == epoch_ && c.reader != t)) {
      throw std::logic_error(kernel_.name + ": a write races");
    }
    c.value = bits;
    c.writer = t;
    c.written = epoch_;
  }

  [[nodiscard]] Bits builtin(int id, int t) const;

  Bits evaluate(const Expression& e, int t);

  int element_index(const Expression& e, int t) {
    return static_cast<int>(evaluate(e.kids[0], t) % static_cast<Bits>(program_.variables[static_cast<std::size_t>(e.id)].size));
  }

  void assign(const Expression& place, int t, Bits bits) {
    if (place.kind == Expression::Kind::own) {
      write(place.id, static_cast<Bits>(t), t, bits);
    } else {
      const int element = place.kind == Expression::Kind::element ? element_index(place, t) : 0;
      value(place.id, t, element) = bits;
    }
  }

  static float folded(float real) { return static_cast<float>(static_cast<std::int32_t>(real) % 1009); }

  Threads running(const Threads& threads) const {
    Threads left;
    for (const int t : threads) {
      if (states_[static_cast<std::size_t>(t)] == State::running) {
        left.push_back(t);
      }
    }
    return left;
  }

  void run(const Body& body, Threads threads) {
    for (const Statement& statement : body) {
      threads = running(threads);
      if (threads.empty()) {
        return;
      }
      steps_ += static_cast<long>(threads.size());
      if (steps_ > most_steps) {
        throw std::logic_error(kernel_.name + ": too long");
      }
      run(statement, threads);
    }
  }

  void take_back(const Threads& threads, State state) {
    for (const int t : threads) {
      State& own = states_[static_cast<std::size_t>(t)];
      own = own == state ? State::running : own;
    }
  }

  Threads where(const Threads& threads, const Expression& condition) {
    Threads chosen;
    for (const int t : threads) {
      if (evaluate(condition, t) != 0) {
        chosen.push_back(t);
      }
    }
    return chosen;
  }

  void barrier(const Threads& threads) {
    if (threads != live_) {
      throw std::logic_error(kernel_.name + ": a barrier that not all threads reach");
    }
    ++epoch_;
  }

  void run(const Statement& s, const Threads& threads);
  void run_loop(const Statement& s, const Threads& threads);
  void run_switch(const Statement& s, const Threads& threads);
  void run_call(const Statement& s, const Threads& threads);
  void run_warps(const Statement& s, const Threads& threads);

  const Program& program_;
  const Kernel& kernel_;
  int size_;
  Bits block_ = 0;
  long epoch_ = 0;
  static constexpr long most_steps = 10'000'000;
  long steps_ = 0;
  int depth_ = 0;  // of calls of functions with barriers
  Threads live_;
  std::vector<State> states_;
  std::vector<Bits> results_;
  std::vector<std::vector<Bits>> values_;
  std::vector<std::pair<int, int>> aliases_;
  std::vector<int> bound_;
  std::map<int, std::vector<Cell>> cells_;
  std::vector<Bits> counters_, out_, work_;
  Bits totals_[total_count] = {};
};

}  // namespace phpc::test
