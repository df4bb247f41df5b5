#pragma once
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <optional>
#include <set>
#include <string>

#include "port/edits/edits.hpp"
#include "port/edits/messages.hpp"
#include "port/edits/source_text.hpp"
#include "port/translation/facts.hpp"

namespace phpc::port {

/// What a run collects over its translation units.
struct Translation {
  Edits edits;
  Refusals refusals;
  Refusals warnings;         ///< about what is translated and may not do the same
  bool with_openmp = false;  ///< the sources were compiled with OpenMP on the host
  bool keep_going = false;   ///< what is refused gets an #error in its place
};

/// Makes the edits of one translation unit.
class Translator : public clang::RecursiveASTVisitor<Translator> {
 public:
  Translator(clang::ASTContext& context, const Facts& facts, Translation& translation)
      : context_(context), text_(context), facts_(facts), translation_(translation) {}

  void run() {
    TraverseDecl(context_.getTranslationUnitDecl());
    translate_instantiations();
  }

  // Called by RecursiveASTVisitor.
  bool TraverseDecl(clang::Decl* declaration);
  bool VisitFunctionDecl(clang::FunctionDecl* function);
  bool VisitLambdaExpr(clang::LambdaExpr* lambda);
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* launch);
  bool VisitDeclStmt(clang::DeclStmt* statement);
  bool VisitVarDecl(clang::VarDecl* variable);
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* statement);
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference);
  bool VisitMemberExpr(clang::MemberExpr* member);
  bool VisitTypeLoc(clang::TypeLoc type);
  bool VisitOMPExecutableDirective(clang::OMPExecutableDirective* directive);

 private:
  // kernels.cpp
  /// Where the text of a kernel's declaration stands.
  struct KernelPlaces {
    Place name;
    Place open;              ///< the parenthesis before the parameters
    bool named_by_argument;  ///< of the macro that makes the kernel
  };
  /// The name that stands in the text, and what is put after it to name the function of a thread.
  struct KernelName {
    std::string written;
    std::string suffix;
  };
  void translate_kernel(const clang::FunctionDecl* kernel);
  // Each refuses a kernel that it can make nothing of, and returns nothing then.
  [[nodiscard]] std::optional<KernelPlaces> kernel_places(const clang::FunctionDecl* kernel);
  /// The parameters on one line, where those without a name get one.
  [[nodiscard]] std::optional<std::string> kernel_parameters(const clang::FunctionDecl* kernel, const KernelPlaces& places);
  [[nodiscard]] std::optional<KernelName> kernel_name(const clang::FunctionDecl* kernel, const KernelPlaces& places);
  /// Replaces `__global__`, and removes the other words before a kernel.
  void replace_kernel_words(const clang::FunctionDecl* kernel);
  [[nodiscard]] std::string launcher_text(const clang::FunctionDecl* kernel, const std::string& name, const std::string& function,
                                          const std::string& parameters);
  /// Puts the launcher after the kernel. Returns false if the kernel is refused.
  [[nodiscard]] bool add_launcher(const clang::FunctionDecl* kernel, const std::string& launcher);
  /// Warns of a kernel whose threads may count on going in step.
  void warn_of_steps(const clang::FunctionDecl* kernel);
  void translate_instantiations();
  bool add_grid_to_pointer(const clang::VarDecl* variable);
  void insert_at_body(const clang::FunctionDecl* function, const clang::Stmt* body);
  // words.cpp
  void remove_words(const clang::Decl* declaration);
  void remove_word(const clang::Decl* declaration, const clang::Attr* attribute, const std::string& replacement);
  // shared_memory.cpp
  void translate_shared(const clang::DeclStmt* statement);
  [[nodiscard]] std::string shared_declaration(const clang::VarDecl* variable, const std::vector<RawToken>& specifiers,
                                               const std::vector<RawToken>& pointers, const std::vector<RawToken>& extents);
  // variables.cpp
  void translate_global(const clang::VarDecl* variable);
  /// Has a device function that another file declares, a header as a rule, made in device images for the kernels of other
  /// sources too.
  void offer_to_other_sources(const clang::FunctionDecl* function);

  void refuse(clang::SourceLocation location, const std::string& what, const std::string& why = "");
  void warn(clang::SourceLocation location, const std::string& what, const std::string& why);
  /// The message about a place.
  [[nodiscard]] Refusal about(clang::SourceLocation location, const std::string& what, const std::string& why) const;
  /// Whether the text that is being read is that of a kernel or device function.
  [[nodiscard]] bool reads_device_code() const;
  bool refuse_if_marked(clang::SourceLocation location, const clang::Decl* declaration);
  void edit(const Place& place, std::size_t length, const std::string& text, unsigned how = independent);
  void insert(clang::SourceLocation location, const std::string& text, unsigned how = independent);
  void replace(const Place& from, const Place& to, const std::string& text);

  clang::ASTContext& context_;
  SourceText text_;
  const Facts& facts_;
  Translation& translation_;
  const clang::FunctionDecl* function_ = nullptr;  ///< the function whose text is being read
};

}  // namespace phpc::port
