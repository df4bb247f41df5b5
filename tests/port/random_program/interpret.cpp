#include "port/random_program/interpret.hpp"

#include <algorithm>
#include <iterator>

#include "port/random_program/interpreter.hpp"

namespace phpc::test {

void Interpreter::run_block() {
  states_.assign(static_cast<std::size_t>(size_), State::running);
  results_.assign(static_cast<std::size_t>(size_), 0);
  cells_.clear();
  counters_.clear();
  for (std::size_t c = 0; c < kernel_.counter_ops.size(); ++c) {
    counters_.push_back(neutral(kernel_.counter_ops[c], kernel_.counter_types[c]));
  }
  for (const int array : kernel_.arrays) {
    auto& cells = cells_[array];
    cells.resize(static_cast<std::size_t>(size_));
    for (int t = 0; program_.arrays[static_cast<std::size_t>(array)].place == Array::Place::global && t < size_; ++t) {
      cells[static_cast<std::size_t>(t)].value = work_[block_ * static_cast<Bits>(size_) + static_cast<Bits>(t)];
    }
  }
  Threads threads;
  for (int t = 0; t < size_; ++t) {
    threads.push_back(t);
    value(kernel_.rank, t) = static_cast<Bits>(t);
    value(kernel_.threads, t) = static_cast<Bits>(size_);
    value(kernel_.block_rank, t) = block_;
    for (std::size_t p = 0; p < kernel_.parameters.size(); ++p) {
      value(kernel_.parameters[p], t) = kernel_.arguments[p];
    }
  }
  live_ = threads;
  run(kernel_.body, threads);
  for (const int array : kernel_.arrays) {
    for (int t = 0; program_.arrays[static_cast<std::size_t>(array)].place == Array::Place::global && t < size_; ++t) {
      work_[block_ * static_cast<Bits>(size_) + static_cast<Bits>(t)] = cells_[array][static_cast<std::size_t>(t)].value;
    }
  }
}

void Interpreter::run_loop(const Statement& s, const Threads& threads) {
  using Kind = Statement::Kind;
  const Body& body = s.bodies[0];
  Threads inside = threads;
  const bool counted = s.kind == Kind::for_loop;
  if (counted) {
    for (const int t : inside) {
      value(s.ids[0], t) = evaluate(s.values[0], t);
      if (s.ids.size() > 1) {
        value(s.ids[1], t) = evaluate(s.values[2], t);
      }
    }
  }
  for (bool first = true;; first = false) {
    if (counted) {
      inside = where(inside, s.values[1]);
    } else if (s.kind == Kind::while_loop || !first) {
      Threads further;
      for (const int t : inside) {
        if (value(s.ids[0], t) != 0 && evaluate(s.values[0], t) != 0) {
          further.push_back(t);
        }
      }
      inside = further;
    }
    if (inside.empty()) {
      break;
    }
    for (const int t : inside) {
      if (!counted) {
        --value(s.ids[0], t);
      }
    }
    run(body, inside);
    take_back(inside, State::going_on);
    inside = running(inside);
    for (const int t : inside) {
      if (counted) {
        value(s.ids[0], t) += static_cast<Bits>(s.step);
        if (s.ids.size() > 1) {
          value(s.ids[1], t) += 3;
        }
      }
    }
  }
  take_back(threads, State::left);
}

void Interpreter::run_switch(const Statement& s, const Threads& threads) {
  const std::size_t cases = s.bodies.size();
  std::vector<Threads> entering(cases);
  for (const int t : threads) {
    const Bits chosen = evaluate(s.values[0], t);
    entering[std::min<std::size_t>(chosen, cases - 1)].push_back(t);
  }
  Threads inside;
  for (std::size_t k = 0; k < cases; ++k) {
    inside = running(inside);
    inside.insert(inside.end(), entering[k].begin(), entering[k].end());
    std::sort(inside.begin(), inside.end());
    run(s.bodies[k], inside);
    if (!s.flags[k]) {
      inside.clear();
    }
  }
  take_back(threads, State::left);
}

void Interpreter::run_call(const Statement& s, const Threads& threads) {
  const Function& function = program_.functions[static_cast<std::size_t>(s.id)];
  if (function.array >= 0) {
    bound_[static_cast<std::size_t>(function.array)] = bound_[static_cast<std::size_t>(s.ids[0])];
  }
  if (function.own_array >= 0) {
    cells_[function.own_array].resize(static_cast<std::size_t>(size_));
  }
  for (std::size_t p = 0; p < function.parameters.size(); ++p) {
    const int parameter = function.parameters[p];
    const Expression& argument = s.values[p + 1];
    if (program_.variables[static_cast<std::size_t>(parameter)].alias) {
      aliases_[static_cast<std::size_t>(parameter)] = {argument.id, 0};
      continue;
    }
    for (const int t : threads) {
      value(parameter, t) = evaluate(argument, t);
    }
  }
  for (const int t : threads) {
    if (function.rank >= 0) {
      value(function.rank, t) = static_cast<Bits>(t);
      value(function.threads, t) = static_cast<Bits>(size_);
    }
  }
  ++depth_;
  run(function.body, threads);
  --depth_;
  take_back(threads, State::returned);
  for (const int t : threads) {
    assign(s.values[0], t, results_[static_cast<std::size_t>(t)]);
  }
}

void Interpreter::run_warps(const Statement& s, const Threads& threads) {
  std::map<int, Bits> given;
  for (const int t : threads) {
    given[t] = evaluate(s.values[1], t);
  }
  for (const int t : threads) {
    const int warp = t / 32 * 32, lane = t % 32, lanes = std::min(32, size_ - warp);
    Bits result = 0;
    if (s.kind == Statement::Kind::vote) {
      int count = 0;
      for (int l = 0; l < lanes; ++l) {
        const bool yes = given.at(warp + l) != 0;
        result |= (yes ? 1u : 0u) << l;
        count += yes;
      }
      result = s.op == 'b' ? result : s.op == '|' ? count > 0 : count == lanes;
    } else {
      const int by = static_cast<int>(evaluate(s.values[2], t) % 32), part = s.id, first = lane / part * part;
      int from = lane;
      if (s.op == 'i') {
        from = (lane + by) % lanes;
      } else if (s.op == 'u') {
        from = lane - by % part >= first ? lane - by % part : lane;
      } else if (s.op == 'd') {
        from = lane + by % part < first + part ? lane + by % part : lane;
      } else {
        from = lane ^ (by % part);
      }
      result = given.at(warp + from);
    }
    assign(s.values[0], t, result);
  }
}

void Interpreter::run(const Statement& s, const Threads& threads) {
  using Kind = Statement::Kind;
  switch (s.kind) {
    case Kind::declare:
      for (const int t : threads) {
        std::size_t next = 0;
        for (const int id : s.ids) {
          const Variable& variable = program_.variables[static_cast<std::size_t>(id)];
          for (int k = 0; k < std::max(1, variable.size); ++k, ++next) {
            const Bits bits = evaluate(s.values[next], t);
            value(id, t, k) = variable.type == Type::real ? bits_of(folded(real_of(bits))) : bits;
          }
        }
      }
      return;
    case Kind::alias:
      aliases_[static_cast<std::size_t>(s.ids[0])] = {s.ids[1], s.ids[2]};
      return;
    case Kind::assign:
      for (const int t : threads) {
        const Bits bits = evaluate(s.values[1], t);
        const Type type = s.values[0].type;
        assign(s.values[0], t,
               type == Type::real ? bits_of(folded(real_of(bits)))
               : s.op != 0        ? combine(s.op, type, evaluate(s.values[0], t), bits)
                                  : bits);
      }
      return;
    case Kind::increment:
      for (const int t : threads) {
        assign(s.values[0], t, evaluate(s.values[0], t) + (s.op == '+' ? 1u : ~0u));
      }
      return;
    case Kind::if_else: {
      const Threads chosen = where(threads, s.values[0]);
      Threads rest;
      std::set_difference(threads.begin(), threads.end(), chosen.begin(), chosen.end(), std::back_inserter(rest));
      run(s.bodies[0], chosen);
      run(s.bodies[1], rest);
      return;
    }
    case Kind::for_loop:
    case Kind::while_loop:
    case Kind::do_loop:
      return run_loop(s, threads);
    case Kind::switch_case:
      return run_switch(s, threads);
    case Kind::leave:
    case Kind::go_on:
      for (const int t : threads) {
        states_[static_cast<std::size_t>(t)] = s.kind == Kind::leave ? State::left : State::going_on;
      }
      return;
    case Kind::give_back:
      for (const int t : threads) {
        if (!s.values.empty()) {
          results_[static_cast<std::size_t>(t)] = evaluate(s.values[0], t);
        } else if (depth_ == 0) {
          std::erase(live_, t);
        }
        states_[static_cast<std::size_t>(t)] = State::returned;
      }
      return;
    case Kind::barrier:
      return barrier(threads);
    case Kind::barrier_vote: {
      Bits count = 0;
      for (const int t : threads) {
        count += evaluate(s.values[1], t) != 0;
      }
      barrier(threads);
      const Bits all = static_cast<Bits>(threads.size());
      for (const int t : threads) {
        assign(s.values[0], t, s.op == 'c' ? count : s.op == '&' ? count == all : count > 0);
      }
      return;
    }
    case Kind::call:
      return run_call(s, threads);
    case Kind::atomic:
      for (const int t : threads) {
        const Bits bits = evaluate(s.values[0], t);
        Bits& place = s.flags[0] ? totals_[s.id] : counters_[static_cast<std::size_t>(s.id)];
        place = combine(s.op, s.flags[0] ? Type::natural : kernel_.counter_types[static_cast<std::size_t>(s.id)], place, bits);
      }
      return;
    case Kind::shuffle:
    case Kind::vote:
      return run_warps(s, threads);
    case Kind::block:
      return run(s.bodies[0], threads);
    case Kind::output:
      for (const int t : threads) {
        const std::size_t thread = block_ * static_cast<std::size_t>(size_) + static_cast<std::size_t>(t);
        out_[thread * static_cast<std::size_t>(kernel_.outputs) + static_cast<std::size_t>(s.id)] = evaluate(s.values[0], t);
      }
      return;
    case Kind::store_own:
      for (const int t : threads) {
        const Bits bits = evaluate(s.values[0], t);
        const bool real = program_.arrays[static_cast<std::size_t>(s.id)].type == Type::real;
        write(s.id, static_cast<Bits>(t), t, real ? bits_of(folded(real_of(bits))) : bits);
      }
      return;
  }
}

std::uint64_t expected_hash(const Program& program, const Kernel& kernel) {
  return Interpreter(program, kernel).run();
}

}  // namespace phpc::test
