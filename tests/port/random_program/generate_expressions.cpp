#include <bit>

#include "port/random_program/generator.hpp"

namespace phpc::test {

namespace {

Expression make(Expression::Kind kind, Type type, char op, std::vector<Expression> kids) {
  Expression e;
  e.kind = kind;
  e.type = type;
  e.op = op;
  e.kids = std::move(kids);
  return e;
}

}  // namespace

Expression Generator::constant(Type type, int value) const {
  Expression e;
  e.type = type;
  e.value = type == Type::real ? std::bit_cast<std::uint32_t>(static_cast<float>(value)) : static_cast<std::uint32_t>(value);
  return e;
}

Expression Generator::named(int id) const {
  Expression e;
  e.kind = Expression::Kind::variable;
  e.type = variable(id).type;
  e.id = id;
  return e;
}

/// A number of 0 .. divisor - 1, a power of two.
Expression Generator::modulo(Type type, bool uniform, int divisor) {
  return make(Expression::Kind::binary, type, '&', {value(type, 1, uniform), constant(type, divisor - 1)});
}

Expression Generator::other_element(int id, bool uniform) {
  Expression e = make(Expression::Kind::other, array(id).type, 0, {value(Type::natural, 1, uniform)});
  const int rank = kernel_ != nullptr ? kernel_->rank : function_->rank;
  if (!uniform && random_.chance(70)) {
    e.kids = {
        make(Expression::Kind::binary, Type::natural, '+',
             {named(rank), random_.chance(60) ? constant(Type::natural, random_.between(1, 70)) : leaf(Type::natural, false)})};
  }
  e.id = id;
  return e;
}

Expression Generator::leaf(Type type, bool uniform) {
  if (type != Type::real && random_.chance(12)) {
    Expression e;
    e.kind = Expression::Kind::builtin;
    e.type = Type::natural;
    e.id = random_.between(uniform ? 3 : 0, 11);
    return type == Type::natural ? e : make(Expression::Kind::cast, type, 0, {e});
  }
  if (type != Type::real && kernel_ != nullptr && open_.contains(counters_open) && random_.chance(40)) {
    Expression e;
    e.kind = Expression::Kind::counter;
    e.id = random_.below(static_cast<int>(kernel_->counter_ops.size()));
    e.type = kernel_->counter_types[static_cast<std::size_t>(e.id)];
    return e.type == type ? e : make(Expression::Kind::cast, type, 0, {e});
  }
  std::vector<int> arrays;
  for (const int id : own_) {
    if (array(id).type == type && (open_.contains(id) || !uniform)) {
      arrays.push_back(id);
    }
  }
  if (!arrays.empty() && random_.chance(open_.empty() ? 15 : 50)) {
    const int id = arrays[static_cast<std::size_t>(random_.below(static_cast<int>(arrays.size())))];
    if (open_.contains(id)) {
      // Reading one element is uniform where the index is.
      Expression e = make(Expression::Kind::other, type, 0, {});
      e.id = id;
      e.kids = {uniform ? constant(Type::natural, random_.below(300)) : other_element(id, false).kids[0]};
      return e;
    }
    Expression e = make(Expression::Kind::own, type, 0, {});
    e.id = id;
    return e;
  }
  const std::vector<int> names = visible(type, uniform, false, false), lists = visible(type, uniform, false, true);
  if (!lists.empty() && random_.chance(20)) {
    Expression e = make(Expression::Kind::element, type, 0,
                        {random_.chance(50) ? constant(Type::natural, random_.below(9)) : value(Type::natural, 0, uniform)});
    e.id = lists[static_cast<std::size_t>(random_.below(static_cast<int>(lists.size())))];
    return e;
  }
  if (!names.empty() && random_.chance(85)) {
    return named(names[static_cast<std::size_t>(random_.below(static_cast<int>(names.size())))]);
  }
  return constant(type, type == Type::natural ? random_.below(random_.chance(20) ? 1000000 : 60) : random_.between(-30, 50));
}

/// Sums of leaves or of products of two leaves: exact in float.
Expression Generator::real_value(int depth, bool uniform) {
  if (depth == 0 || random_.chance(25)) {
    return leaf(Type::real, uniform);
  }
  const auto term = [&] {
    if (random_.chance(20)) {
      return make(Expression::Kind::cast, Type::real, 0, {value(whole_type(), 0, uniform)});
    }
    return random_.chance(40)
               ? make(Expression::Kind::binary, Type::real, '*', {leaf(Type::real, uniform), leaf(Type::real, uniform)})
               : leaf(Type::real, uniform);
  };
  if (random_.chance(15)) {
    return make(Expression::Kind::ternary, Type::real, 0, {condition(1, uniform), leaf(Type::real, uniform), term()});
  }
  return make(Expression::Kind::binary, Type::real, random_.chance(50) ? '+' : '-', {term(), term()});
}

Expression Generator::value(Type type, int depth, bool uniform) {
  if (type == Type::real) {
    return real_value(depth, uniform);
  }
  if (depth == 0 || random_.chance(20)) {
    return leaf(type, uniform);
  }
  const int kind = random_.below(100);
  if (kind < 70) {
    static const char ops[] = "++--**/%&|^<>mM";
    const char op = ops[random_.below(15)];
    return make(Expression::Kind::binary, type, op, {value(type, depth - 1, uniform), value(type, depth - 1, uniform)});
  }
  if (kind < 80) {
    return make(Expression::Kind::ternary, type, 0,
                {condition(depth - 1, uniform), value(type, depth - 1, uniform), value(type, depth - 1, uniform)});
  }
  if (kind < 92) {
    const Type from = random_.chance(70) ? (type == Type::integer ? Type::natural : Type::integer) : Type::real;
    return make(Expression::Kind::cast, type, 0, {value(from, depth - 1, uniform)});
  }
  std::vector<int> pure;
  for (std::size_t f = 0; f < program_.functions.size(); ++f) {
    if (!program_.functions[f].barriers && program_.functions[f].type == type && &program_.functions[f] != function_) {
      pure.push_back(static_cast<int>(f));
    }
  }
  if (pure.empty() || function_ != nullptr || uniform) {  // a pure function may read threadIdx
    return type == Type::integer ? condition(depth - 1, uniform) : leaf(type, uniform);
  }
  return call_of(pure[static_cast<std::size_t>(random_.below(static_cast<int>(pure.size())))], uniform, depth - 1);
}

Expression Generator::call_of(int function, bool uniform, int depth) {
  Expression e = make(Expression::Kind::call, program_.functions[static_cast<std::size_t>(function)].type, 0, {});
  e.id = function;
  const std::vector<int> parameters = program_.functions[static_cast<std::size_t>(function)].parameters;
  for (const int parameter : parameters) {
    e.kids.push_back(value(variable(parameter).type, depth, uniform));
  }
  return e;
}

Expression Generator::condition(int depth, bool uniform) {
  if (depth > 0 && random_.chance(25)) {
    const int kind = random_.below(3);
    if (kind == 0) {
      return make(Expression::Kind::logic, Type::integer, '!', {condition(depth - 1, uniform)});
    }
    return make(Expression::Kind::logic, Type::integer, kind == 1 ? '&' : '|',
                {condition(depth - 1, uniform), condition(depth - 1, uniform)});
  }
  const Type type = random_type();
  if (type != Type::real && random_.chance(50)) {  // true in about half of the cases
    const int divisor = 2 << random_.below(3);
    return make(Expression::Kind::compare, Type::integer, "<>=!" [random_.below(4)],
                { modulo(type, uniform, divisor), constant(type, random_.below(divisor)) });
  }
  static const char ops[] = "<>lg=!";
  return make(Expression::Kind::compare, Type::integer, ops[random_.below(6)],
              {value(type, depth, uniform), value(type, depth > 0 ? depth - 1 : 0, uniform)});
}

/// A variable or an element of one that may be assigned to at a place where threads run so; false if there is none.
bool Generator::assignable(Together together, Type type, Expression& place) {
  std::vector<int> names = visible(type, false, true, false);
  if (together != Together::block) {
    std::erase_if(names, [&](int id) { return variable(id).uniform; });
  }
  const std::vector<int> lists = visible(type, false, true, true);
  if (!lists.empty() && random_.chance(25)) {
    place = make(Expression::Kind::element, type, 0, {value(Type::natural, 1, false)});
    place.id = lists[static_cast<std::size_t>(random_.below(static_cast<int>(lists.size())))];
    return true;
  }
  if (names.empty()) {
    return false;
  }
  place = named(names[static_cast<std::size_t>(random_.below(static_cast<int>(names.size())))]);
  return true;
}

}  // namespace phpc::test
