// The abstract programs of the random tests: small CUDA kernels as trees that can be printed and interpreted.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace phpc::test {

/// Types of values. Floats hold integers of at most 2^24 in size, so that all their operations are exact.
enum class Type { integer, natural, real };

/// A variable of a thread: a scalar, an array (size > 0), or another name of a scalar or an element (a reference or a pointer).
struct Variable {
  std::string name;
  Type type = Type::integer;
  int size = 0;          ///< elements of an array; 0 for a scalar
  bool uniform = false;  ///< the same in all threads of a block wherever these run together
  int depth = 0;         ///< of the block that declares it; 0: as a parameter
  bool fixed = false;    ///< never assigned to by random statements: loop counters, indices
  bool alias = false;    ///< names another variable: `target`, bound where it is declared or called
  bool pointer = false;  ///< an alias that is printed as a pointer
  int target = -1, target_element = 0;
};

/// An array with one element per thread of the block: in shared memory, cut from dynamic shared memory, global, or a parameter.
struct Array {
  enum class Place { fixed, dynamic, global, parameter };
  std::string name;
  Type type = Type::natural;
  Place place = Place::fixed;
};

/// A value. What the fields mean is said beside each kind.
struct Expression {
  enum class Kind {
    constant,  ///< `value`, as bits
    variable,  ///< variable `id`
    element,   ///< element kids[0] modulo its size of the array variable `id`
    builtin,   ///< threadIdx.x ... gridDim.z: `id` is 3 * (0..3) + (0..2)
    binary,    ///< kids[0] `op` kids[1], one of + - * / % & | ^ < > (shifts) m M (min, max)
    compare,   ///< kids[0] `op` kids[1], one of < > l g (at most, at least) = !
    logic,     ///< `op` & or | with short circuit, or ! of one kid
    ternary,   ///< kids[0] ? kids[1] : kids[2]
    cast,      ///< kids[0] in the type `type`
    own,       ///< the thread's element of array `id`
    other,     ///< element kids[0] modulo the block's size of array `id`
    counter,   ///< shared counter `id`
    call,      ///< the pure function `id` of kids
  };
  Kind kind = Kind::constant;
  Type type = Type::integer;
  char op = 0;
  std::uint32_t value = 0;
  int id = -1;
  std::vector<Expression> kids;
};

/// A statement. What the fields mean is said beside each kind.
struct Statement {
  enum class Kind {
    declare,       ///< variables `ids` with the values `values` (arrays: all their elements, one after another)
    alias,         ///< ids[0] names variable ids[1], element ids[2]
    assign,        ///< values[0] (a place) `op` values[1]; op 0 is plain
    increment,     ///< values[0] ++ or -- (op + or -)
    if_else,       ///< values[0], bodies[0], bodies[1]
    for_loop,      ///< ids: counter and perhaps a second one; `id`: form; values: start, bound, second start; `step`
    while_loop,    ///< ids[0] counts down from before; values[0]: a further condition; bodies[0]
    do_loop,       ///< the same with the test at the end
    switch_case,   ///< values[0]; bodies: one per case; `flags`: case i falls through; the last is the default
    leave,         ///< break
    go_on,         ///< continue
    give_back,     ///< return values[0], or return without a value
    barrier,       ///< __syncthreads
    barrier_vote,  ///< values[0] = __syncthreads_count, _and, _or (op c & |) of values[1]
    call,          ///< values[0] = function `id` (arrays: ids[0] if any) of the other values
    atomic,        ///< op + ^ | & m M on shared counter `id` (flags[0] 0) or on total `id` of the grid, with values[0]
    shuffle,       ///< values[0] = shuffle `op` (i u d x) of values[1] by values[2], in parts of `id` lanes
    vote,          ///< values[0] = ballot, any, all (op b | &) of values[1]
    block,         ///< { bodies[0] }
    output,        ///< out[id] = values[0]
    store_own,     ///< the thread's element of array `id` = values[0]
  };
  Kind kind = Kind::block;
  char op = 0;
  int id = -1;
  int step = 1;
  std::vector<int> ids;
  std::vector<char> flags;
  std::vector<Expression> values;
  std::vector<std::vector<Statement>> bodies;
};

using Body = std::vector<Statement>;

/// A device function: pure, or with barriers (then all threads of the block call it together).
struct Function {
  std::string name;
  bool barriers = false;
  Type type = Type::integer;
  int array = -1;               ///< the array that it is given, an Array of place `parameter`; -1 without
  int own_array = -1;           ///< a shared array of its own; -1 without
  int rank = -1, threads = -1;  ///< variables `t` and `n`, of functions with barriers
  std::vector<int> parameters;
  Body body;
};

/// A kernel, how it is launched, and how many values each thread puts out.
struct Kernel {
  std::string name;
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  int outputs = 1;
  bool is_template = false;                      ///< has the block's size as a template parameter
  bool shifts_out = false;                       ///< moves its pointer `out` to the thread's values first
  bool has_warps = false;                        ///< uses warp functions; declares lane and mask
  int rank = -1, threads = -1, block_rank = -1;  ///< variables `t`, `n`, `b`
  std::vector<int> parameters;                   ///< scalars
  std::vector<std::uint32_t> arguments;          ///< their values, as bits
  std::vector<int> arrays;                       ///< shared and global ones
  std::vector<char> counter_ops;                 ///< of the shared counters: + ^ | & m M
  std::vector<Type> counter_types;
  Body body;

  [[nodiscard]] std::uint32_t threads_per_block() const { return block[0] * block[1] * block[2]; }
  [[nodiscard]] std::uint32_t blocks() const { return grid[0] * grid[1] * grid[2]; }
};

/// The atomics that totals of the grid take, by the total's number.
inline constexpr char total_ops[] = {'+', '^', 'M', 'm'};
inline constexpr int total_count = 4;
inline constexpr int largest_block = 257;

/// Everything that one printed program holds.
struct Program {
  std::vector<Variable> variables;
  std::vector<Array> arrays;
  std::vector<Function> functions;
  std::vector<Kernel> kernels;
};

/// What an operation starts from: the neutral value of an atomic.
[[nodiscard]] inline std::uint32_t neutral(char op, Type type) {
  if (op == '&') {
    return ~0u;
  }
  if (op == 'm') {
    return type == Type::integer ? 0x7fffffffu : ~0u;
  }
  return op == 'M' && type == Type::integer ? 0x80000000u : 0u;
}

/// First content of the global work array.
[[nodiscard]] inline std::uint32_t work_value(std::uint32_t index) {
  return index * 2654435761u >> 7;
}

}  // namespace phpc::test
