#include "port/translation/facts.hpp"

#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>

#include "port/translation/declarations.hpp"

namespace phpc::port {

const clang::FunctionDecl* canonical(const clang::FunctionDecl* function) {
  if (const clang::FunctionDecl* const pattern = function->getTemplateInstantiationPattern()) {
    function = pattern;
  }
  return function->getCanonicalDecl();
}

class FactCollector : public clang::RecursiveASTVisitor<FactCollector> {
 public:
  FactCollector(Facts& facts, const clang::SourceManager& sources, const IncludedHeaders* headers)
      : facts_(facts), sources_(sources), headers_(headers) {}

  // Instantiations tell which functions dependent calls name.
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool TraverseDecl(clang::Decl* declaration) {
    if (declaration != nullptr && !holds_instance(declaration)) {
      return true;
    }
    auto* const function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    if (function == nullptr) {
      return RecursiveASTVisitor::TraverseDecl(declaration);
    }
    const Frame outer = frame_;
    frame_ = {canonical(function), false};
    Facts::Function& facts = facts_.functions_[frame_.function];
    facts.is_kernel = facts.is_kernel || function->hasAttr<clang::CUDAGlobalAttr>();
    if (function->getTemplateSpecializationKind() == clang::TSK_ExplicitSpecialization) {
      // The launcher of a template serves its specialisations.
      if (const clang::FunctionTemplateDecl* const primary = function->getPrimaryTemplate()) {
        facts_.functions_[canonical(primary->getTemplatedDecl())].calls.insert(frame_.function);
      }
    }
    const bool more = RecursiveASTVisitor::TraverseDecl(declaration);
    frame_ = outer;
    return more;
  }

  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    const Frame outer = frame_;
    const bool captures = lambda->getCaptureDefault() != clang::LCD_None;
    // A lambda may be called where its text stands or elsewhere: who makes it is taken to call it.
    const clang::FunctionDecl* const call = canonical(lambda->getCallOperator());
    if (outer.function != nullptr) {
      facts_.functions_[outer.function].calls.insert(call);
    }
    if (captures && outer.function != nullptr && facts_.functions_[outer.function].is_kernel) {
      frame_.indices_from_kernel = true;
    } else {
      frame_ = {call, false};
    }
    const bool more = RecursiveASTVisitor::TraverseStmt(lambda->getBody());
    frame_ = outer;
    return more;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) {
    if (frame_.function == nullptr) {
      return true;
    }
    Facts::Function& facts = facts_.functions_[frame_.function];
    if (is_index(reference->getDecl())) {
      facts.names_indices = true;
    } else if (const auto* const variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl())) {
      facts.names_volatile = facts.names_volatile || (is_of_volatile(variable->getType()) && !is_of_grid(variable) &&
                                                      !sources_.isInSystemHeader(reference->getLocation()));
      if (variable->hasAttr<clang::CUDASharedAttr>()) {
        facts.how |= share_memory;
        facts.exchanges = facts.exchanges || reference != own_element_of_;
        if (variable->isFileVarDecl() &&
            std::find(facts.shared_globals.begin(), facts.shared_globals.end(), variable) == facts.shared_globals.end()) {
          facts.shared_globals.push_back(variable);
        }
      } else if (variable->hasAttr<clang::CUDADeviceAttr>() || variable->hasAttr<clang::CUDAConstantAttr>()) {
        facts.device_variables.insert(variable->getCanonicalDecl());
      }
    } else if (const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(reference->getDecl())) {
      note_function(facts, function);  // called, or its address taken by who may call it
    }
    return true;
  }

  bool VisitMemberExpr(clang::MemberExpr* member) {
    if (const auto* const method = llvm::dyn_cast<clang::FunctionDecl>(member->getMemberDecl());
        method != nullptr && frame_.function) {
      note_function(facts_.functions_[frame_.function], method);
    }
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr* construct) {
    if (frame_.function != nullptr) {
      note_function(facts_.functions_[frame_.function], construct->getConstructor());
    }
    return true;
  }

  bool VisitCXXBindTemporaryExpr(clang::CXXBindTemporaryExpr* temporary) {
    if (frame_.function != nullptr) {
      note_destruction(facts_.functions_[frame_.function], temporary->getType());
    }
    return true;
  }

  bool VisitCXXDeleteExpr(clang::CXXDeleteExpr* deletion) {
    const clang::CXXDestructorDecl* const destructor = destructor_of(deletion->getDestroyedType());
    if (frame_.function != nullptr && destructor != nullptr) {
      note_function(facts_.functions_[frame_.function], destructor);
    }
    return true;
  }

  bool VisitVarDecl(clang::VarDecl* variable) {
    if (frame_.function == nullptr) {
      return true;
    }
    Facts::Function& facts = facts_.functions_[frame_.function];
    note_destruction(facts, variable->getType());
    if (variable->hasAttr<clang::CUDASharedAttr>()) {
      facts.how |= share_memory;
    } else if (variable->hasLocalStorage() && holds_array(variable->getType()) && !variable->isConstexpr()) {
      facts.how |= own_arrays;
    }
    return true;
  }

  bool VisitExpr(clang::Expr* expression) {
    // Lists in parentheses have no type before they are instantiated.
    if (frame_.function != nullptr && !expression->getType().isNull() && expression->isPRValue() &&
        expression->getType()->isRecordType() && holds_array(expression->getType())) {
      facts_.functions_[frame_.function].how |= own_arrays;
    }
    return true;
  }

  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) {
    const auto* const index = llvm::dyn_cast<clang::MemberExpr>(element->getIdx()->IgnoreParenImpCasts());
    const auto* const of =
        index == nullptr ? nullptr : llvm::dyn_cast<clang::DeclRefExpr>(index->getBase()->IgnoreParenImpCasts());
    if (element != pointed_to_ && of != nullptr && simple_name(of->getDecl()) == "threadIdx" &&
        simple_name(index->getMemberDecl()) == "x") {
      own_element_of_ = element->getBase()->IgnoreParenImpCasts();
    }
    return true;
  }

  bool VisitUnaryOperator(clang::UnaryOperator* operation) {
    if (operation->getOpcode() == clang::UO_AddrOf) {
      pointed_to_ = operation->getSubExpr()->IgnoreParens();
      note_pointer(operation->getSubExpr());
    } else if (operation->isIncrementDecrementOp()) {
      note_access(operation->getSubExpr());
    }
    return true;
  }

  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (operation->isAssignmentOp()) {
      note_access(operation->getLHS());
    }
    return true;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr* cast) {
    if (cast->getCastKind() == clang::CK_LValueToRValue) {
      read_at_once_ = cast->getSubExpr()->IgnoreParens();
      note_access(cast->getSubExpr());
    }
    return true;
  }

  bool VisitAbstractConditionalOperator(clang::AbstractConditionalOperator* choice) {
    if (choice->isGLValue() && choice != read_at_once_) {
      note_pointer(choice->getTrueExpr());
      note_pointer(choice->getFalseExpr());
    }
    return true;
  }

  bool VisitOverloadExpr(clang::OverloadExpr* overloads) {
    if (frame_.function == nullptr) {
      return true;
    }
    Facts::Function& facts = facts_.functions_[frame_.function];
    for (const clang::NamedDecl* const one : overloads->decls()) {
      const clang::NamedDecl* const declaration = one->getUnderlyingDecl();
      if (!holds(declaration)) {
        continue;
      }
      if (const auto* const made = llvm::dyn_cast<clang::FunctionTemplateDecl>(declaration)) {
        note_function(facts, made->getTemplatedDecl());
      } else if (const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
        note_function(facts, function);
      }
    }
    return true;
  }

  /// Whether something is declared outside of precompiled headers, or in those that the source includes.
  bool holds(const clang::Decl* declaration) const {
    return headers_ == nullptr || headers_->hold(sources_, declaration->getLocation());
  }
  /// Whether it is no instance of a template that is made by precompiled headers which the source does not include.
  bool holds_instance(const clang::Decl* declaration) const {
    if (headers_ == nullptr || !declaration->isFromASTFile()) {
      return true;
    }
    clang::SourceLocation made;
    if (const auto* const function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      made = function->isTemplateInstantiation() ? function->getPointOfInstantiation() : clang::SourceLocation();
    } else if (const auto* const type = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(declaration)) {
      made = type->getPointOfInstantiation();
    }
    return headers_->hold(sources_, made);
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    if (frame_.function == nullptr || llvm::isa<clang::CUDAKernelCallExpr>(call)) {
      return true;
    }
    if (call->getDirectCallee() == nullptr && !call->getCallee()->isTypeDependent() && !call->isTypeDependent() &&
        !llvm::isa<clang::CXXPseudoDestructorExpr>(call->getCallee())) {
      facts_.functions_[frame_.function].calls_unknown = true;
    }
    return true;
  }

 private:
  struct Frame {
    const clang::FunctionDecl* function = nullptr;
    bool indices_from_kernel = false;
  };

  /// Notes a pointer, or a reference by choice, to a variable of the thread's own. The headers' own functions, which look at a
  /// number's bits that way, are no such case: compilers see through them.
  void note_pointer(const clang::Expr* place) {
    if (frame_.function != nullptr && !place->isTypeDependent() && !sources_.isInSystemHeader(place->getExprLoc()) &&
        may_be_own(place)) {
      facts_.functions_[frame_.function].how |= own_arrays;
    }
  }

  /// Notes an access of volatile memory that may be the block's.
  void note_access(const clang::Expr* place) {
    if (frame_.function == nullptr || place->isTypeDependent() || !place->getType().isVolatileQualified() ||
        sources_.isInSystemHeader(place->getExprLoc())) {
      return;
    }
    const clang::VarDecl* const variable = first_variable(place);
    const bool is_elsewhere =
        variable != nullptr && (is_of_grid(variable) || (!variable->getType()->isReferenceType() && may_be_own(place)));
    Facts::Function& facts = facts_.functions_[frame_.function];
    facts.names_volatile = facts.names_volatile || !is_elsewhere;
  }

  void note_function(Facts::Function& facts, const clang::FunctionDecl* function) const {
    if (headers_ != nullptr && !facts.names_others && function->getBuiltinID() == 0) {
      const auto* const type = llvm::dyn_cast<clang::CXXRecordDecl>(function->getParent());
      facts.names_others = !holds_instance(function) || (type != nullptr && !holds_instance(type)) ||
                           std::ranges::none_of(function->redecls(), [&](const auto* one) { return holds(one); });
    }
    facts.syncs_warp = facts.syncs_warp || simple_name(function) == "__syncwarp";
    if (waits_for_others(simple_name(function))) {
      facts.how |= cooperate;
    }
    facts.calls.insert(canonical(function));
    if (const auto* const method = llvm::dyn_cast<clang::CXXMethodDecl>(function); method != nullptr && method->isVirtual()) {
      facts.calls_unknown = true;
    }
    if (const auto* const destructor = llvm::dyn_cast<clang::CXXDestructorDecl>(function)) {
      note_destructor(facts, destructor);
    }
  }

  /// Notes a destructor, and those of bases and members, which follow it.
  void note_destructor(Facts::Function& facts, const clang::CXXDestructorDecl* destructor) const {
    facts.calls.insert(canonical(destructor));
    for (const auto& base : destructor->getParent()->bases()) {
      note_destruction(facts, base.getType());
    }
    for (const auto* const field : destructor->getParent()->fields()) {
      note_destruction(facts, field->getType());
    }
  }

  /// Notes the destructor that runs when the life of an object, or of an array's objects, ends.
  void note_destruction(Facts::Function& facts, clang::QualType type) const {
    if (const clang::CXXDestructorDecl* const destructor = destructor_of(type)) {
      note_destructor(facts, destructor);
    }
  }

  Facts& facts_;
  const clang::SourceManager& sources_;
  const IncludedHeaders* headers_;
  Frame frame_;
  const clang::Expr* pointed_to_ = nullptr;      ///< whose address is taken
  const clang::Expr* own_element_of_ = nullptr;  ///< an array of which the thread's own element is named: x of x[threadIdx.x]
  const clang::Expr* read_at_once_ = nullptr;    ///< whose value alone is taken
};

namespace {

/// Returns the declarations at file level that hold a function's text and its instances: its own, its template or its class.
std::vector<clang::Decl*> outermost(const clang::FunctionDecl* function) {
  std::set<clang::Decl*> found;
  std::vector<clang::Decl*> all;
  const auto add = [&](clang::Decl* declaration) {
    for (clang::Decl* const one : declaration->redecls()) {
      if (found.insert(one).second) {
        all.push_back(one);
      }
    }
  };
  for (clang::Decl* one : function->redecls()) {
    for (const clang::DeclContext* outer = one->getLexicalDeclContext();
         !outer->isFileContext() && !llvm::isa<clang::LinkageSpecDecl, clang::ExportDecl>(outer);
         outer = one->getLexicalDeclContext()) {
      one = const_cast<clang::Decl*>(llvm::cast<clang::Decl>(outer));  // as redecls() gives it
    }
    if (auto* const type = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(one)) {
      add(type->getSpecializedTemplate());  // which has the instances, also those of partial specialisations
    }
    clang::TemplateDecl* const made_of = one->getDescribedTemplate();
    add(made_of != nullptr ? made_of : one);
  }
  return all;
}

}  // namespace

Facts::Facts(clang::ASTContext& context, const IncludedHeaders* headers) {
  FactCollector collector(*this, context.getSourceManager(), headers);
  collector.TraverseAST(context);
  find_device_code();
  // Of precompiled headers, which are not traversed, what runs on devices is looked at.
  std::set<const clang::Decl*> seen;
  for (bool is_complete = headers == nullptr; !is_complete;) {
    is_complete = true;
    for (const clang::FunctionDecl* const function : on_device_) {
      if (!seen.insert(function).second) {
        continue;
      }
      for (clang::Decl* const declaration : outermost(function)) {
        if (declaration->isFromASTFile() && collector.holds(declaration) &&
            (declaration == function || seen.insert(declaration).second)) {
          is_complete = false;
          collector.TraverseDecl(declaration);
        }
      }
    }
    find_device_code();
  }
}

bool Facts::depend_on_others() const {
  return std::ranges::any_of(functions_,
                             [&](const auto& entry) { return entry.second.names_others && on_device_.contains(entry.first); });
}

void Facts::find_device_code() {
  // On devices run the functions that kernels reach, and those that are marked for it.
  std::vector<const clang::FunctionDecl*> kernels;
  std::vector<const clang::FunctionDecl*> marked;
  for (const auto& [function, facts] : functions_) {
    if (facts.is_kernel) {
      kernels.push_back(function);
    }
    if (facts.is_kernel || is_device_function(function)) {
      marked.push_back(function);
    }
  }
  for_kernels_ = with_callees(std::move(kernels));
  on_device_ = with_callees(std::move(marked));
}

std::set<const clang::FunctionDecl*> Facts::with_callees(std::vector<const clang::FunctionDecl*> functions) const {
  std::set<const clang::FunctionDecl*> reached;
  while (!functions.empty()) {
    const clang::FunctionDecl* const function = functions.back();
    functions.pop_back();
    if (reached.insert(function).second) {
      if (const auto found = functions_.find(function); found != functions_.end()) {
        functions.insert(functions.end(), found->second.calls.begin(), found->second.calls.end());
      }
    }
  }
  return reached;
}

bool Facts::asks_indices(const clang::FunctionDecl* function) const {
  const auto found = functions_.find(canonical(function));
  return found != functions_.end() && found->second.names_indices && !found->second.is_kernel;
}

const std::vector<const clang::VarDecl*>& Facts::shared_globals(const clang::FunctionDecl* function) const {
  static const std::vector<const clang::VarDecl*> none;
  const auto found = functions_.find(canonical(function));
  return found == functions_.end() ? none : found->second.shared_globals;
}

bool Facts::is_named_by_host(const clang::VarDecl* variable) const {
  return std::any_of(functions_.begin(), functions_.end(), [&](const auto& entry) {
    return entry.second.device_variables.contains(variable->getCanonicalDecl()) && !on_device_.contains(entry.first);
  });
}

bool Facts::runs_on_device(const clang::FunctionDecl* function) const {
  return on_device_.contains(canonical(function));
}

bool Facts::serves_a_kernel(const clang::FunctionDecl* function) const {
  return for_kernels_.contains(canonical(function));
}

bool Facts::is_fit_for_devices(const clang::FunctionDecl* function) const {
  const std::set<const clang::FunctionDecl*> reached = with_callees({canonical(function)});
  return std::all_of(reached.begin(), reached.end(), [](const clang::FunctionDecl* one) {
    return is_device_function(one) || one->isConstexpr() || one->getBuiltinID() != 0;
  });
}

std::vector<const Facts::Function*> Facts::reached_from(const clang::FunctionDecl* function) const {
  std::vector<const Function*> reached;
  std::set<const clang::FunctionDecl*> seen;
  std::vector<const clang::FunctionDecl*> left{canonical(function)};
  while (!left.empty()) {
    const clang::FunctionDecl* const next = left.back();
    left.pop_back();
    const auto found = functions_.find(next);
    if (seen.insert(next).second && found != functions_.end()) {
      reached.push_back(&found->second);
      left.insert(left.end(), found->second.calls.begin(), found->second.calls.end());
    }
  }
  return reached;
}

unsigned Facts::how(const clang::FunctionDecl* kernel) const {
  unsigned how = independent;
  bool names_volatile = false;
  bool syncs_warps = false;
  bool exchanges = false;
  for (const Function* const function : reached_from(kernel)) {
    how |= function->how;
    names_volatile = names_volatile || function->names_volatile;
    syncs_warps = syncs_warps || function->syncs_warp;
    exchanges = exchanges || function->exchanges || function->calls_unknown;
    if (function->names_indices && !function->is_kernel) {
      how |= ask_indices;
    }
    if (function->calls_unknown) {
      how |= share_memory | cooperate | ask_indices;
    }
  }
  if (exchanges && ((how & cooperate) == 0 || (names_volatile && !syncs_warps))) {
    how |= in_step;
  }
  return how;
}

}  // namespace phpc::port
