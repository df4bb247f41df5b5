#include "port/precompiled/header_uses.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/MacroInfo.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <system_error>

#include "port/precompiled/precompile.hpp"

namespace phpc::port {

std::optional<IncludedHeaders> IncludedHeaders::find(const std::string& path) {
  const auto text = llvm::sys::fs::exists(path) ? llvm::MemoryBuffer::getFile(header_record_path(path))
                                                : std::make_error_code(std::errc::no_such_file_or_directory);
  if (!text) {
    return std::nullopt;
  }
  llvm::Expected<llvm::json::Value> json = llvm::json::parse((*text)->getBuffer());
  if (!json) {
    llvm::consumeError(json.takeError());
    return std::nullopt;
  }
  std::vector<std::string> names;
  std::vector<std::string> known;
  IncludedHeaders headers;
  llvm::json::Path::Root root;
  llvm::json::ObjectMapper fields(*json, root);
  if (!fields || !fields.map("headers", names) || !fields.map("includes", headers.includes_) || !fields.map("known", known) ||
      names.empty() || names.size() != headers.includes_.size()) {
    return std::nullopt;
  }
  for (unsigned i = 0; i < names.size(); ++i) {
    headers.indices_[names[i]] = i;
  }
  for (const std::string& word : known) {
    headers.known_.insert(word);
  }
  headers.is_included_.resize(names.size());
  headers.include("");
  return headers;
}

void IncludedHeaders::include(llvm::StringRef header) {
  const auto found = indices_.find(header);
  if (found == indices_.end()) {
    return;
  }
  std::vector<std::uint64_t> left{found->second};
  while (!left.empty()) {
    const std::uint64_t next = left.back();
    left.pop_back();
    if (next < is_included_.size() && !is_included_[next]) {
      is_included_[next] = true;
      left.insert(left.end(), includes_[next].begin(), includes_[next].end());
    }
  }
}

bool IncludedHeaders::lack(llvm::StringRef header) const {
  const auto found = indices_.find(header);
  return found != indices_.end() && !is_included_[found->second];
}

bool IncludedHeaders::have_another(llvm::StringRef header, llvm::StringRef written) const {
  return !indices_.contains(header) && std::any_of(indices_.begin(), indices_.end(), [&](const auto& known) {
    llvm::StringRef name = known.first();
    return name.consume_back(written) && name.ends_with("/");
  });
}

bool IncludedHeaders::hold(const clang::SourceManager& sources, clang::SourceLocation location) const {
  if (location.isInvalid() || !sources.isLoadedSourceLocation(location)) {
    return true;
  }
  const clang::OptionalFileEntryRef file = sources.getFileEntryRefForID(sources.getFileID(sources.getExpansionLoc(location)));
  if (!file) {
    return true;  // the compiler's own macros
  }
  const auto found = indices_.find(file->getName());
  // clang's own <algorithm> gives devices the std::min and std::max that other headers give them too.
  return found != indices_.end() && (is_included_[found->second] || found->first().ends_with("/cuda_wrappers/algorithm"));
}

class HeaderUses::Watcher : public clang::PPCallbacks {
 public:
  Watcher(const clang::SourceManager& sources, HeaderUses& uses) : sources_(sources), uses_(uses) {}

  void InclusionDirective(clang::SourceLocation /*hash*/, const clang::Token& /*token*/, llvm::StringRef name, bool is_angled,
                          clang::CharSourceRange /*name_range*/, clang::OptionalFileEntryRef file, llvm::StringRef /*search*/,
                          llvm::StringRef /*relative*/, const clang::Module* /*suggested*/, bool /*imported*/,
                          clang::SrcMgr::CharacteristicKind /*kind*/) override {
    if (!file) {
      return;
    }
    const bool is_changed = changes_headers_ && uses_.included_.lack(file->getName());
    if (is_changed || (is_angled && uses_.included_.have_another(file->getName(), name))) {
      uses_.note_other();
    }
    uses_.included_.include(file->getName());
  }
  void Ifdef(clang::SourceLocation /*location*/, const clang::Token& /*name*/, const clang::MacroDefinition& macro) override {
    check(macro);
  }
  void Ifndef(clang::SourceLocation /*location*/, const clang::Token& /*name*/, const clang::MacroDefinition& macro) override {
    check(macro);
  }
  void Elifdef(clang::SourceLocation /*location*/, const clang::Token& /*name*/, const clang::MacroDefinition& macro) override {
    check(macro);
  }
  void Elifndef(clang::SourceLocation /*location*/, const clang::Token& /*name*/, const clang::MacroDefinition& macro) override {
    check(macro);
  }
  void Defined(const clang::Token& /*name*/, const clang::MacroDefinition& macro, clang::SourceRange /*range*/) override {
    check(macro);
  }
  void MacroDefined(const clang::Token& name, const clang::MacroDirective* /*directive*/) override { note_own(name); }
  void MacroUndefined(const clang::Token& name, const clang::MacroDefinition& /*macro*/,
                      const clang::MacroDirective* /*directive*/) override {
    note_own(name);
  }
  void MacroExpands(const clang::Token& /*name*/, const clang::MacroDefinition& macro, clang::SourceRange /*range*/,
                    const clang::MacroArgs* /*arguments*/) override {
    check(macro);
  }

 private:
  /// Notes a macro of the source's own. One whose name the precompiled headers have changes those that are included after it.
  void note_own(const clang::Token& name) {
    changes_headers_ = changes_headers_ || uses_.included_.know(name.getIdentifierInfo()->getName());
  }
  void check(const clang::MacroDefinition& macro) {
    const clang::MacroInfo* const text = macro.getMacroInfo();
    uses_.are_included_ = uses_.are_included_ && (text == nullptr || uses_.included_.hold(sources_, text->getDefinitionLoc()));
  }

  const clang::SourceManager& sources_;
  HeaderUses& uses_;
  bool changes_headers_ = false;  ///< a macro was defined that precompiled headers know
};

/// Visits what names a declaration.
class HeaderUses::Visitor : public clang::RecursiveASTVisitor<Visitor> {
 public:
  Visitor(const clang::SourceManager& sources, HeaderUses& uses) : sources_(sources), uses_(uses) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  // Each returns whether it goes on.
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) { return check(reference->getDecl()); }
  bool VisitMemberExpr(clang::MemberExpr* member) { return check(member->getMemberDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) { return check(construct->getConstructor()); }
  bool VisitCXXNewExpr(clang::CXXNewExpr* made) { return check(made->getOperatorNew()); }
  bool VisitOverloadExpr(clang::OverloadExpr* overloads) {
    const auto* const lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(overloads);
    if (lookup != nullptr && lookup->requiresADL()) {
      return true;  // the types of the arguments tell, in instantiations
    }
    const auto is_included = [&](const clang::NamedDecl* one) { return holds(one->getUnderlyingDecl()); };
    return note(overloads->decls().empty() || std::ranges::any_of(overloads->decls(), is_included));
  }
  bool VisitUsingDecl(clang::UsingDecl* names) {
    const auto is_included = [&](const clang::UsingShadowDecl* one) { return holds(one->getTargetDecl()); };
    return note(names->shadows().empty() || std::ranges::any_of(names->shadows(), is_included));
  }
  bool VisitUsingDirectiveDecl(clang::UsingDirectiveDecl* names) { return check(names->getNominatedNamespace()); }
  bool VisitNamespaceAliasDecl(clang::NamespaceAliasDecl* alias) { return check(alias->getNamespace()); }
  bool VisitTypeLoc(clang::TypeLoc location) {
    const clang::Type* const type = location.getTypePtr();
    if (const auto* const alias = llvm::dyn_cast<clang::TypedefType>(type)) {
      return check(alias->getDecl()) && check(type->getAsTagDecl());
    }
    if (const auto* const named = llvm::dyn_cast<clang::TagType>(type)) {
      return check(named->getDecl());
    }
    if (const auto* const made = llvm::dyn_cast<clang::TemplateSpecializationType>(type)) {
      return check(made->getTemplateName().getAsTemplateDecl());
    }
    if (const auto* const deduced = llvm::dyn_cast<clang::DeducedTemplateSpecializationType>(type)) {
      return check(deduced->getTemplateName().getAsTemplateDecl());
    }
    return true;
  }

 private:
  /// Whether one of the places where something is declared is included; of a class, where it is defined. The compiler's own
  /// functions are declared where they are used first, a class's implicit members are where the class is.
  [[nodiscard]] bool holds(const clang::Decl* declaration) const {
    if (const auto* const made = llvm::dyn_cast<clang::ClassTemplateDecl>(declaration)) {
      declaration = made->getTemplatedDecl();
    }
    const auto* const type = llvm::dyn_cast<clang::CXXRecordDecl>(declaration);
    if (type != nullptr && type->getDefinition() != nullptr) {
      return uses_.included_.hold(sources_, type->getDefinition()->getLocation());
    }
    if (declaration->isImplicit()) {
      const auto* const parent = llvm::dyn_cast<clang::CXXRecordDecl>(declaration->getDeclContext());
      return parent == nullptr || parent->isLambda() || holds(parent);
    }
    return std::ranges::any_of(declaration->redecls(),
                               [&](const clang::Decl* one) { return uses_.included_.hold(sources_, one->getLocation()); });
  }
  bool check(const clang::Decl* declaration) { return note(declaration == nullptr || holds(declaration)); }
  bool note(bool is_included) {
    uses_.are_included_ = uses_.are_included_ && is_included;
    return uses_.are_included_;
  }

  const clang::SourceManager& sources_;
  HeaderUses& uses_;
};

std::unique_ptr<clang::PPCallbacks> HeaderUses::watch_preprocessor(const clang::Preprocessor& preprocessor) {
  return std::make_unique<Watcher>(preprocessor.getSourceManager(), *this);
}

void HeaderUses::look_through(clang::ASTContext& context) {
  Visitor(context.getSourceManager(), *this).TraverseAST(context);
}

}  // namespace phpc::port
