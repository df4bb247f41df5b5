#include "port/random_program/print.hpp"

#include <bit>
#include <set>

namespace phpc::test {
namespace {

const char* name_of(Type type) {
  return type == Type::integer ? "int" : type == Type::natural ? "unsigned" : "float";
}

std::string constant(Type type, std::uint32_t bits) {
  if (type == Type::natural) {
    return std::to_string(bits) + "u";
  }
  if (type == Type::real) {
    const int value = static_cast<int>(std::bit_cast<float>(bits));
    return value < 0 ? "(" + std::to_string(value) + ".0f)" : std::to_string(value) + ".0f";
  }
  const auto value = static_cast<std::int32_t>(bits);
  return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
}

const char* sign_of(char op) {
  switch (op) {
    case '<':
      return "<";
    case '>':
      return ">";
    case 'l':
      return "<=";
    case 'g':
      return ">=";
    case '=':
      return "==";
    default:
      return "!=";
  }
}

const char* atomic_name(char op) {
  switch (op) {
    case '+':
      return "atomicAdd";
    case '^':
      return "atomicXor";
    case '|':
      return "atomicOr";
    case '&':
      return "atomicAnd";
    case 'm':
      return "atomicMin";
    default:
      return "atomicMax";
  }
}

class Printer {
 public:
  Printer(const Program& program, bool plain) : program_(program), plain_(plain) {}

  std::string functions();
  std::string kernel(const Kernel& kernel);

 private:
  [[nodiscard]] const Variable& variable(int id) const { return program_.variables[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const Array& array(int id) const { return program_.arrays[static_cast<std::size_t>(id)]; }

  [[nodiscard]] std::string use(int id) const {
    return variable(id).pointer ? "(*" + variable(id).name + ")" : variable(id).name;
  }
  [[nodiscard]] std::string binary(const Expression& e) const;
  [[nodiscard]] std::string text(const Expression& e) const;
  [[nodiscard]] std::string bare(const Expression& e) const;
  [[nodiscard]] std::string list(const std::vector<Expression>& values, std::size_t first) const;
  [[nodiscard]] std::string folded(const Expression& e) const {
    return e.type == Type::real && e.kind != Expression::Kind::variable ? "(float)((int)(" + bare(e) + ") % 1009)" : bare(e);
  }

  void line(const std::string& words) { out_ += std::string(indent_, ' ') + words + "\n"; }
  void body(const Body& statements) {
    indent_ += 2;
    for (const Statement& statement : statements) {
      print(statement);
    }
    indent_ -= 2;
  }
  void braced(const std::string& head, const Body& statements, const std::string& tail = "");
  void parameters(const std::vector<int>& ids, std::string& words) const;
  void print(const Statement& s);
  void print_declarations(const Statement& s);
  void print_loop(const Statement& s);
  void print_switch(const Statement& s);
  void print_warp(const Statement& s);
  void print_prologue(const Kernel& kernel);
  [[nodiscard]] std::string shared() const { return plain_ ? "static " : "__shared__ "; }

  const Program& program_;
  bool plain_;
  const Kernel* kernel_ = nullptr;
  std::string out_;
  std::size_t indent_ = 0;
};

std::string Printer::bare(const Expression& e) const {
  std::string words = text(e);
  int depth = 0;
  for (std::size_t k = 0; k + 1 < words.size(); ++k) {
    depth += words[k] == '(' ? 1 : words[k] == ')' ? -1 : 0;
    if (depth == 0) {
      return words;
    }
  }
  return words.size() > 2 && words[0] == '(' ? words.substr(1, words.size() - 2) : words;
}

std::string Printer::list(const std::vector<Expression>& values, std::size_t first) const {
  std::string words;
  for (std::size_t k = first; k < values.size(); ++k) {
    words += (k > first ? ", " : "") + bare(values[k]);
  }
  return words;
}

std::string Printer::binary(const Expression& e) const {
  const std::string a = text(e.kids[0]), b = text(e.kids[1]);
  const bool is_signed = e.type == Type::integer;
  switch (e.op) {
    case '+':
    case '-':
    case '*':
      if (is_signed) {
        return "(int)((unsigned)" + a + " " + e.op + " (unsigned)" + b + ")";
      }
      return "(" + a + " " + e.op + " " + b + ")";
    case '/':
    case '%':
      return "(" + a + " " + e.op + (is_signed ? " ((" + b + " & 15) + 1))" : " ((" + b + " & 15u) + 1u))");
    case '<':
    case '>':
      return "(" + a + (e.op == '<' ? " << (" : " >> (") + b + " & 31))";
    case 'm':
    case 'M':
      return (e.op == 'm' ? "min(" : "max(") + bare(e.kids[0]) + ", " + bare(e.kids[1]) + ")";
    default:
      return "(" + a + " " + e.op + " " + b + ")";
  }
}

std::string Printer::text(const Expression& e) const {
  using Kind = Expression::Kind;
  static const char* const builtins[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
  switch (e.kind) {
    case Kind::constant:
      return constant(e.type, e.value);
    case Kind::variable:
      return use(e.id);
    case Kind::element:
      return variable(e.id).name + "[" + text(e.kids[0]) + " % " + std::to_string(variable(e.id).size) + "u]";
    case Kind::builtin:
      return std::string(builtins[e.id / 3]) + "." + "xyz"[e.id % 3];
    case Kind::binary:
      return binary(e);
    case Kind::compare:
      return "(" + text(e.kids[0]) + " " + sign_of(e.op) + " " + text(e.kids[1]) + ")";
    case Kind::logic:
      return e.op == '!' ? "!" + text(e.kids[0])
                         : "(" + text(e.kids[0]) + (e.op == '&' ? " && " : " || ") + text(e.kids[1]) + ")";
    case Kind::ternary:
      return "(" + text(e.kids[0]) + " ? " + text(e.kids[1]) + " : " + text(e.kids[2]) + ")";
    case Kind::cast:
      if (e.type == Type::real && e.kids[0].type != Type::real) {
        return "(float)(" + text(e.kids[0]) + " & 255)";
      }
      return e.type == Type::natural && e.kids[0].type == Type::real ? "(unsigned)(int)" + text(e.kids[0])
                                                                     : "(" + std::string(name_of(e.type)) + ")" + text(e.kids[0]);
    case Kind::own:
      return array(e.id).name + "[t]";
    case Kind::other:
      return array(e.id).name + "[" + text(e.kids[0]) + " % n]";
    case Kind::counter:
      return "counters" + std::to_string(e.id);
    case Kind::call:
      return program_.functions[static_cast<std::size_t>(e.id)].name + "(" + list(e.kids, 0) + ")";
  }
  return "";
}

bool is_simple(const Body& body) {
  using Kind = Statement::Kind;
  static const std::set<Kind> kinds = {Kind::assign,    Kind::increment, Kind::leave,        Kind::go_on,
                                       Kind::give_back, Kind::barrier,   Kind::barrier_vote, Kind::call,
                                       Kind::atomic,    Kind::store_own, Kind::output};
  return body.size() == 1 && kinds.contains(body[0].kind);
}

/// A head and its statements: with braces, or without where there is one simple statement whose `step` asks for it.
void Printer::braced(const std::string& head, const Body& statements, const std::string& tail) {
  if (tail.empty() && is_simple(statements) && statements[0].step == 2) {
    line(head);
    body(statements);
    return;
  }
  line(head + (head.empty() ? "{" : " {"));
  body(statements);
  line("}" + tail);
}

void Printer::print_declarations(const Statement& s) {
  std::string words = name_of(variable(s.ids[0]).type);
  std::size_t next = 0;
  for (std::size_t k = 0; k < s.ids.size(); ++k) {
    const Variable& v = variable(s.ids[k]);
    words += (k == 0 ? " " : ", ") + v.name;
    if (v.size == 0) {
      words += " = " + folded(s.values[next++]);
      continue;
    }
    words += "[" + std::to_string(v.size) + "] = {";
    for (int i = 0; i < v.size; ++i) {
      words += (i == 0 ? "" : ", ") + folded(s.values[next++]);
    }
    words += "}";
  }
  line(words + ";");
}

void Printer::print_loop(const Statement& s) {
  using Kind = Statement::Kind;
  const Variable& counter = variable(s.ids[0]);
  if (s.kind == Kind::for_loop) {
    const std::string by = s.step == 1    ? "++" + counter.name
                           : s.step == -1 ? "--" + counter.name
                                          : counter.name + " += " + std::to_string(s.step);
    std::string head = "for (" + std::string(name_of(counter.type)) + " " + counter.name + " = " + bare(s.values[0]);
    if (s.ids.size() > 1) {
      head += ", " + variable(s.ids[1]).name + " = " + bare(s.values[2]);
    }
    head += "; " + bare(s.values[1]) + "; " + by + (s.ids.size() > 1 ? ", " + variable(s.ids[1]).name + " += 3" : "") + ")";
    if (s.id == 1) {
      line("#pragma unroll");
    }
    return braced(head, s.bodies[0]);
  }
  const std::string condition = "(" + counter.name + " != 0 && " + text(s.values[0]) + ")";
  line(s.kind == Kind::while_loop ? "while " + condition + " {" : "do {");
  indent_ += 2;
  line("--" + counter.name + ";");
  indent_ -= 2;
  body(s.bodies[0]);
  line(s.kind == Kind::while_loop ? "}" : "} while " + condition + ";");
}

void Printer::print_switch(const Statement& s) {
  line("switch (" + bare(s.values[0]) + ") {");
  indent_ += 2;
  for (std::size_t k = 0; k < s.bodies.size(); ++k) {
    const bool last = k + 1 == s.bodies.size();
    line((last ? "default" : "case " + std::to_string(k)) + ": {");
    body(s.bodies[k]);
    line("}");
    if (!s.flags[k]) {
      line("break;");
    } else if (!last) {
      line("[[fallthrough]];");
    }
  }
  indent_ -= 2;
  line("}");
}

void Printer::print_warp(const Statement& s) {
  const std::string to = text(s.values[0]) + " = ", value = bare(s.values[1]);
  if (s.kind == Statement::Kind::vote) {
    const std::string name = s.op == 'b' ? "__ballot_sync" : s.op == '|' ? "__any_sync" : "__all_sync";
    const std::string call = name + "(lanes_mask, " + value + ")";
    return line(to + (s.op == 'b' ? (s.values[0].type == Type::integer ? "(int)" : "") + call : "(" + call + " != 0)") + ";");
  }
  const std::string by = text(s.values[2]), part = std::to_string(s.id);
  if (s.op == 'i') {
    return line(to + "__shfl_sync(lanes_mask, " + value + ", (lane + (" + by + " & 31u)) % lanes);");
  }
  const std::string name = s.op == 'u' ? "__shfl_up_sync" : s.op == 'd' ? "__shfl_down_sync" : "__shfl_xor_sync";
  line(to + name + "(lanes_mask, " + value + ", " + by + " & " + std::to_string(s.id - 1) + "u" +
       (s.id == 32 ? ");" : ", " + part + ");"));
}

void Printer::print(const Statement& s) {
  using Kind = Statement::Kind;
  switch (s.kind) {
    case Kind::declare:
      return print_declarations(s);
    case Kind::alias: {
      const Variable &alias = variable(s.ids[0]), &target = variable(s.ids[1]);
      const std::string place = target.size > 0 ? target.name + "[" + std::to_string(s.ids[2]) + "]" : use(s.ids[1]);
      return line(std::string(name_of(alias.type)) + (alias.pointer ? "* " : "& ") + alias.name + " = " +
                  (alias.pointer ? "&" : "") + place + ";");
    }
    case Kind::assign: {
      const std::string op = s.op == 0 ? " = " : std::string(" ") + s.op + "= ";
      return line(text(s.values[0]) + op + folded(s.values[1]) + ";");
    }
    case Kind::increment:
      return line(text(s.values[0]) + s.op + s.op + ";");
    case Kind::if_else:
      braced("if (" + bare(s.values[0]) + ")", s.bodies[0]);
      if (!s.bodies[1].empty()) {
        braced("else", s.bodies[1]);
      }
      return;
    case Kind::for_loop:
    case Kind::while_loop:
    case Kind::do_loop:
      return print_loop(s);
    case Kind::switch_case:
      return print_switch(s);
    case Kind::leave:
      return line("break;");
    case Kind::go_on:
      return line("continue;");
    case Kind::give_back:
      return line(s.values.empty() ? "return;" : "return " + bare(s.values[0]) + ";");
    case Kind::barrier:
      return line("__syncthreads();");
    case Kind::barrier_vote: {
      const std::string vote = s.op == 'c' ? "__syncthreads_count(" : s.op == '&' ? "__syncthreads_and(" : "__syncthreads_or(";
      return line(text(s.values[0]) + " = " + vote + bare(s.values[1]) + ")" + (s.op == 'c' ? "" : " != 0") + ";");
    }
    case Kind::call: {
      const Function& function = program_.functions[static_cast<std::size_t>(s.id)];
      std::string words = function.array >= 0 ? array(s.ids[0]).name : "";
      const std::string rest = list(s.values, 1);
      words += words.empty() || rest.empty() ? rest : ", " + rest;
      return line(text(s.values[0]) + " = " + function.name + "(" + words + ");");
    }
    case Kind::atomic:
      return line(std::string(atomic_name(s.op)) + "(&" +
                  (s.flags[0] ? "totals[" + std::to_string(s.id) + "]" : "counters" + std::to_string(s.id)) + ", " +
                  bare(s.values[0]) + ");");
    case Kind::shuffle:
    case Kind::vote:
      return print_warp(s);
    case Kind::block:
      return braced("", s.bodies[0]);
    case Kind::output: {
      const std::string place = kernel_->shifts_out ? "" : "(b * n + t) * " + std::to_string(kernel_->outputs) + "u + ";
      return line("out[" + place + std::to_string(s.id) + (kernel_->shifts_out ? "" : "u") + "] = " + bare(s.values[0]) + ";");
    }
    case Kind::store_own:
      return line(array(s.id).name + "[t] = " + folded(s.values[0]) + ";");
  }
}

void Printer::parameters(const std::vector<int>& ids, std::string& words) const {
  for (const int id : ids) {
    const Variable& v = variable(id);
    words += (words.back() == '(' ? "" : ", ") + std::string(name_of(v.type)) + (v.alias ? "& " : " ") + v.name;
  }
}

std::string Printer::functions() {
  for (const Function& function : program_.functions) {
    std::string head = "__device__ " + std::string(name_of(function.type)) + " " + function.name + "(";
    if (function.array >= 0) {
      head += std::string(name_of(array(function.array).type)) + "* " + array(function.array).name;
    }
    parameters(function.parameters, head);
    line(head + ") {");
    indent_ = 2;
    if (function.barriers) {
      line("const unsigned t = thread_rank(), n = blockDim.x * blockDim.y * blockDim.z;");
    }
    if (function.own_array >= 0) {
      const Array& own = array(function.own_array);
      line(shared() + name_of(own.type) + " " + own.name + "[" + std::to_string(largest_block) + "];");
    }
    indent_ = 0;
    body(function.body);
    line("}\n");
  }
  return std::move(out_);
}

void Printer::print_prologue(const Kernel& kernel) {
  const std::string size = kernel.is_template ? "Size" : std::to_string(kernel.threads_per_block());
  const bool flat = kernel.block[1] * kernel.block[2] == 1;
  line("const unsigned t = " + std::string(flat ? "threadIdx.x" : "thread_rank()") + ";");
  line("const unsigned n = " + std::string(flat ? "blockDim.x" : "blockDim.x * blockDim.y * blockDim.z") + ";");
  line("const unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;");
  line("work += b * n;");
  if (kernel.shifts_out) {
    line("out += (b * n + t) * " + std::to_string(kernel.outputs) + "u;");
  }
  if (kernel.has_warps) {
    line("const unsigned lane = t % 32u, lanes = min(32u, n - t / 32u * 32u);");
    line("const unsigned lanes_mask = lanes == 32u ? 0xffffffffu : (1u << lanes) - 1u;");
  }
  int cut = 0;
  for (const int id : kernel.arrays) {
    const Array& a = array(id);
    const std::string type = name_of(a.type);
    if (a.place == Array::Place::fixed) {
      line(shared() + type + " " + a.name + "[" + size + "];");
    } else if (a.place == Array::Place::dynamic) {
      if (cut == 0) {
        line(plain_ ? "unsigned* const dynamic = dynamic_memory;" : "extern __shared__ unsigned dynamic[];");
      }
      line(type + "* " + a.name + " = (" + type + "*)(dynamic + " + std::to_string(cut++) + " * n);");
    }
  }
  for (std::size_t c = 0; c < kernel.counter_ops.size(); ++c) {
    line(shared() + name_of(kernel.counter_types[c]) + " counters" + std::to_string(c) + ";");
  }
  if (!kernel.counter_ops.empty()) {
    line("if (t == 0) {");
    for (std::size_t c = 0; c < kernel.counter_ops.size(); ++c) {
      const std::uint32_t first = neutral(kernel.counter_ops[c], kernel.counter_types[c]);
      line("  counters" + std::to_string(c) + " = (" + name_of(kernel.counter_types[c]) + ")" + std::to_string(first) + "u;");
    }
    line("}");
  }
}

std::string Printer::kernel(const Kernel& kernel) {
  kernel_ = &kernel;
  if (kernel.is_template) {
    line("template <int Size>");
  }
  std::string head = "__global__ void " + kernel.name + "(unsigned* out, unsigned* work, unsigned* totals";
  parameters(kernel.parameters, head);
  line(head + ") {");
  indent_ = 2;
  print_prologue(kernel);
  indent_ = 0;
  body(kernel.body);
  line("}\n");
  return std::move(out_);
}

std::string launch(const Program& program, const Kernel& kernel, bool plain) {
  const auto size = [](const std::uint32_t* s) {
    std::string words = std::to_string(s[0]);
    if (s[1] == 1 && s[2] == 1) {
      return words;
    }
    return "dim3(" + words + ", " + std::to_string(s[1]) + (s[2] == 1 ? ")" : ", " + std::to_string(s[2]) + ")");
  };
  int dynamic = 0;
  for (const int id : kernel.arrays) {
    dynamic += program.arrays[static_cast<std::size_t>(id)].place == Array::Place::dynamic;
  }
  const std::string name = kernel.name + (kernel.is_template ? "<" + std::to_string(kernel.threads_per_block()) + ">" : "");
  std::string arguments = "(memory.out, memory.work, memory.totals";
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    arguments += ", " + constant(program.variables[static_cast<std::size_t>(kernel.parameters[p])].type, kernel.arguments[p]);
  }
  arguments += ")";
  if (plain) {
    return "launch(" + size(kernel.grid) + ", " + size(kernel.block) + ", [&] { " + name + arguments + "; });";
  }
  const std::string bytes =
      std::to_string(static_cast<std::uint32_t>(dynamic) * kernel.threads_per_block()) + " * sizeof(unsigned)";
  return name + "<<<" + size(kernel.grid) + ", " + size(kernel.block) + (dynamic > 0 ? ", " + bytes : "") + ">>>" + arguments +
         ";";
}

}  // namespace

std::string print_functions(const Program& program, bool plain) {
  return Printer(program, plain).functions();
}

std::string print_kernel(const Program& program, const Kernel& kernel, std::uint64_t hash, bool plain) {
  const std::uint32_t threads = kernel.blocks() * kernel.threads_per_block();
  std::string words = Printer(program, plain).kernel(kernel);
  words += "static bool run_" + kernel.name + "() {\n";
  words += "  Memory memory(" + std::to_string(threads * static_cast<std::uint32_t>(kernel.outputs)) + ", " +
           std::to_string(threads) + ");\n";
  words += "  " + launch(program, kernel, plain) + "\n";
  words += "  return memory.right(\"" + kernel.name + "\", " + std::to_string(hash) + "u);\n}\n\n";
  return words;
}

}  // namespace phpc::test
