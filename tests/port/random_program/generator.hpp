// The generator of random programs, inside: what may be said at a place of the text, and the parts of the work.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "port/random_program/ast.hpp"
#include "port/random_program/random_numbers.hpp"

namespace phpc::test {

/// How threads run at a place of the text: all of the block, all of each warp that is there, or any.
enum class Together { block, warp, nobody };

/// Where a statement stands.
struct Place {
  Together together = Together::block;
  int depth = 0;                             ///< of nested statements
  int loops = 0;                             ///< of nested loops
  bool in_loop = false;                      ///< continue is allowed
  bool in_breakable = false;                 ///< break is allowed, and means the innermost loop
  bool in_switch = false;                    ///< between the innermost loop and here lies a switch: no break
  Together loop_together = Together::block;  ///< how threads ran at the innermost loop's body
  std::set<int> open_at_loop;                ///< arrays that all may read, when the innermost loop's body began
};

/// Makes one program.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}
  Program program(int count);

 private:
  // Names and scopes (generate.cpp).
  int declare(const std::string& prefix, Type type, int size, bool uniform, bool fixed);
  Type random_type() { return random_.chance(45) ? Type::integer : random_.chance(70) ? Type::natural : Type::real; }
  Type whole_type() { return random_.chance(50) ? Type::integer : Type::natural; }
  [[nodiscard]] std::vector<int> visible(Type type, bool uniform, bool assigned, bool arrays) const;
  Variable& variable(int id) { return program_.variables[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const Variable& variable(int id) const { return program_.variables[static_cast<std::size_t>(id)]; }
  Array& array(int id) { return program_.arrays[static_cast<std::size_t>(id)]; }

  // Expressions (generate_expressions.cpp).
  Expression constant(Type type, int value) const;
  Expression named(int id) const;
  Expression leaf(Type type, bool uniform);
  Expression value(Type type, int depth, bool uniform);
  Expression real_value(int depth, bool uniform);
  Expression condition(int depth, bool uniform);
  Expression modulo(Type type, bool uniform, int divisor);
  Expression other_element(int array, bool uniform);
  bool assignable(Together together, Type type, Expression& place);
  Expression call_of(int function, bool uniform, int depth);

  // Statements (generate_statements.cpp).
  Body body(Place place, int count);
  void statement(Body& out, Place place);
  void simple(Body& out, const Place& place);
  void declaration(Body& out, const Place& place);
  void alias(Body& out);
  void branch(Body& out, Place place);
  void warp_branch(Body& out, Place place);
  void loop(Body& out, Place place);
  void choice(Body& out, Place place);
  void together_statement(Body& out, const Place& place);
  void any_barrier(Body& out, const Place& place);
  void window(Body& out, const Place& place);
  void call(Body& out);
  void warp_function(Body& out);
  void atomic(Body& out, bool shared);
  void leave(Body& out, const Place& place);
  void store_own(Body& out);
  void close_windows(Body& out, const std::set<int>& until);
  void put_out(Body& out, int number, const Expression& e);

  // Functions and kernels (generate.cpp).
  void function(int number);
  void kernel(int number);
  void kernel_shape(Kernel& kernel);
  void kernel_memory(Kernel& kernel);
  void first_variables(Body& out, bool whole);

  RandomNumbers random_;
  Program program_;
  std::vector<int> scope_;  ///< variables that can be named here
  std::set<int> own_;       ///< arrays of this function or kernel
  std::set<int> open_;      ///< those that all may read and nobody writes; counters_open for the counters
  static constexpr int counters_open = -1;
  Kernel* kernel_ = nullptr;      ///< the kernel being made, or
  Function* function_ = nullptr;  ///< the function being made
  bool whole_warps_ = false;      ///< no thread left on its own: warp functions are allowed
  int budget_ = 0;                ///< statements left
  int names_ = 0;
};

}  // namespace phpc::test
