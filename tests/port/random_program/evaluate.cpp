#include "port/random_program/interpreter.hpp"

namespace phpc::test {
namespace {

Bits convert(Bits value, Type from, Type to) {
  if (from == to) {
    return value;
  }
  if (from == Type::real) {
    return static_cast<Bits>(static_cast<std::int32_t>(real_of(value)));
  }
  return to == Type::real ? bits_of(static_cast<float>(value & 255)) : value;
}

template <typename T>
bool holds(char op, T a, T b) {
  switch (op) {
    case '<':
      return a < b;
    case '>':
      return a > b;
    case 'l':
      return a <= b;
    case 'g':
      return a >= b;
    case '=':
      return a == b;
    default:
      return a != b;
  }
}

}  // namespace

Bits combine(char op, Type type, Bits a, Bits b) {
  if (type == Type::real) {
    const float x = real_of(a), y = real_of(b);
    return bits_of(op == '+' ? x + y : op == '-' ? x - y : x * y);
  }
  const bool is_signed = type == Type::integer;
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      b = (b & 15) + 1;
      return is_signed ? static_cast<Bits>(integer_of(a) / integer_of(b)) : a / b;
    case '%':
      b = (b & 15) + 1;
      return is_signed ? static_cast<Bits>(integer_of(a) % integer_of(b)) : a % b;
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<':
      return a << (b & 31);
    case '>':
      return is_signed ? static_cast<Bits>(integer_of(a) >> (b & 31)) : a >> (b & 31);
    case 'm':
      return (is_signed ? integer_of(a) < integer_of(b) : a < b) ? a : b;
    default:  // 'M'
      return (is_signed ? integer_of(a) > integer_of(b) : a > b) ? a : b;
  }
}

Bits Interpreter::builtin(int id, int t) const {
  const Bits rank = static_cast<Bits>(t);
  const std::uint32_t* const b = kernel_.block;
  const std::uint32_t* const g = kernel_.grid;
  const Bits thread[3] = {rank % b[0], rank / b[0] % b[1], rank / b[0] / b[1]};
  const Bits block[3] = {block_ % g[0], block_ / g[0] % g[1], block_ / g[0] / g[1]};
  const Bits* const all[4] = {thread, block, b, g};
  return all[id / 3][id % 3];
}

Bits Interpreter::evaluate(const Expression& e, int t) {
  using Kind = Expression::Kind;
  const auto kid = [&](std::size_t k) { return evaluate(e.kids[k], t); };
  switch (e.kind) {
    case Kind::constant:
      return e.value;
    case Kind::variable:
      return value(e.id, t);
    case Kind::element:
      return value(e.id, t, element_index(e, t));
    case Kind::builtin:
      return builtin(e.id, t);
    case Kind::binary: {
      const Bits a = kid(0);
      return combine(e.op, e.type, a, kid(1));
    }
    case Kind::compare: {
      const Bits a = kid(0), b = kid(1);
      const Type type = e.kids[0].type;
      return type == Type::real      ? holds(e.op, real_of(a), real_of(b))
             : type == Type::integer ? holds(e.op, integer_of(a), integer_of(b))
                                     : holds(e.op, a, b);
    }
    case Kind::logic:
      if (e.op == '!') {
        return kid(0) == 0;
      }
      return e.op == '&' ? kid(0) != 0 && kid(1) != 0 : kid(0) != 0 || kid(1) != 0;
    case Kind::ternary:
      return kid(0) != 0 ? kid(1) : kid(2);
    case Kind::cast:
      return convert(kid(0), e.kids[0].type, e.type);
    case Kind::own:
      return read(e.id, static_cast<Bits>(t), t);
    case Kind::other:
      return read(e.id, kid(0) % static_cast<Bits>(size_), t);
    case Kind::counter:
      return counters_[static_cast<std::size_t>(e.id)];
    case Kind::call: {
      std::vector<Bits> arguments;
      for (std::size_t k = 0; k < e.kids.size(); ++k) {
        arguments.push_back(kid(k));
      }
      const Function& function = program_.functions[static_cast<std::size_t>(e.id)];
      for (std::size_t k = 0; k < arguments.size(); ++k) {
        value(function.parameters[k], t) = arguments[k];
      }
      run(function.body, {t});
      states_[static_cast<std::size_t>(t)] = State::running;
      return results_[static_cast<std::size_t>(t)];
    }
  }
  return 0;
}

}  // namespace phpc::test
