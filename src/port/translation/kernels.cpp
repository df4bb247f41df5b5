#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <set>

#include "port/translation/translator.hpp"

/// A kernel becomes two functions: `name_thread`, with the kernel's own text, which each thread runs, and `name`, which launches
/// it.
namespace phpc::port {

namespace {

const std::string grid_parameter = "phpc::cuda::Grid phpc_grid";

/// Whether a kernel says of a parameter that no thread writes what it points to, as nvcc understands `const T* __restrict__`.
bool is_read_only(clang::QualType type) {
  return type->isPointerType() && type.isRestrictQualified() && type->getPointeeType().isConstQualified() &&
         !type->getPointeeType().isVolatileQualified() && !type->getPointeeType()->isFunctionType();
}

/// Adds the names of a file's macros without parameters whose text has `__global__`.
void add_kernel_words(const std::vector<RawToken>& tokens, std::set<std::string_view>& words) {
  for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
    if (tokens[i - 2].text == "#" && tokens[i - 1].text == "define" && tokens[i + 1].space_before) {
      for (std::size_t next = i + 1; next < tokens.size() && !tokens[next].begins_line; ++next) {
        if (tokens[next].text == "__global__") {
          words.insert(tokens[i].text);
        }
      }
    }
  }
}

}  // namespace

std::optional<std::string> Translator::template_arguments(const clang::TemplateParameterList* list,
                                                          clang::SourceLocation reference) const {
  std::string names;
  for (const clang::NamedDecl* const parameter : *list) {
    if (parameter->getName().empty()) {
      break;  // those without a name at the end have defaults
    }
    const auto name = find_name(text_, context_, parameter->getLocation(), reference, parameter->getName().str());
    if (!name) {
      return std::nullopt;
    }
    names += (names.empty() ? "" : ", ") + name->text + (parameter->isParameterPack() ? "..." : "");
  }
  return "<" + names + ">";
}

std::optional<std::string> Translator::launcher_text(const clang::FunctionDecl* kernel, const WrittenName& name,
                                                     const KernelParameters& parameters) {
  const clang::SourceLocation reference = launcher_location(kernel);
  std::string head;
  std::string call = thread_function(name);
  if (const clang::FunctionTemplateDecl* const made = kernel->getDescribedFunctionTemplate()) {
    const clang::TemplateParameterList* const list = made->getTemplateParameters();
    const auto written = text_beside(text_, context_, {list->getTemplateLoc(), list->getRAngleLoc()}, reference);
    const auto arguments = template_arguments(list, reference);
    if (!written || !arguments) {
      refuse(kernel->getLocation(), "a kernel whose template parameters come from a macro");
      return std::nullopt;
    }
    head = *written + " ";
    call += *arguments;
  }
  const auto* const linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(kernel->getLexicalDeclContext());
  if (linkage != nullptr && !linkage->hasBraces()) {
    head = "extern \"C\" " + head;
  }
  if (kernel->getStorageClass() == clang::SC_Static) {
    head += "static ";
  }
  if (kernel->isInlineSpecified()) {
    head += "inline ";
  }
  const std::string text =
      head + "void " + name.text + "(" + grid_parameter + (parameters.text.empty() ? "" : ", ") + parameters.text + ")";
  std::string arguments = "PHPC_INDICES";
  for (const clang::ParmVarDecl* const parameter : kernel->parameters()) {
    const std::string& argument = parameters.names[parameter->getFunctionScopeIndex()];
    const bool read_only = is_read_only(parameter->getType()) && !parameter->isParameterPack();
    arguments += ", " + (read_only ? "PHPC_READ_ONLY(" + argument + ")" : argument) + (parameter->isParameterPack() ? "..." : "");
  }
  std::string launch = "PHPC_LAUNCH(phpc_grid, ";
  if (const auto* const bounds = kernel->getAttr<clang::CUDALaunchBoundsAttr>()) {
    const clang::Expr* const most = bounds->getMaxThreads();
    auto written = text_beside(text_, context_, most->getSourceRange(), reference);
    if (!written && !most->isValueDependent()) {
      if (const auto value = most->getIntegerConstantExpr(context_)) {
        written = llvm::toString(*value, 10);
      }
    }
    if (written) {
      launch = "PHPC_LAUNCH_BOUNDED(phpc_grid, " + *written + ", ";
    }
  }
  return text + " { " + launch + std::string(Edit::how_mark) + ", " + call + "(" + arguments + ")) }";
}

clang::SourceLocation Translator::launcher_location(const clang::FunctionDecl* kernel) const {
  if (kernel->doesThisDeclarationHaveABody()) {
    return kernel->getBody()->getEndLoc();
  }
  return text_.end_of_macros(kernel->getEndLoc());
}

std::optional<Translator::KernelPlaces> Translator::kernel_places(const clang::FunctionDecl* kernel) {
  const clang::FunctionTypeLoc type = kernel->getFunctionTypeLoc();
  const auto open = type ? text_.place(type.getLParenLoc()) : std::nullopt;
  if (!open) {
    refuse(kernel->getLocation(), "a kernel whose parameters come from a macro");
    return std::nullopt;
  }
  const clang::SourceLocation location = kernel->getNameInfo().getBeginLoc();
  auto name = find_name(text_, context_, location, type.getLParenLoc(), kernel->getNameAsString());
  auto beside = find_name(text_, context_, location, launcher_location(kernel), kernel->getNameAsString());
  if (!name || !beside) {
    refuse(kernel->getLocation(), "a kernel whose name a macro puts together", "and another its parameters or its body");
    return std::nullopt;
  }
  return KernelPlaces{*name, *beside, *open};
}

std::string Translator::parameter_text(const clang::ParmVarDecl* parameter, const std::string& name,
                                       clang::SourceLocation reference) const {
  const bool has_name = !parameter->getName().empty();
  if (auto written = text_beside(text_, context_, parameter->getSourceRange(), reference); written && !written->empty()) {
    if (!has_name) {
      const std::size_t value = parameter->hasDefaultArg() ? written->find('=') : std::string::npos;
      written->insert(std::min(value, written->size()), value == std::string::npos ? " " + name : name + " ");
    }
    return *written;
  }
  if (parameter->hasDefaultArg() || !reference.isFileID()) {
    return "";
  }
  // A macro holds more than this parameter: its type as the compiler sees it.
  clang::PrintingPolicy policy(context_.getLangOpts());
  policy.adjustForCPlusPlus();
  std::string text;
  llvm::raw_string_ostream stream(text);
  clang::TypeName::getFullyQualifiedType(parameter->getType(), context_).print(stream, policy, name);
  return text;
}

std::optional<Translator::KernelParameters> Translator::kernel_parameters(const clang::FunctionDecl* kernel) {
  const clang::SourceLocation reference = launcher_location(kernel);
  KernelParameters parameters;
  for (const clang::ParmVarDecl* const parameter : kernel->parameters()) {
    const clang::SourceLocation location = parameter->getLocation().isValid() ? parameter->getLocation() : kernel->getLocation();
    if (parameter->getType()->isReferenceType()) {
      refuse(location, "a kernel's parameter that is a reference", "device code would read memory of the host");
      return std::nullopt;
    }
    std::string name = "phpc_" + std::to_string(parameter->getFunctionScopeIndex());
    if (!parameter->getName().empty()) {
      const auto found = find_name(text_, context_, parameter->getLocation(), reference, parameter->getNameAsString());
      name = found ? found->text : "";
    } else if (parameter->getType()->isFunctionPointerType() || parameter->getType()->isArrayType()) {
      refuse(location, "a kernel's parameter without a name");
      return std::nullopt;
    }
    const std::string written = parameter_text(parameter, name, reference);
    if (written.empty() || name.empty()) {
      refuse(location, "a kernel's parameter that comes from a macro");
      return std::nullopt;
    }
    parameters.text += (parameters.text.empty() ? "" : ", ") + written;
    parameters.names.push_back(name);
  }
  return parameters;
}

std::string Translator::thread_function(const WrittenName& name) {
  using enum WrittenName::Form;
  return name.form == plain || !name.is_beside ? name.text + "_thread"
         : name.form == pasted                 ? name.text + "##_thread"
                                               : "PHPC_THREAD_OF(" + name.text + ")";
}

void Translator::rename_to_thread_function(const WrittenName& name) {
  if (name.form == WrittenName::Form::expanded) {
    edit(name.from, 0, "PHPC_THREAD_OF(");
    edit(name.to, 0, ")");
  } else {
    edit(name.to, 0, name.form == WrittenName::Form::pasted ? "##_thread" : "_thread");
  }
}

void Translator::translate_kernel(const clang::FunctionDecl* kernel) {
  const std::optional<KernelPlaces> places = kernel_places(kernel);
  if (!places) {
    return;
  }
  const clang::TemplateSpecializationKind kind = kernel->getTemplateSpecializationKind();
  if (kind == clang::TSK_ExplicitInstantiationDefinition || kind == clang::TSK_ExplicitInstantiationDeclaration) {
    return;  // translate_instantiations() edits its text
  }
  const std::optional<KernelParameters> parameters = kernel_parameters(kernel);
  if (!parameters) {
    return;
  }
  const bool is_definition = kernel->doesThisDeclarationHaveABody();
  const bool is_specialization = kind == clang::TSK_ExplicitSpecialization;
  const bool is_template = kernel->getDescribedFunctionTemplate() != nullptr;
  const std::string comma = kernel->getNumParams() > 0 ? ", " : "";
  const Place first_parameter{places->open.path, places->open.offset + 1};
  if (!is_definition && !is_template && !is_specialization) {
    // Declared here, defined elsewhere: what is called is the launcher.
    if (!is_one_kind(kernel, *places, false)) {
      return;
    }
    remove_words(kernel);
    edit(first_parameter, 0, grid_parameter + comma);
    return;
  }
  if (!is_one_kind(kernel, *places, true)) {
    return;
  }
  replace_kernel_words(kernel);
  rename_to_thread_function(places->name);
  edit(first_parameter, 0, "PHPC_THREAD" + comma);
  if (is_definition) {
    insert_at_body(kernel, kernel->getBody());
  }
  // A template's launcher stands at its first declaration, a function's at its definition.
  const bool first = kernel->getPreviousDecl() == nullptr;
  if (is_specialization || (is_template && !first)) {
    return;
  }
  const std::optional<std::string> launcher = launcher_text(kernel, places->beside, *parameters);
  if (launcher && add_launcher(kernel, *launcher) && is_definition) {
    warn_of_steps(kernel);
  }
}

bool Translator::is_one_kind(const clang::FunctionDecl* kernel, const KernelPlaces& places, bool is_thread_function) {
  const auto [known, is_new] =
      translation_.thread_functions.try_emplace({places.open.path, places.open.offset}, is_thread_function);
  if (!is_new && known->second != is_thread_function) {
    refuse(kernel->getLocation(), "a macro that both declares and defines kernels", "use one for each");
    return false;
  }
  return true;
}

void Translator::replace_kernel_words(const clang::FunctionDecl* kernel) {
  const clang::Attr* const global = kernel->getAttr<clang::CUDAGlobalAttr>();
  for (const clang::Attr* const attribute : kernel->attrs()) {
    if (attribute == global) {
      remove_word(kernel, attribute, "PHPC_KERNEL");
    } else if (llvm::isa<clang::CUDALaunchBoundsAttr>(attribute) || llvm::isa<clang::CUDADeviceAttr>(attribute) ||
               llvm::isa<clang::CUDAHostAttr>(attribute)) {
      remove_word(kernel, attribute, "");
    }
  }
}

bool Translator::add_launcher(const clang::FunctionDecl* kernel, const std::string& launcher) {
  const clang::SourceLocation last = launcher_location(kernel);
  auto end = text_.end_of_token(last);
  if (end && !kernel->doesThisDeclarationHaveABody()) {
    const std::string_view file = text_.file_text(end->path);
    end->offset = file.find(';', end->offset);
    end = end->offset == std::string_view::npos ? std::nullopt : std::optional(Place{end->path, end->offset + 1});
  }
  if (!end) {
    refuse(kernel->getLocation(), "a kernel whose text comes from a macro");
    return false;
  }
  // A macro's text goes on over the end of a line only after a backslash.
  const bool in_macro = last.isMacroID() && !text_.sources().isMacroArgExpansion(last);
  edit(*end, 0, (in_macro ? " \\\n" : "\n") + launcher, facts_.how(kernel));
  return true;
}

void Translator::warn_of_steps(const clang::FunctionDecl* kernel) {
  const unsigned how = facts_.how(kernel);
  if ((how & in_step) == 0) {
    return;
  }
  const bool has_barriers = (how & cooperate) != 0;
  warn(kernel->getLocation(),
       "kernel '" + kernel->getNameAsString() + "' shares " +
           (has_barriers ? "volatile memory between its threads and has no __syncwarp()"
                         : "memory between its threads and has no barrier"),
       "where threads of a warp exchange values by it in step, results differ on the x86_64 device, and on the host unless "
       "clang 19 compiles it with the pass thread_lanes, which makes them go in step there");
}

void Translator::insert_at_body(const clang::FunctionDecl* function, const clang::Stmt* body) {
  if (!llvm::isa_and_nonnull<clang::CompoundStmt>(body)) {
    return;
  }
  std::string text;
  if (facts_.asks_indices(function)) {
    if (function->isConstexpr() && !llvm::isa<clang::CXXMethodDecl>(function)) {
      refuse(function->getLocation(), "thread indices in a constexpr function");
      return;
    }
    text = " PHPC_INDICES_HERE;";
  }
  for (const clang::VarDecl* const variable : facts_.shared_globals(function)) {
    const auto from = text_.place(variable->getBeginLoc());
    const auto to = text_.end_of_token(variable->getEndLoc());
    if (from && to) {
      std::vector<RawToken> specifiers;
      std::vector<RawToken> pointers;
      std::vector<RawToken> extents;
      bool after_name = false;
      for (const RawToken& token : text_.tokens(*from, *to)) {
        if (!after_name && token.text == variable->getName().str()) {
          after_name = true;
        } else {
          (after_name ? extents : specifiers).push_back(token);
        }
      }
      text += " " + shared_declaration(variable, variable->getNameAsString(), specifiers, pointers, extents);
    }
  }
  if (!text.empty()) {
    if (const auto brace = text_.end_of_token(body->getBeginLoc())) {
      edit(*brace, 0, text);
    }
  }
}

/// Makes a pointer to a kernel one to its launcher. Returns false where the type's text is not found.
/// Makes explicit instantiations, `template __global__ void scale<float>(float*);`, those of the launcher. clang keeps no place
/// of them.
void Translator::translate_instantiations() {
  const clang::SourceManager& sources = text_.sources();
  std::set<std::string> paths;
  for (unsigned entry = 0; entry < sources.local_sloc_entry_size(); ++entry) {
    const clang::SrcMgr::SLocEntry& source = sources.getLocalSLocEntry(entry);
    if (const auto begin =
            source.isFile() ? text_.place(clang::SourceLocation::getFromRawEncoding(source.getOffset())) : std::nullopt) {
      paths.insert(begin->path);
    }
  }
  // The word for a kernel, and macros that mean it.
  std::set<std::string_view> words{"__global__"};
  for (const std::string& path : paths) {
    if (text_.file_text(path).find("__global__") != std::string_view::npos) {
      add_kernel_words(text_.tokens({path, 0}, {path, text_.file_text(path).size()}), words);
    }
  }
  for (const std::string& path : paths) {
    translate_instantiations(path, words);
  }
}

void Translator::translate_instantiations(const std::string& path, const std::set<std::string_view>& words) {
  const std::string_view file = text_.file_text(path);
  if (std::ranges::none_of(words, [&](std::string_view word) { return file.find(word) != std::string_view::npos; })) {
    return;
  }
  const std::vector<RawToken> tokens = text_.tokens({path, 0}, {path, file.size()});
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].text != "template" || tokens[i + 1].text == "<") {
      continue;
    }
    std::size_t word = i + 1;
    while (word < tokens.size() && tokens[word].text != ";" && tokens[word].text != "(" && !words.contains(tokens[word].text)) {
      ++word;
    }
    if (word >= tokens.size() || !words.contains(tokens[word].text)) {
      continue;
    }
    std::size_t open = word + 1;
    const auto is_parameters = [&](std::size_t at) {
      return tokens[at].text == "(" && tokens[at - 1].text != "__launch_bounds__";
    };
    for (int depth = 0; open < tokens.size() && (depth > 0 || !is_parameters(open)); ++open) {
      depth += tokens[open].text == "<" || tokens[open].text == "("   ? 1
               : tokens[open].text == ">" || tokens[open].text == ")" ? -1
                                                                      : 0;
    }
    if (open + 1 < tokens.size()) {
      if (tokens[word].text == "__global__") {
        edit({path, tokens[word].offset}, tokens[word + 1].offset - tokens[word].offset, "");
      }
      edit({path, tokens[open].offset + 1}, 0, std::string("phpc::cuda::Grid") + (tokens[open + 1].text == ")" ? "" : ", "));
    }
  }
}

}  // namespace phpc::port
