#include "port/random_program/generate.hpp"

#include <algorithm>

#include "port/random_program/generator.hpp"

namespace phpc::test {

int Generator::declare(const std::string& prefix, Type type, int size, bool uniform, bool fixed) {
  Variable v;
  v.name = prefix.size() == 1 && prefix[0] <= 't' && fixed && (prefix == "t" || prefix == "n" || prefix == "b")
               ? prefix
               : prefix + std::to_string(++names_);
  v.type = type;
  v.size = size;
  v.uniform = uniform;
  v.fixed = fixed;
  program_.variables.push_back(v);
  scope_.push_back(static_cast<int>(program_.variables.size()) - 1);
  return scope_.back();
}

std::vector<int> Generator::visible(Type type, bool uniform, bool assigned, bool arrays) const {
  std::vector<int> ids;
  for (const int id : scope_) {
    const Variable& v = variable(id);
    if (v.type == type && (v.size > 0) == arrays && (!uniform || v.uniform) && (!assigned || !v.fixed)) {
      ids.push_back(id);
    }
  }
  return ids;
}

/// A few variables to begin with: some that differ between threads, and (`whole`) some that are the same for the block.
void Generator::first_variables(Body& out, bool whole) {
  for (const Type type : {Type::integer, Type::natural, Type::real}) {
    for (const bool uniform : {false, true}) {
      if ((uniform && !whole) || random_.chance(uniform ? 50 : 25)) {
        continue;
      }
      Statement s;
      s.kind = Statement::Kind::declare;
      Expression e = value(uniform || random_.chance(50) ? Type::natural : whole_type(), 2, uniform);
      if (e.type != type) {
        Expression cast;
        cast.kind = Expression::Kind::cast;
        cast.type = type;
        cast.kids = {e};
        e = cast;
      }
      s.values = {e};
      s.ids = {declare(uniform ? "u" : "v", type, 0, uniform, false)};
      variable(s.ids[0]).depth = 1;
      out.push_back(s);
    }
  }
}

void Generator::function(int number) {
  Function f;
  f.name = "function" + std::to_string(number);
  f.barriers = random_.chance(60);
  f.type = whole_type();
  names_ = 0;
  scope_.clear();
  own_.clear();
  open_.clear();
  whole_warps_ = false;
  kernel_ = nullptr;
  function_ = &f;
  if (f.barriers) {
    f.rank = declare("t", Type::natural, 0, false, true);
    f.threads = declare("n", Type::natural, 0, true, true);
    if (random_.chance(70)) {
      Array a;
      a.name = "row";
      a.type = random_type();
      a.place = Array::Place::parameter;
      f.array = static_cast<int>(program_.arrays.size());
      program_.arrays.push_back(a);
      own_.insert(f.array);
    }
    if (f.array < 0 || random_.chance(30)) {
      Array a;
      a.name = "local_row";
      a.type = random_type();
      f.own_array = static_cast<int>(program_.arrays.size());
      program_.arrays.push_back(a);
    }
  }
  for (int count = random_.between(1, 3); count > 0; --count) {
    const bool uniform = f.barriers && random_.chance(40);
    const int id = declare("p", whole_type(), 0, uniform, false);
    if (f.barriers && !uniform && random_.chance(30)) {
      variable(id).alias = true;  // a reference, bound by each call
    }
    f.parameters.push_back(id);
  }
  Place place;
  place.together = f.barriers ? Together::block : Together::nobody;
  place.depth = 1;
  budget_ = random_.between(4, 14);
  first_variables(f.body, f.barriers);
  if (f.own_array >= 0) {
    Statement s;
    s.kind = Statement::Kind::store_own;
    s.id = f.own_array;
    s.values = {value(array(f.own_array).type, 1, false)};
    f.body.push_back(s);
    own_.insert(f.own_array);
  }
  while (budget_ > 0) {
    statement(f.body, place);
  }
  if (f.barriers) {
    window(f.body, place);
  }
  Statement s;
  s.kind = Statement::Kind::give_back;
  s.values = {value(f.type, 2, false)};
  f.body.push_back(s);
  function_ = nullptr;
  program_.functions.push_back(f);
}

void Generator::kernel_shape(Kernel& kernel) {
  static const int odd_sizes[] = {1, 2, 5, 7, 31, 33, 63, 96, 100, 127, 129, 250, 257};
  const int kind = random_.below(10);
  if (kind < 4) {
    kernel.block[0] =
        static_cast<std::uint32_t>(random_.chance(60) ? odd_sizes[random_.below(13)] : random_.between(1, largest_block));
  } else if (kind < 7) {
    kernel.block[0] = static_cast<std::uint32_t>(32 * random_.between(1, 8));
  } else if (kind < 9) {
    kernel.block[0] = static_cast<std::uint32_t>(random_.between(1, 16));
    kernel.block[1] = static_cast<std::uint32_t>(random_.between(1, 16));
  } else {
    kernel.block[0] = static_cast<std::uint32_t>(random_.between(1, 8));
    kernel.block[1] = static_cast<std::uint32_t>(random_.between(1, 6));
    kernel.block[2] = static_cast<std::uint32_t>(random_.between(1, 5));
  }
  kernel.grid[0] = static_cast<std::uint32_t>(random_.between(1, 4));
  if (random_.chance(25)) {
    kernel.grid[1] = static_cast<std::uint32_t>(random_.between(1, 2));
    kernel.grid[2] = static_cast<std::uint32_t>(random_.between(1, 2));
  }
}

void Generator::kernel_memory(Kernel& kernel) {
  const auto add = [&](const std::string& name, Type type, Array::Place where) {
    Array a;
    a.name = name;
    a.type = type;
    a.place = where;
    kernel.arrays.push_back(static_cast<int>(program_.arrays.size()));
    program_.arrays.push_back(a);
  };
  add("work", Type::natural, Array::Place::global);
  const int fixed = random_.below(3), dynamic = random_.below(3);
  for (int k = 0; k < fixed; ++k) {
    add("shared" + std::to_string(k), random_type(), Array::Place::fixed);
  }
  for (int k = 0; k < dynamic; ++k) {
    add("cut" + std::to_string(k), random_type(), Array::Place::dynamic);
  }
  for (int k = random_.below(3); k > 0; --k) {
    kernel.counter_ops.push_back("+^|&mM"[random_.below(6)]);
    kernel.counter_types.push_back(whole_type());
  }
}

void Generator::kernel(int number) {
  using Kind = Statement::Kind;
  Kernel k;
  k.name = "kernel" + std::to_string(number);
  kernel_shape(k);
  kernel_memory(k);
  k.is_template = random_.chance(25);
  k.shifts_out = random_.chance(30);
  k.outputs = random_.between(1, 3);
  names_ = 0;
  scope_.clear();
  own_.clear();
  open_.clear();
  kernel_ = &k;
  k.rank = declare("t", Type::natural, 0, false, true);
  k.threads = declare("n", Type::natural, 0, true, true);
  k.block_rank = declare("b", Type::natural, 0, true, true);
  for (int count = random_.between(0, 3); count > 0; --count) {
    const Type type = random_type();
    k.parameters.push_back(declare("p", type, 0, random_.chance(50), false));
    k.arguments.push_back(constant(type, type == Type::natural ? random_.below(1000) : random_.between(-100, 100)).value);
  }
  Place place;
  place.depth = 1;
  first_variables(k.body, true);
  for (const int id : k.arrays) {  // every shared element gets a value before it is read
    if (array(id).place != Array::Place::global) {
      Statement s;
      s.kind = Kind::store_own;
      s.id = id;
      s.values = {value(array(id).type, 2, false)};
      k.body.push_back(s);
    }
  }
  own_.insert(k.arrays.begin(), k.arrays.end());
  const bool leaves = random_.chance(25);
  whole_warps_ = !leaves;
  if (leaves) {  // some threads leave before the first barrier
    Statement s;
    s.kind = Kind::if_else;
    s.values = {condition(1, false)};
    s.bodies.resize(2);
    put_out(s.bodies[0], k.outputs - 1, value(Type::natural, 1, false));
    Statement gone;
    gone.kind = Kind::give_back;
    s.bodies[0].push_back(gone);
    k.body.push_back(s);
  }
  Statement barrier;
  barrier.kind = Kind::barrier;
  if (!k.counter_ops.empty() || leaves) {
    k.body.push_back(barrier);
  }
  budget_ = random_.between(12, 45);
  while (budget_ > 0) {
    statement(k.body, place);
  }
  k.body.push_back(barrier);
  for (const int id : std::vector<int>(k.arrays)) {
    open_.insert(id);
  }
  if (!k.counter_ops.empty()) {
    open_.insert(counters_open);
  }
  const std::vector<int> names = scope_;
  const int mixed = declare("mixed", Type::natural, 0, false, false);
  Statement first;
  first.kind = Kind::declare;
  first.ids = {mixed};
  first.values = {constant(Type::natural, 17)};
  k.body.push_back(first);
  const auto mix = [&](Expression e) {
    if (e.type != Type::natural) {
      Expression cast;
      cast.kind = Expression::Kind::cast;
      cast.type = Type::natural;
      cast.kids = {e};
      e = cast;
    }
    Statement times;
    times.kind = Kind::assign;
    times.op = '*';
    times.values = {named(mixed), constant(Type::natural, 31)};
    k.body.push_back(times);
    times.op = '^';
    times.values = {named(mixed), e};
    k.body.push_back(times);
  };
  for (const int id : names) {
    if (variable(id).size == 0) {
      mix(named(id));
      continue;
    }
    for (int i = 0; i < variable(id).size; ++i) {
      Expression e;
      e.kind = Expression::Kind::element;
      e.type = variable(id).type;
      e.id = id;
      e.kids = {constant(Type::natural, i)};
      mix(e);
    }
  }
  for (const int id : k.arrays) {
    mix(other_element(id, false));
  }
  for (int o = 0; o < k.outputs; ++o) {
    put_out(k.body, o, o == 0 ? named(mixed) : value(Type::natural, 2, false));
  }
  kernel_ = nullptr;
  program_.kernels.push_back(k);
}

Program Generator::program(int count) {
  for (int f = 0; f < std::max(2, count / 2); ++f) {
    function(f);
  }
  for (int k = 0; k < count; ++k) {
    kernel(k);
  }
  return std::move(program_);
}

Program random_program(std::uint64_t seed, int count) {
  return Generator(seed).program(count);
}

}  // namespace phpc::test
