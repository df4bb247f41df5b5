#pragma once
#include "batch/system/memory_context.hpp"
#include "batch/work/counted_number.hpp"

namespace phpc::test {

/// The context of a team of one thread whose loops tell the ledger where a row begins. OneThread: methods take the way that they
/// take on a thread with packs.
template <bool OneThread>
class CountingContext : public batch::MemoryContext<Counted, 1> {
  using Base = batch::MemoryContext<Counted, 1>;

 public:
  using Base::Base;
  static constexpr bool is_one_thread = OneThread;
  int lone_sums = 0;      ///< calls of team_sum() for one value
  int compensations = 0;  ///< residuals that are to be evaluated by compensated sums; they stay as they are
  int maxima = 0;         ///< of vectors, for norms whose squares leave the range

  /// The rows of a range, each a step of the ledger.
  class Steps {
   public:
    explicit Steps(batch::StridedRange range) : range_(range) {}
    operator batch::StridedRange() const { return range_; }  // NOLINT(google-explicit-constructor)
    struct Iterator {
      batch::StridedRange::Iterator at;
      int operator*() const {
        Ledger::present->next_step();
        return *at;
      }
      Iterator& operator++() {
        ++at;
        return *this;
      }
      bool operator!=(const Iterator& end) const { return at != end.at; }
    };
    [[nodiscard]] Iterator begin() const { return {range_.begin()}; }
    [[nodiscard]] Iterator end() const { return {range_.end()}; }

   private:
    batch::StridedRange range_;
  };
  [[nodiscard]] Steps my_rows() const { return Steps(Base::my_rows()); }
  [[nodiscard]] Steps my_rows_from(int first) const { return Steps(Base::my_rows_from(first)); }
  [[nodiscard]] Steps my_share(int count) const { return Steps(Base::my_share(count)); }

  template <class Each>
  void team_multiply(const Vector& p, Vector& y, Each each) const {
    for (const int i : my_rows()) {
      const Counted product = matrix().row_times(i, p);
      Ledger::present->next_step();
      y[i] = product;
      each(i, product);
    }
  }
  [[nodiscard]] Counted team_residual(const Vector& p, Vector& r, const Counted& unit) const {
    const Counted inverse = 1.0 / unit;
    Counted squared;
    for (const int i : my_rows()) {
      const auto sum = matrix().template row_sum<batch::MeasuredSum<Counted>>(i, p);
      r[i] = rhs(i) - sum.sum();
      const Counted magnitude = unscaled(i, sum.magnitude()) * inverse;
      squared += magnitude * magnitude;
    }
    return squared;
  }
  void team_maximum(Counted& value) {
    ++maxima;
    Base::team_maximum(value);
  }
  void team_compensated_residual(const Vector& /*p*/, Vector& /*r*/, bool /*mask*/) { ++compensations; }
  void barrier() const {
    Ledger::present->next_step();
    Base::barrier();
  }
  /// Nothing is recorded.
  static void begin_cycle(const Counted& /*unit*/, std::int32_t /*iterations*/) {}
  static void record(std::int32_t /*iterations*/, bool /*mask*/, const Counted& /*squared*/) {}
  static void record_true(std::int32_t /*iterations*/, bool /*mask*/, const Counted& /*norm*/) {}

  template <class... Values>
  void team_sum(Values&... values) {
    lone_sums += sizeof...(values) == 1 ? 1 : 0;
    Base::team_sum(values...);
  }
};

}  // namespace phpc::test
