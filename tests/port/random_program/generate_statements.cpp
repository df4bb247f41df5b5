#include <algorithm>

#include "port/random_program/generator.hpp"

namespace phpc::test {

namespace {

Statement make(Statement::Kind kind, std::vector<Expression> values = {}, char op = 0) {
  Statement s;
  s.kind = kind;
  s.values = std::move(values);
  s.op = op;
  return s;
}

}  // namespace

/// Statements in a block of their own: what they declare is forgotten after them.
Body Generator::body(Place place, int count) {
  const std::vector<int> scope = scope_;
  ++place.depth;
  Body out;
  for (int k = 0; k < count; ++k) {
    statement(out, place);
  }
  scope_ = scope;
  return out;
}

void Generator::statement(Body& out, Place place) {
  if (--budget_ < 0 || place.depth > 5) {
    return simple(out, place);
  }
  const int kind = random_.below(100);
  if (kind < 32) {
    simple(out, place);
  } else if (kind < 42) {
    declaration(out, place);
  } else if (kind < 45) {
    alias(out);
  } else if (kind < 57) {
    branch(out, place);
  } else if (kind < 67 && place.loops < 3) {
    loop(out, place);
  } else if (kind < 71) {
    choice(out, place);
  } else if (kind < 73) {
    Statement s = make(Statement::Kind::block);
    s.bodies.push_back(body(place, random_.between(1, 3)));
    out.push_back(s);
  } else if (kind < 80 && (place.in_breakable || place.in_loop || function_ != nullptr || place.depth > 1)) {
    leave(out, place);
  } else if (place.together == Together::block && (kernel_ != nullptr || function_->barriers)) {
    together_statement(out, place);
  } else if (place.together == Together::warp) {
    warp_function(out);
  } else {
    simple(out, place);
  }
}

void Generator::simple(Body& out, const Place& place) {
  const int kind = random_.below(100);
  if (kind < 12 && !own_.empty()) {
    return store_own(out);
  }
  if (kind < 20 && kernel_ != nullptr) {
    return atomic(out, random_.chance(60));
  }
  const Type type = random_type();
  Expression target;
  if (!assignable(place.together, type, target)) {
    return declaration(out, place);
  }
  const bool uniform = target.kind == Expression::Kind::variable && variable(target.id).uniform;
  if (kind < 28 && type == Type::natural) {
    out.push_back(make(Statement::Kind::increment, {target}, random_.chance(60) ? '+' : '-'));
    return;
  }
  char op = 0;
  if (type != Type::real && random_.chance(40)) {
    op = type == Type::natural ? "+-*^|&"[random_.below(6)] : "^|&"[random_.below(3)];
  }
  out.push_back(make(Statement::Kind::assign, {target, value(type, random_.between(1, 3), uniform)}, op));
  out.back().step = random_.between(1, 2);
}

void Generator::declaration(Body& out, const Place& place) {
  const Type type = random_type();
  const bool uniform = place.together == Together::block && random_.chance(35);
  const bool is_list = !uniform && random_.chance(25);
  Statement s = make(Statement::Kind::declare);
  for (int count = random_.chance(25) ? random_.between(2, 3) : 1; count > 0; --count) {
    const bool shadows = !is_list && random_.chance(20) && place.depth > 1;
    std::string name;
    if (shadows) {  // takes the name of a variable of an outer block, which cannot be named from here on
      std::vector<int> outer;
      std::copy_if(scope_.begin(), scope_.end(), std::back_inserter(outer), [&](int id) {
        const Variable& v = variable(id);
        return !v.fixed && !v.alias && v.depth < place.depth - 1 && v.depth > 0;
      });
      if (!outer.empty()) {
        const int hidden = outer[static_cast<std::size_t>(random_.below(static_cast<int>(outer.size())))];
        name = variable(hidden).name;
        std::erase(scope_, hidden);
      }
    }
    const int size = is_list ? random_.between(2, 5) : 0;
    for (int k = 0; k < std::max(1, size); ++k) {
      s.values.push_back(value(type, random_.between(0, 2), uniform));
    }
    const int id = declare(is_list ? "list" : uniform ? "u" : "v", type, size, uniform, false);
    variable(id).depth = place.depth;
    if (!name.empty()) {
      variable(id).name = name;
    }
    s.ids.push_back(id);
  }
  out.push_back(s);
}

void Generator::alias(Body& out) {
  std::vector<int> targets;
  for (const int id : scope_) {
    if (!variable(id).fixed && !variable(id).alias) {
      targets.push_back(id);
    }
  }
  if (targets.empty()) {
    return;
  }
  const int target = targets[static_cast<std::size_t>(random_.below(static_cast<int>(targets.size())))];
  const int element = variable(target).size > 0 ? random_.below(variable(target).size) : 0;
  const int id = declare("r", variable(target).type, 0, variable(target).uniform, false);
  Variable& v = variable(id);
  v.alias = true;
  v.pointer = random_.chance(30);
  Statement s = make(Statement::Kind::alias);
  s.ids = {id, target, element};
  out.push_back(s);
}

void Generator::branch(Body& out, Place place) {
  const bool whole = place.together == Together::block && random_.chance(60);
  if (!whole && place.together == Together::block && whole_warps_ && kernel_ != nullptr && random_.chance(40)) {
    return warp_branch(out, place);
  }
  if (!whole) {
    place.together = Together::nobody;
  }
  Statement s = make(Statement::Kind::if_else, {condition(2, whole)});
  s.bodies = {body(place, random_.between(1, 4)), {}};
  if (random_.chance(45)) {
    s.bodies[1] = body(place, random_.between(1, 3));
  }
  for (Body& one : s.bodies) {
    if (one.size() == 1 && random_.chance(50)) {
      one[0].step = 2;  // without braces where it is a simple statement
    }
  }
  out.push_back(s);
}

/// A branch that all threads of a warp take or do not.
void Generator::warp_branch(Body& out, Place place) {
  place.together = Together::warp;
  Expression warp = constant(Type::natural, 5), even = constant(Type::natural, 1);
  Expression shifted;
  shifted.kind = Expression::Kind::binary;
  shifted.type = Type::natural;
  shifted.op = '>';
  shifted.kids = {named(kernel_->rank), warp};
  Expression bit = shifted;
  bit.op = '&';
  bit.kids = {shifted, even};
  Expression test;
  test.kind = Expression::Kind::compare;
  test.op = random_.chance(50) ? '=' : '!';
  test.kids = {bit, constant(Type::natural, random_.below(2))};
  Statement s = make(Statement::Kind::if_else, {test});
  s.bodies = {body(place, random_.between(1, 3)), {}};
  if (random_.chance(50)) {
    s.bodies[1] = body(place, random_.between(1, 3));
  }
  out.push_back(s);
}

void Generator::loop(Body& out, Place place) {
  const bool whole = place.together == Together::block && random_.chance(65);
  place.together = whole ? Together::block : Together::nobody;
  place.loop_together = place.together;
  place.open_at_loop = open_;
  place.in_loop = place.in_breakable = true;
  place.in_switch = false;
  const int most = place.loops == 0 ? 8 : 4;
  ++place.loops;
  const std::vector<int> scope = scope_;
  Statement s;
  if (random_.chance(60)) {
    s = make(Statement::Kind::for_loop);
    const Type type = whole_type();
    const int count = random_.below(3);
    const Expression bound = random_.chance(50) ? constant(type, random_.between(1, most)) : modulo(type, whole, most);
    // Up from a small number, down to zero, or down through zero of an unsigned counter.
    const int form = random_.below(3);
    const Type counter_type = form == 2 ? Type::natural : type;
    const Expression start = form == 0 ? constant(type, count) : form == 1 ? bound : constant(Type::natural, random_.below(most));
    Expression second;
    const bool two = random_.chance(20);
    if (two) {
      second = constant(counter_type, random_.below(20));
    }
    const int id = declare("i", counter_type, 0, whole, true);
    variable(id).depth = place.depth + 1;
    s.ids = {id};
    Expression test;
    test.kind = Expression::Kind::compare;
    test.op = form == 0 ? '<' : form == 1 ? (type == Type::natural ? '!' : '>') : '<';
    test.kids = {named(id), form == 0 ? bound : form == 1 ? constant(type, 0) : constant(Type::natural, most + 1)};
    s.values = {start, test};
    s.step = form == 0 ? random_.between(1, 3) : -1;
    if (two) {
      const int other = declare("j", counter_type, 0, whole, true);
      variable(other).depth = place.depth + 1;
      s.ids.push_back(other);
      s.values.push_back(second);
    }
    s.id = form == 0 && bound.kind == Expression::Kind::constant && random_.chance(30) ? 1 : 0;
  } else {
    s = make(random_.chance(50) ? Statement::Kind::while_loop : Statement::Kind::do_loop);
    Statement start = make(Statement::Kind::declare);
    const bool repeat = s.kind == Statement::Kind::do_loop;  // begins with at least 1
    Expression first =
        random_.chance(50) ? constant(Type::natural, random_.between(1, most - 1)) : modulo(Type::natural, whole, most);
    if (repeat && first.kind != Expression::Kind::constant) {
      Expression one = first;
      one.op = '+';
      one.kids = {first, constant(Type::natural, 1)};
      first = one;
    }
    const int id = declare("left", Type::natural, 0, whole, true);
    start.ids = {id};
    start.values = {first};
    out.push_back(start);
    s.ids = {id};
    s.values = {random_.chance(50) ? condition(1, whole) : constant(Type::integer, 1)};
  }
  s.bodies = {body(place, random_.between(2, 5))};
  scope_ = scope;
  out.push_back(s);
}

void Generator::choice(Body& out, Place place) {
  const bool whole = place.together == Together::block && random_.chance(50);
  place.together = whole ? Together::block : Together::nobody;
  place.in_switch = true;
  Statement s = make(Statement::Kind::switch_case, {modulo(whole_type(), whole, 4)});
  for (int count = random_.between(2, 4), k = 0; k < count; ++k) {
    s.bodies.push_back(body(place, random_.between(1, 3)));
    s.flags.push_back(random_.chance(25) && k + 1 < count);
  }
  out.push_back(s);
}

/// A statement that needs all threads of the block.
void Generator::together_statement(Body& out, const Place& place) {
  const int kind = random_.below(100);
  if (kind < 45 && place.depth < 6) {
    window(out, place);
  } else if (kind < 60) {
    any_barrier(out, place);
  } else if (kind < 80) {
    call(out);
  } else if (whole_warps_ && kernel_ != nullptr) {
    warp_function(out);
  } else {
    window(out, place);
  }
}

void Generator::any_barrier(Body& out, const Place& place) {
  Expression target;
  const Type type = whole_type();
  if (random_.chance(25) && assignable(place.together, type, target)) {
    out.push_back(make(Statement::Kind::barrier_vote, {target, condition(2, false)}, "c&|"[random_.below(3)]));
    return;
  }
  out.push_back(make(Statement::Kind::barrier));
}

/// Between two barriers all threads read an array, or the counters, and nobody writes there.
void Generator::window(Body& out, const Place& place) {
  std::vector<int> closed;
  for (const int id : own_) {
    if (!open_.contains(id)) {
      closed.push_back(id);
    }
  }
  if (kernel_ != nullptr && !kernel_->counter_ops.empty() && !open_.contains(counters_open)) {
    closed.push_back(counters_open);
  }
  if (closed.empty()) {
    return any_barrier(out, place);
  }
  const int id = closed[static_cast<std::size_t>(random_.below(static_cast<int>(closed.size())))];
  any_barrier(out, place);
  open_.insert(id);
  if (id != counters_open) {
    const Type type = array(id).type;
    Expression target;
    if (assignable(Together::nobody, type, target)) {
      out.push_back(make(Statement::Kind::assign, {target, other_element(id, false)}));
    } else {
      Statement s = make(Statement::Kind::declare, {other_element(id, false)});
      s.ids = {declare("v", type, 0, false, false)};
      variable(s.ids[0]).depth = place.depth;
      out.push_back(s);
    }
  }
  for (int count = random_.below(4); count > 0; --count) {
    Place inside = place;
    statement(out, inside);
  }
  any_barrier(out, place);
  open_.erase(id);
}

/// A call of a function with barriers.
void Generator::call(Body& out) {
  std::vector<int> callable;
  for (std::size_t f = 0; f < program_.functions.size(); ++f) {
    if (program_.functions[f].barriers) {
      callable.push_back(static_cast<int>(f));
    }
  }
  if (callable.empty()) {
    out.push_back(make(Statement::Kind::barrier));
    return;
  }
  Statement s = make(Statement::Kind::call);
  s.id = callable[static_cast<std::size_t>(random_.below(static_cast<int>(callable.size())))];
  const Function function = program_.functions[static_cast<std::size_t>(s.id)];
  if (function.array >= 0) {
    for (const int id : own_) {
      if (!open_.contains(id) && array(id).type == array(function.array).type) {
        s.ids = {id};
      }
    }
    if (s.ids.empty()) {
      out.push_back(make(Statement::Kind::barrier));
      return;
    }
  }
  std::vector<int> targets = visible(function.type, false, true, false);
  std::erase_if(targets, [&](int id) { return variable(id).uniform; });
  if (targets.empty()) {
    Statement first = make(Statement::Kind::declare, {constant(function.type, 1)});
    first.ids = {declare("v", function.type, 0, false, false)};
    variable(first.ids[0]).depth = 100;  // not to be shadowed
    out.push_back(first);
    targets = first.ids;
  }
  s.values = {named(targets[static_cast<std::size_t>(random_.below(static_cast<int>(targets.size())))])};
  for (const int parameter : function.parameters) {
    const Variable p = variable(parameter);
    if (!p.alias) {
      s.values.push_back(value(p.type, 2, p.uniform));
      continue;
    }
    std::vector<int> referred = visible(p.type, false, true, false);
    std::erase_if(referred, [&](int id) { return variable(id).uniform; });
    if (referred.empty()) {
      Statement first = make(Statement::Kind::declare, {constant(p.type, 2)});
      first.ids = {declare("v", p.type, 0, false, false)};
      variable(first.ids[0]).depth = 100;
      out.push_back(first);
      referred = first.ids;
    }
    s.values.push_back(named(referred[static_cast<std::size_t>(random_.below(static_cast<int>(referred.size())))]));
  }
  out.push_back(s);
}

void Generator::warp_function(Body& out) {
  kernel_->has_warps = true;
  const Type type = random_type();
  Expression target;
  if (!assignable(Together::nobody, type, target)) {
    return;
  }
  if (random_.chance(30) && type != Type::real) {
    out.push_back(make(Statement::Kind::vote, {target, condition(2, false)}, "b|&"[random_.below(3)]));
    return;
  }
  const bool full = kernel_->threads_per_block() % 32 == 0;
  const std::vector<int> names = visible(type, false, false, false);
  Expression given = type != Type::real ? value(type, 2, false)
                     : names.empty()    ? constant(type, 3)
                                        : named(names[static_cast<std::size_t>(random_.below(static_cast<int>(names.size())))]);
  Statement s =
      make(Statement::Kind::shuffle, {target, given, value(Type::natural, 1, false)}, full ? "iudx"[random_.below(4)] : 'i');
  s.id = s.op == 'i' || random_.chance(60) ? 32 : 4 << random_.below(3);
  out.push_back(s);
}

void Generator::atomic(Body& out, bool shared) {
  Statement s = make(Statement::Kind::atomic);
  if (shared && !kernel_->counter_ops.empty() && !open_.contains(counters_open)) {
    s.id = random_.below(static_cast<int>(kernel_->counter_ops.size()));
    s.op = kernel_->counter_ops[static_cast<std::size_t>(s.id)];
    s.flags = {0};
    s.values = {value(kernel_->counter_types[static_cast<std::size_t>(s.id)], 2, false)};
  } else {
    s.id = random_.below(total_count);
    s.op = total_ops[s.id];
    s.flags = {1};
    s.values = {value(Type::natural, 2, false)};
  }
  out.push_back(s);
}

/// break, continue or return under a condition; in loops with barriers the same for the whole block, with the windows closed.
void Generator::leave(Body& out, const Place& place) {
  const bool whole = place.together == Together::block;
  Statement s = make(Statement::Kind::if_else, {condition(1, whole)});
  s.bodies.resize(2);
  Body& inside = s.bodies[0];
  const bool loops = place.in_loop && (place.loop_together == Together::nobody || whole);
  if (loops && random_.chance(75)) {
    const bool leaves = !place.in_switch && random_.chance(50);
    close_windows(inside, place.loop_together == Together::block ? place.open_at_loop : open_);
    inside.push_back(make(leaves ? Statement::Kind::leave : Statement::Kind::go_on));
  } else if (function_ != nullptr && (whole || !function_->barriers)) {
    close_windows(inside, {});
    inside.push_back(make(Statement::Kind::give_back, {value(function_->type, 2, false)}));
  } else if (kernel_ != nullptr && whole && random_.chance(40)) {
    put_out(inside, 0, value(Type::natural, 1, false));
    inside.push_back(make(Statement::Kind::give_back));
  } else {
    return simple(out, place);
  }
  if (inside.size() == 1) {
    inside[0].step = random_.between(1, 2);
  }
  out.push_back(s);
}

void Generator::store_own(Body& out) {
  for (const int id : own_) {
    if (!open_.contains(id) && (random_.chance(50) || id == *own_.rbegin())) {
      Statement s = make(Statement::Kind::store_own, {value(array(id).type, 2, false)});
      s.id = id;
      out.push_back(s);
      return;
    }
  }
  out.push_back(make(Statement::Kind::block));
  out.back().bodies.resize(1);
}

void Generator::close_windows(Body& out, const std::set<int>& until) {
  if (!std::includes(until.begin(), until.end(), open_.begin(), open_.end())) {
    out.push_back(make(Statement::Kind::barrier));
  }
}

void Generator::put_out(Body& out, int number, const Expression& e) {
  Statement s = make(Statement::Kind::output, {e});
  s.id = number;
  out.push_back(s);
}

}  // namespace phpc::test
