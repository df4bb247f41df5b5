#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/PrettyPrinter.h>
#include <clang/Basic/CharInfo.h>

#include <algorithm>

#include "port/translation/translator.hpp"

/// What is named at namespace scope: variables and functions of the device are declared as such to OpenMP, variables in shared
/// memory move into the functions that name them.
namespace phpc::port {

namespace {

/// What the parser keeps of `__managed__` before a variable; null for other variables.
const clang::AnnotateAttr* managed_mark(const clang::VarDecl* variable) {
  const auto marks = variable->specific_attrs<clang::AnnotateAttr>();
  const auto found = std::find_if(marks.begin(), marks.end(),
                                  [](const clang::AnnotateAttr* mark) { return mark->getAnnotation() == "phpc_managed"; });
  return found == marks.end() ? nullptr : *found;
}

/// Whether only the source that holds a variable can name it, also once its type has a name.
bool is_internal(const clang::VarDecl* variable) {
  return !variable->isExternallyVisible() &&
         (variable->getFormalLinkage() != clang::Linkage::External || variable->isInAnonymousNamespace());
}

}  // namespace

void Translator::translate_global(const clang::VarDecl* variable) {
  if (variable->isImplicit() || !text_.is_users(variable->getLocation()) ||
      variable->getTemplateSpecializationKind() == clang::TSK_ImplicitInstantiation) {
    return;
  }
  const clang::AnnotateAttr* const managed = managed_mark(variable);
  const bool is_shared = variable->hasAttr<clang::CUDASharedAttr>();
  if (!is_shared && !variable->hasAttr<clang::CUDADeviceAttr>() && !variable->hasAttr<clang::CUDAConstantAttr>()) {
    return;
  }
  if (!is_shared && variable->hasDefinition() == clang::VarDecl::DeclarationOnly) {
    note_linked_code(variable);
  }
  const clang::SourceLocation last = text_.end_of_macros(variable->getEndLoc());
  const auto end = text_.end_of_token(last);
  const std::string_view file = end ? text_.file_text(end->path) : std::string_view();
  const std::size_t semicolon = end ? file.find(';', end->offset) : std::string_view::npos;
  const auto name = find_name(text_, context_, variable->getLocation(), last, variable->getNameAsString());
  if (semicolon == std::string_view::npos || !name) {
    refuse(variable->getLocation(), "a device variable declared by a macro");
    return;
  }
  if (is_shared) {
    const auto from = text_.place(variable->getBeginLoc());
    if (!from || from->path != end->path || from->offset > semicolon || variable->getLocation().isMacroID()) {
      refuse(variable->getLocation(), "shared memory declared by a macro");
      return;
    }
    edit(*from, semicolon + 1 - from->offset,
         variable->hasExternalStorage() ? "" : "struct phpc_shared_" + variable->getNameAsString() + ";");
    return;
  }
  if (const clang::VarTemplateDecl* const made_of = variable->getDescribedVarTemplate();
      made_of != nullptr && !variable->isConstexpr() && !variable->isStaticDataMember()) {
    translate_template(made_of, {end->path, semicolon + 1});
    return;
  }
  const bool is_member = variable->isStaticDataMember() && !variable->isConstexpr();
  const bool is_hidden = is_internal(variable) && facts_.is_named_by_host(variable);
  if ((is_member &&
       (variable->getDeclContext()->isDependentContext() || variable->isInline() || managed != nullptr || is_hidden)) ||
      (llvm::isa<clang::VarTemplateSpecializationDecl>(variable) && !variable->isConstexpr())) {
    refuse(variable->getLocation(),
           "a device variable that is a member of a template, or an inline or __managed__ one, or a specialization",
           "declare it outside of the class");
    return;
  }
  if (managed != nullptr &&
      (variable->isConstexpr() || variable->getType()->isReferenceType() || name->form != WrittenName::Form::plain)) {
    refuse(variable->getLocation(), "a __managed__ variable of this kind", "allocate it with cudaMallocManaged");
    return;
  }
  remove_words(variable);
  if (managed != nullptr) {
    remove_managed_word(managed);
  }
  name_type_of(variable);
  if (is_member && !variable->isOutOfLine()) {
    return;  // its definition is declared to OpenMP
  }
  if (managed != nullptr || !variable->isConstexpr()) {
    declare_variable(variable, *name, {end->path, semicolon + 1}, last.isMacroID() && !text_.sources().isMacroArgExpansion(last));
  }
}

void Translator::name_type_of(const clang::VarDecl* variable) {
  const clang::CXXRecordDecl* const record = variable->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  if (record == nullptr || record->getIdentifier() != nullptr || record->getTypedefNameForAnonDecl() != nullptr ||
      record->isLambda()) {
    return;
  }
  // After `struct`, and where several variables are of it, once.
  if (const auto keyword = text_.end_of_token(record->getOuterLocStart()); keyword && named_types_.insert(record).second) {
    edit(*keyword, 0, " phpc_type_of_" + variable->getNameAsString());
  }
}

/// The word goes from a macro of the user's too: all variables that have it are translated, or refused.
void Translator::remove_managed_word(const clang::AnnotateAttr* mark) {
  constexpr std::string_view word = "__managed__";
  const auto at = text_.place(text_.word(mark->getLocation()));
  if (!at || mark->isInherited() || !text_.file_text(at->path).substr(at->offset).starts_with(word)) {
    return;
  }
  const std::string_view rest = text_.file_text(at->path).substr(at->offset + word.size());
  edit(*at, word.size() + (rest.starts_with(' ') ? 1 : 0), "");
}

void Translator::translate_use_of_managed(const clang::DeclRefExpr* reference) {
  const auto* const variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
  if (variable == nullptr || managed_mark(variable) == nullptr) {
    return;
  }
  const clang::SourceLocation location = reference->getLocation();
  const auto at = text_.place(location);
  const std::string name = variable->getNameAsString();
  const std::string_view rest = at ? text_.file_text(at->path).substr(at->offset) : std::string_view();
  if (!rest.starts_with(name) || (rest.size() > name.size() && clang::isAsciiIdentifierContinue(rest[name.size()]))) {
    refuse(location, "a __managed__ variable that a macro names in pieces");
    return;
  }
  edit(*at, name.size(), "PHPC_MANAGED(" + name + ")");
}

std::optional<std::string> Translator::specialization_text(const clang::VarTemplateSpecializationDecl* variable) const {
  clang::PrintingPolicy policy = context_.getPrintingPolicy();
  policy.FullyQualifiedName = true;
  for (const clang::TemplateArgument& argument : variable->getTemplateArgs().asArray()) {
    const bool is_type = argument.getKind() == clang::TemplateArgument::Type;
    if (!is_type && argument.getKind() != clang::TemplateArgument::Integral) {
      return std::nullopt;
    }
    const clang::QualType type = is_type ? argument.getAsType() : argument.getIntegralType();
    const clang::TagDecl* const declared = type->getAsTagDecl();
    const bool is_named = declared == nullptr || (declared->getDeclName() && declared->getParentFunctionOrMethod() == nullptr);
    if (!(type->isArithmeticType() || declared != nullptr) || !is_named ||
        (declared != nullptr && !text_.sources().isBeforeInTranslationUnit(declared->getLocation(),
                                                                           variable->getSpecializedTemplate()->getLocation()))) {
      return std::nullopt;
    }
  }
  std::string text = variable->getNameAsString();
  llvm::raw_string_ostream out(text);
  clang::printTemplateArgumentList(out, variable->getTemplateArgs().asArray(), policy);
  variable->getType().getCanonicalType().getAsStringInternal(text, policy);
  return "template <> " + text + ";";
}

/// A template of device variables keeps its text, and the variables that the program makes of it follow as specializations:
/// OpenMP has no name for what a template makes.
void Translator::translate_template(const clang::VarTemplateDecl* made_of, const Place& after) {
  const clang::VarDecl* const variable = made_of->getTemplatedDecl();
  constexpr const char* what = "a template of device variables";
  if (managed_mark(variable) != nullptr || variable->hasInit() || !variable->isExternallyVisible() ||
      variable->getLocation().isMacroID() || !text_.sources().isInMainFile(variable->getLocation())) {
    refuse(variable->getLocation(), what,
           "those in a source, not in a header, without initial values and not static are translated");
    return;
  }
  std::string text;
  for (const clang::VarTemplateSpecializationDecl* const one : made_of->specializations()) {
    const std::optional<std::string> specialization = one->isExplicitSpecialization() ? std::nullopt : specialization_text(one);
    if (!specialization) {
      refuse(variable->getLocation(), what, "one is made of a type that is not declared before it, or is a specialization");
      return;
    }
    text += *specialization + "\n";
  }
  remove_words(variable);
  if (!text.empty()) {
    add_after(after, "#pragma omp declare target\n" + text + "#pragma omp end declare target", false);
  }
}

void Translator::declare_variable(const clang::VarDecl* variable, const WrittenName& name, const Place& after, bool in_macro) {
  const bool is_managed = managed_mark(variable) != nullptr;
  const bool needs_kernel = !is_managed && is_internal(variable) && facts_.is_named_by_host(variable);
  const bool is_member = variable->isStaticDataMember();
  const bool is_plain = !is_member && !in_macro && (name.form == WrittenName::Form::plain || !name.is_beside);
  std::string full_name;
  if (is_member) {
    llvm::raw_string_ostream out(full_name);
    variable->getQualifier()->print(out, context_.getPrintingPolicy());
  }
  full_name += name.text;
  std::string text = is_plain ? "#pragma omp declare target(" + name.text + ")" : "PHPC_DEVICE_VARIABLE(" + full_name + ")";
  const std::string between = in_macro ? " " : "\n";
  if (is_managed) {
    const bool is_declared_only = variable->isThisDeclarationADefinition() == clang::VarDecl::DeclarationOnly;
    const std::string kind = is_declared_only ? "EXTERN_" : is_internal(variable) ? "STATIC_" : "";
    text = "PHPC_" + kind + "MANAGED_VARIABLE(" + name.text + ")";
  }
  // A kernel that says where its source's own variable lies would give an address that only kernels know.
  const bool is_constant = variable->hasAttr<clang::CUDAConstantAttr>() && is_plain && !needs_kernel && variable->isFirstDecl() &&
                           variable->getMostRecentDecl() == variable &&
                           variable->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly;
  if (is_constant) {
    text += between + "PHPC_CONSTANT(" + name.text + ")";
  }
  if (needs_kernel) {
    text += between + "PHPC_INTERNAL_VARIABLE(" + name.text + ")";
  }
  add_after(after, text, in_macro);
}

void Translator::add_after(Place after, const std::string& text, bool in_macro) {
  const std::string_view file = text_.file_text(after.path);
  // After a comment that ends the line.
  const std::size_t line_end = std::min(file.find('\n', after.offset), file.size());
  const std::string_view rest = file.substr(after.offset, line_end - after.offset);
  if (const std::size_t word = rest.find_first_not_of(" \t");
      !in_macro && word != std::string_view::npos && rest.substr(word).starts_with("//")) {
    after.offset = line_end;
  }
  // A directive ends with its line.
  const std::string_view left = file.substr(after.offset, line_end - after.offset);
  const bool ends_line = in_macro || left.find_first_not_of(" \t\r") == std::string_view::npos;
  edit(after, 0, (in_macro ? " " : "\n") + text + (ends_line ? "" : "\n"));
}

void Translator::make_in_device_images(const clang::FunctionDecl* function) {
  const clang::TemplateSpecializationKind kind = function->getTemplateSpecializationKind();
  const bool is_made_where_used = function->isInlined() || function->isDependentContext() ||
                                  function->getTemplatedKind() == clang::FunctionDecl::TK_FunctionTemplate ||
                                  (kind != clang::TSK_Undeclared && kind != clang::TSK_ExplicitSpecialization);
  const bool is_defaulted = function->isExplicitlyDefaulted();
  if (!function->hasAttr<clang::CUDADeviceAttr>() || is_made_where_used || (!is_defaulted && !function->getBody())) {
    return;
  }
  const clang::SourceLocation last = is_defaulted ? function->getEndLoc() : function->getBody()->getEndLoc();
  auto end = text_.end_of_token(last);
  const auto begin = text_.place(text_.word(function->getOuterLocStart()));
  const auto declared = text_.place(function->getFirstDecl()->getLocation());
  if (last.isMacroID() || !begin || !end || !declared || begin->path != end->path) {
    return;  // no place for a directive
  }
  const bool is_structor = llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(function);
  const bool serves_a_kernel = facts_.serves_a_kernel(function);
  const bool is_for_others = function->isExternallyVisible() &&
                             (declared->path != end->path || (!serves_a_kernel && !llvm::isa<clang::CXXMethodDecl>(function)));
  const bool is_left_out = function->hasAttr<clang::CUDAHostAttr>() && !facts_.is_fit_for_devices(function);
  if (!(is_structor && serves_a_kernel) && (!is_for_others || is_left_out)) {
    return;
  }
  const clang::DeclContext* const scope = function->getDeclContext();
  const bool has_name = !llvm::isa<clang::CXXMethodDecl>(function) && kind == clang::TSK_Undeclared &&
                        function->getLexicalDeclContext()->getRedeclContext() == scope->getRedeclContext() &&
                        scope->lookup(function->getDeclName()).isSingleResult();
  const std::string_view file = text_.file_text(end->path);
  if (is_defaulted) {
    end->offset = std::min(file.find(';', end->offset), file.size() - 1) + 1;
  }
  if (has_name) {
    add_after(*end, "#pragma omp declare target(" + function->getNameAsString() + ")", false);
    return;
  }
  const std::size_t line = begin->offset == 0 ? 0 : file.rfind('\n', begin->offset - 1) + 1;
  const bool begins_line = file.substr(line, begin->offset - line).find_first_not_of(" \t") == std::string_view::npos;
  edit({begin->path, begins_line ? line : begin->offset}, 0,
       (begins_line ? "" : "\n") + std::string("#pragma omp declare target\n"));
  add_after(*end, "#pragma omp end declare target", false);
}

}  // namespace phpc::port
