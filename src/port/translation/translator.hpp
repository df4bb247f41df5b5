#pragma once
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "port/edits/edits.hpp"
#include "port/edits/messages.hpp"
#include "port/edits/source_text.hpp"
#include "port/edits/written_name.hpp"
#include "port/translation/facts.hpp"

namespace phpc::port {

/// What a run collects over its translation units.
struct Translation {
  Edits edits;
  Refusals refusals;
  Refusals warnings;               ///< about what is translated and may not do the same
  bool links_device_code = false;  ///< kernels use device functions or variables that other sources define
  bool with_openmp = false;        ///< the sources were compiled with OpenMP on the host
  /// Texts of kernels, by their parentheses' path and offset, and whether they are functions of threads now.
  std::map<std::pair<std::string, std::size_t>, bool> thread_functions;
  bool keep_going = false;  ///< what is refused gets an #error in its place
};

/// Makes the edits of one translation unit.
class Translator : public clang::RecursiveASTVisitor<Translator> {
 public:
  Translator(clang::ASTContext& context, const Facts& facts, Translation& translation)
      : context_(context), text_(context), facts_(facts), translation_(translation) {}

  void run() {
    TraverseAST(context_);
    translate_instantiations();
  }

  // Called by RecursiveASTVisitor.
  bool TraverseDecl(clang::Decl* declaration);
  bool VisitFunctionDecl(clang::FunctionDecl* function);
  bool VisitLambdaExpr(clang::LambdaExpr* lambda);
  bool VisitCUDAKernelCallExpr(clang::CUDAKernelCallExpr* launch);
  bool VisitCallExpr(clang::CallExpr* call);
  bool VisitDeclStmt(clang::DeclStmt* statement);
  bool VisitVarDecl(clang::VarDecl* variable);
  bool VisitGCCAsmStmt(clang::GCCAsmStmt* statement);
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference);
  bool VisitMemberExpr(clang::MemberExpr* member);
  bool VisitTypeLoc(clang::TypeLoc type);
  bool VisitOMPExecutableDirective(clang::OMPExecutableDirective* directive);

 private:
  /// Makes an argument of `<<<...>>>`.
  void translate_configuration(const clang::CUDAKernelCallExpr* launch);
  /// Makes a function that takes the arguments of a kernel and its `<<<...>>>`, behind whose text, `configuration`, the arguments
  /// do not stand: `#define RUN scale<<<grid, block>>>`, used as `RUN(x, 2)`.
  void translate_launch_without_arguments(const clang::CUDAKernelCallExpr* launch, clang::SourceRange configuration);
  // kernels.cpp
  /// Where the text of a kernel's declaration stands.
  struct KernelPlaces {
    WrittenName name;    ///< beside its parameters
    WrittenName beside;  ///< beside its end, where the launcher stands
    Place open;          ///< the parenthesis before the parameters
  };
  /// A kernel's parameters on one line, where those without a name get one, and what names each there.
  struct KernelParameters {
    std::string text;
    std::vector<std::string> names;
  };
  void translate_kernel(const clang::FunctionDecl* kernel);
  // Each refuses a kernel that it can make nothing of, and returns nothing then.
  [[nodiscard]] std::optional<KernelPlaces> kernel_places(const clang::FunctionDecl* kernel);
  [[nodiscard]] std::optional<KernelParameters> kernel_parameters(const clang::FunctionDecl* kernel);
  /// A parameter's text beside `reference`, where it has this name. Empty where there is none.
  [[nodiscard]] std::string parameter_text(const clang::ParmVarDecl* parameter, const std::string& name,
                                           clang::SourceLocation reference) const;
  /// Where the launcher of a kernel stands: the last token before it.
  [[nodiscard]] clang::SourceLocation launcher_location(const clang::FunctionDecl* kernel) const;
  /// Whether all kernels of one text, a macro's, become functions of threads, or none. Refuses a kernel that differs from others.
  [[nodiscard]] bool is_one_kind(const clang::FunctionDecl* kernel, const KernelPlaces& places, bool is_thread_function);
  /// What names the function that each thread runs, `scale_thread`, in the text beside the kernel's parenthesis.
  [[nodiscard]] static std::string thread_function(const WrittenName& name);
  void rename_to_thread_function(const WrittenName& name);
  /// Replaces `__global__`, and removes the other words before a kernel.
  void replace_kernel_words(const clang::FunctionDecl* kernel);
  /// The names of template parameters as arguments: "<T, N, Rest...>". None where a macro hides them.
  [[nodiscard]] std::optional<std::string> template_arguments(const clang::TemplateParameterList* list,
                                                              clang::SourceLocation reference) const;
  [[nodiscard]] std::optional<std::string> launcher_text(const clang::FunctionDecl* kernel, const WrittenName& name,
                                                         const KernelParameters& parameters);
  /// Puts the launcher after the kernel. Returns false if the kernel is refused.
  [[nodiscard]] bool add_launcher(const clang::FunctionDecl* kernel, const std::string& launcher);
  /// Warns of a kernel whose threads may count on going in step.
  void warn_of_steps(const clang::FunctionDecl* kernel);
  void translate_instantiations();
  void translate_instantiations(const std::string& path, const std::set<std::string_view>& words);
  // kernel_attributes.cpp
  /// Tells a call that asks about a kernel what is known of it. Leaves the call as it is where it is not known which kernel that
  /// is.
  void add_attributes(const clang::CallExpr* call, const clang::Expr* argument);
  // kernel_pointers.cpp
  /// Finds where the type of a pointer that is launched is written: a variable's declaration, a member's, an array's, what `auto`
  /// is deduced from. Returns false if it is not found.
  bool add_grid_to_pointer(const clang::Expr* callee);
  /// Takes the casts away from the first argument of cudaLaunchKernel, whose types the library needs. Returns false where it is
  /// not known for a kernel.
  bool uncover_kernel(const clang::Expr* argument);
  /// Puts the Grid into each function type in a type's text that is `wanted`. Returns false if there is none.
  bool add_grid_to_type(clang::TypeLoc written, clang::QualType wanted);
  void insert_at_body(const clang::FunctionDecl* function, const clang::Stmt* body);
  /// Notes that a device function or variable which this source uses is another source's.
  void note_linked_code(const clang::DeclaratorDecl* declaration);
  // words.cpp
  void remove_words(const clang::Decl* declaration);
  void remove_word(const clang::Decl* declaration, const clang::Attr* attribute, const std::string& replacement);
  // shared_memory.cpp
  void translate_shared(const clang::DeclStmt* statement);
  /// Translates the text of a declaration beside `reference`. Returns false where it is not all there, or, then saying why, is
  /// refused.
  bool translate_shared_beside(const clang::DeclStmt* statement, clang::SourceRange range, clang::SourceLocation reference,
                               std::string& why);
  [[nodiscard]] std::string shared_declaration(const clang::VarDecl* variable, const std::string& name,
                                               const std::vector<RawToken>& specifiers, const std::vector<RawToken>& pointers,
                                               const std::vector<RawToken>& extents);
  // variables.cpp
  void translate_global(const clang::VarDecl* variable);
  void remove_managed_word(const clang::AnnotateAttr* mark);
  void translate_use_of_managed(const clang::DeclRefExpr* reference);
  /// Gives a name to the type of a device variable that has none: clang 19 makes no code for devices of what is made with it.
  void name_type_of(const clang::VarDecl* variable);
  /// Declares a variable of the device as such to OpenMP. `in_macro`: in a macro's text, which takes no directive.
  void declare_variable(const clang::VarDecl* variable, const WrittenName& name, const Place& after, bool in_macro);
  void translate_template(const clang::VarTemplateDecl* made_of, const Place& after);
  /// A variable that a template makes, as a specialization of the template; nothing where that cannot stand beside the template.
  [[nodiscard]] std::optional<std::string> specialization_text(const clang::VarTemplateSpecializationDecl* variable) const;
  /// Adds text on lines of its own after a declaration, or, in a macro, after a space.
  void add_after(Place after, const std::string& text, bool in_macro);
  /// Declares a device function to OpenMP, which makes by itself what a kernel of the same source calls, where that is not
  /// enough: one that another file declares, a header as a rule, or that no kernel of this source calls, for the kernels of other
  /// sources; constructors and destructors, of which clang 19 makes one variant only (Itanium C++ ABI, 5.1.4.3), and calls
  /// others.
  void make_in_device_images(const clang::FunctionDecl* function);

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
  std::set<const clang::CXXRecordDecl*> named_types_;
  const clang::FunctionDecl* function_ = nullptr;  ///< the function whose text is being read
};

}  // namespace phpc::port
