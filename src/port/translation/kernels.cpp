#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Lexer.h>

#include "port/translation/translator.hpp"

/// A kernel becomes two functions: `name_thread`, with the kernel's own text, which each thread runs, and `name`, which launches
/// it.
namespace phpc::port {

namespace {

const std::string grid_parameter = "phpc::cuda::Grid phpc_grid";

/// The names of template parameters as arguments: "<T, N, Rest...>". Those without a name at the end have defaults.
std::string template_arguments(const clang::TemplateParameterList* parameters) {
  std::string names;
  for (const clang::NamedDecl* const parameter : *parameters) {
    if (parameter->getName().empty()) {
      break;
    }
    names += (names.empty() ? "" : ", ") + parameter->getName().str() + (parameter->isParameterPack() ? "..." : "");
  }
  return "<" + names + ">";
}

/// Whether a kernel says of a parameter that no thread writes what it points to, as nvcc understands `const T* __restrict__`.
bool is_read_only(clang::QualType type) {
  return type->isPointerType() && type.isRestrictQualified() && type->getPointeeType().isConstQualified() &&
         !type->getPointeeType().isVolatileQualified() && !type->getPointeeType()->isFunctionType();
}

}  // namespace

std::string Translator::launcher_text(const clang::FunctionDecl* kernel, const std::string& name, const std::string& function,
                                      const std::string& parameters) {
  std::string head;
  std::string call = function;
  if (const clang::FunctionTemplateDecl* const made = kernel->getDescribedFunctionTemplate()) {
    const clang::TemplateParameterList* const list = made->getTemplateParameters();
    const clang::SourceLocation reference = kernel->getFunctionTypeLoc().getLParenLoc();
    const auto from = text_.place(text_.beside(list->getTemplateLoc(), reference, false));
    const auto to = text_.end_of_token(text_.beside(list->getRAngleLoc(), reference, true));
    const auto written = from && to ? text_.one_line(*from, *to) : std::nullopt;
    if (!written) {
      refuse(kernel->getLocation(), "a kernel whose template parameters come from a macro");
      return "";
    }
    head = *written + " ";
    call += template_arguments(list);
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
  const std::string text = head + "void " + name + "(" + grid_parameter + (parameters.empty() ? "" : ", ") + parameters + ")";
  std::string arguments = "PHPC_INDICES";
  for (const clang::ParmVarDecl* const parameter : kernel->parameters()) {
    const std::string argument = parameter->getName().empty() ? "phpc_" + std::to_string(parameter->getFunctionScopeIndex())
                                                              : parameter->getNameAsString();
    const bool read_only = is_read_only(parameter->getType()) && !parameter->isParameterPack();
    arguments += ", " + (read_only ? "PHPC_READ_ONLY(" + argument + ")" : argument) + (parameter->isParameterPack() ? "..." : "");
  }
  std::string launch = "PHPC_LAUNCH(phpc_grid, ";
  if (const auto* const bounds = kernel->getAttr<clang::CUDALaunchBoundsAttr>()) {
    const clang::SourceLocation reference = kernel->getFunctionTypeLoc().getLParenLoc();
    const auto from = text_.place(text_.beside(bounds->getMaxThreads()->getBeginLoc(), reference, false));
    const auto to = text_.end_of_token(text_.beside(bounds->getMaxThreads()->getEndLoc(), reference, true));
    if (const auto written = from && to ? text_.one_line(*from, *to) : std::nullopt) {
      launch = "PHPC_LAUNCH_BOUNDED(phpc_grid, " + *written + ", ";
    }
  }
  return text + " { " + launch + std::string(Edit::how_mark) + ", " + call + "(" + arguments + ")) }";
}

std::optional<Translator::KernelPlaces> Translator::kernel_places(const clang::FunctionDecl* kernel) {
  const clang::FunctionTypeLoc type = kernel->getFunctionTypeLoc();
  // The name may be an argument of the macro that makes the kernel: there it is known as the macro's parameter.
  clang::SourceLocation name_location = kernel->getNameInfo().getBeginLoc();
  const bool named_by_argument = name_location.isMacroID() && text_.sources().isMacroArgExpansion(name_location);
  if (named_by_argument) {
    name_location = text_.sources().getImmediateExpansionRange(name_location).getBegin();
  }
  const auto name = text_.place(name_location);
  const auto open = type ? text_.place(type.getLParenLoc()) : std::nullopt;
  const auto close = type ? text_.place(type.getRParenLoc()) : std::nullopt;
  if (!name || !open || !close || name->path != open->path || open->path != close->path || close->offset < open->offset) {
    refuse(kernel->getLocation(), "a kernel whose name or parameters come from a macro");
    return std::nullopt;
  }
  return KernelPlaces{*name, *open, named_by_argument};
}

std::optional<std::string> Translator::kernel_parameters(const clang::FunctionDecl* kernel, const KernelPlaces& places) {
  const clang::SourceLocation reference = kernel->getFunctionTypeLoc().getLParenLoc();
  std::string parameters;
  for (const clang::ParmVarDecl* const parameter : kernel->parameters()) {
    const auto from = text_.place(text_.beside(parameter->getBeginLoc(), reference, false));
    const auto to = text_.end_of_token(text_.beside(parameter->getEndLoc(), reference, true));
    auto written = from && to && from->path == places.open.path ? text_.one_line(*from, *to) : std::nullopt;
    if (!written || written->empty()) {
      refuse(parameter->getLocation().isValid() ? parameter->getLocation() : kernel->getLocation(),
             "a kernel's parameter that comes from a macro");
      return std::nullopt;
    }
    if (parameter->getName().empty()) {
      if (parameter->getType()->isFunctionPointerType() || parameter->getType()->isArrayType()) {
        refuse(parameter->getBeginLoc(), "a kernel's parameter without a name");
        return std::nullopt;
      }
      *written += " phpc_" + std::to_string(parameter->getFunctionScopeIndex());
    }
    if (parameter->getType()->isReferenceType()) {
      refuse(parameter->getBeginLoc(), "a kernel's parameter that is a reference", "device code would read memory of the host");
      return std::nullopt;
    }
    parameters += (parameters.empty() ? "" : ", ") + *written;
  }
  return parameters;
}

std::optional<Translator::KernelName> Translator::kernel_name(const clang::FunctionDecl* kernel, const KernelPlaces& places) {
  if (!places.named_by_argument) {
    return KernelName{kernel->getNameAsString(), "_thread"};
  }
  const std::vector<RawToken> tokens = text_.tokens(places.name, places.open);
  if (tokens.empty() || text_.file_text(places.name.path).substr(tokens.front().offset + tokens.front().text.size(), 2) == "##") {
    refuse(kernel->getLocation(), "a kernel whose name a macro puts together");
    return std::nullopt;
  }
  return KernelName{std::string(tokens.front().text), "##_thread"};
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
  const std::optional<std::string> parameters = kernel_parameters(kernel, *places);
  const std::optional<KernelName> name = parameters ? kernel_name(kernel, *places) : std::nullopt;
  if (!name) {
    return;
  }
  const bool is_definition = kernel->doesThisDeclarationHaveABody();
  const bool is_specialization = kind == clang::TSK_ExplicitSpecialization;
  const bool is_template = kernel->getDescribedFunctionTemplate() != nullptr;
  const std::string comma = kernel->getNumParams() > 0 ? ", " : "";
  const Place first_parameter{places->open.path, places->open.offset + 1};
  if (!is_definition && !is_template && !is_specialization) {
    // Declared here, defined elsewhere: what is called is the launcher.
    remove_words(kernel);
    edit(first_parameter, 0, grid_parameter + comma);
    return;
  }
  replace_kernel_words(kernel);
  edit({places->name.path, places->name.offset + name->written.size()}, 0, name->suffix);
  edit(first_parameter, 0, "PHPC_THREAD" + comma);
  if (is_definition) {
    insert_at_body(kernel, kernel->getBody());
  }
  // A template's launcher stands at its first declaration, a function's at its definition.
  const bool first = kernel->getPreviousDecl() == nullptr;
  if (is_specialization || (is_template && !first)) {
    return;
  }
  if (add_launcher(kernel, launcher_text(kernel, name->written, name->written + name->suffix, *parameters)) && is_definition) {
    warn_of_steps(kernel);
  }
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
  const bool is_definition = kernel->doesThisDeclarationHaveABody();
  std::optional<Place> end;
  if (is_definition) {
    end = text_.end_of_token(kernel->getBody()->getEndLoc());
  } else if ((end = text_.end_of_token(kernel->getEndLoc()))) {
    const std::string_view file = text_.file_text(end->path);
    end->offset = file.find(';', end->offset);
    end = end->offset == std::string_view::npos ? std::nullopt : std::optional(Place{end->path, end->offset + 1});
  }
  if (!end) {
    refuse(kernel->getLocation(), "a kernel whose text comes from a macro");
    return false;
  }
  // A macro's text goes on over the end of a line only after a backslash.
  const bool in_macro = (is_definition ? kernel->getBody()->getEndLoc() : kernel->getEndLoc()).isMacroID();
  edit(*end, 0, (in_macro ? " \\\n" : "\n") + launcher, facts_.how(kernel));
  return true;
}

void Translator::warn_of_steps(const clang::FunctionDecl* kernel) {
  if (!facts_.goes_in_step(kernel)) {
    return;
  }
  const bool has_barriers = (facts_.how(kernel) & cooperate) != 0;
  warn(kernel->getLocation(),
       "kernel '" + kernel->getNameAsString() + "' shares " +
           (has_barriers ? "volatile memory between its threads and has no __syncwarp()"
                         : "memory between its threads and has no barrier"),
       "where threads of a warp exchange values by it in step, results differ on host threads");
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
      text += " " + shared_declaration(variable, specifiers, pointers, extents);
    }
  }
  if (!text.empty()) {
    if (const auto brace = text_.end_of_token(body->getBeginLoc())) {
      edit(*brace, 0, text);
    }
  }
}

/// Makes a pointer to a kernel one to its launcher. Returns false where the type's text is not found.
bool Translator::add_grid_to_pointer(const clang::VarDecl* variable) {
  const clang::TypeSourceInfo* const written = variable->getTypeSourceInfo();
  clang::TypeLoc type = written == nullptr ? clang::TypeLoc() : written->getTypeLoc();
  while (type && !type.getAs<clang::FunctionTypeLoc>()) {
    if (const auto name = type.getAs<clang::TypedefTypeLoc>()) {
      const clang::TypeSourceInfo* const defined = name.getTypedefNameDecl()->getTypeSourceInfo();
      type = defined == nullptr ? clang::TypeLoc() : defined->getTypeLoc();
    } else {
      type = type.getNextTypeLoc();
    }
  }
  const auto function = type ? type.getAs<clang::FunctionTypeLoc>() : clang::FunctionTypeLoc();
  const auto open = function ? text_.place(function.getLParenLoc()) : std::nullopt;
  if (!open) {
    return false;
  }
  edit({open->path, open->offset + 1}, 0, std::string("phpc::cuda::Grid") + (function.getNumParams() > 0 ? ", " : ""));
  return true;
}

/// Makes explicit instantiations, `template __global__ void scale<float>(float*);`, those of the launcher. clang keeps no place
/// of them.
void Translator::translate_instantiations() {
  const clang::SourceManager& sources = text_.sources();
  for (unsigned entry = 0; entry < sources.local_sloc_entry_size(); ++entry) {
    const clang::SrcMgr::SLocEntry& source = sources.getLocalSLocEntry(entry);
    const auto begin =
        source.isFile() ? text_.place(clang::SourceLocation::getFromRawEncoding(source.getOffset())) : std::nullopt;
    const std::string_view file = begin ? text_.file_text(begin->path) : std::string_view();
    if (file.find("__global__") == std::string_view::npos) {
      continue;
    }
    const std::vector<RawToken> tokens = text_.tokens({begin->path, 0}, {begin->path, file.size()});
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      if (tokens[i].text != "template" || tokens[i + 1].text == "<") {
        continue;
      }
      std::size_t word = i + 1;
      while (word < tokens.size() && tokens[word].text != ";" && tokens[word].text != "(" && tokens[word].text != "__global__") {
        ++word;
      }
      if (word >= tokens.size() || tokens[word].text != "__global__") {
        continue;
      }
      std::size_t open = word + 1;
      for (int depth = 0; open < tokens.size() && (depth > 0 || tokens[open].text != "("); ++open) {
        depth += tokens[open].text == "<" || tokens[open].text == "("   ? 1
                 : tokens[open].text == ">" || tokens[open].text == ")" ? -1
                                                                        : 0;
      }
      if (open + 1 < tokens.size()) {
        edit({begin->path, tokens[word].offset}, tokens[word + 1].offset - tokens[word].offset, "");
        edit({begin->path, tokens[open].offset + 1}, 0,
             std::string("phpc::cuda::Grid") + (tokens[open + 1].text == ")" ? "" : ", "));
      }
    }
  }
}

}  // namespace phpc::port
