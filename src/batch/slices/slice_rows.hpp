#pragma once
#include "batch/slices/slice_job.hpp"
#include "phpc/exec/subgroup.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::batch {

/// The rows of A that a thread has in a slice layout: up to Slots entries of each in registers, more in scratch, the rest in
/// memory, which needs Tails; all in memory where Slots is 0. T is the type of the arithmetic, Stored that of the values in
/// memory.
template <class T, int Rows, int Slots, bool Tails, class Stored>
class SliceRows {
 public:
  static constexpr int lanes = exec::subgroup_size;
  static constexpr int log2_lanes = lanes == 64 ? 6 : lanes == 32 ? 5 : 0;

  [[gnu::always_inline]] SliceRows(const exec::Team& team, const SliceTables& tables, const Stored* values)
      : team_(team), tables_(tables), values_(values) {}

  /// Loads the system's values. `staging` is scratch for staged_slots values of each position; `scratch`, where values in scratch
  /// are to lie, may overlap it. To be followed by a barrier.
  [[gnu::always_inline]] void team_load(std::int32_t entries, T* staging, T* scratch) {
    if constexpr (Slots > 0) {
      const int positions = Rows * team_.size();
      const int staged = (Slots + 1) * (positions + 1);
      place(entries, 0, staged, staging);
      team_.barrier();
#pragma unroll
      for (int i = 0; i < Rows; ++i) {
        const int p = position(i);
        const SlicePosition& place_of = tables_.positions[p];
        const int count = place_of.others();
        diagonal_[i] = place_of.has_diagonal() ? staging[p] : T{};
#pragma unroll
        for (int slot = 0; slot < Slots; ++slot) {
          value_[i][slot] = slot < count ? staging[(slot + 1) * (positions + 1) + p] : T{};
        }
#pragma unroll
        for (int word = 0; word < words; ++word) {
          columns_[i][word] = tables_.register_columns[word * positions + p];
        }
      }
      scratch_ = scratch;
      if (tables_.scratch_slots > 0) {
        team_.barrier();
        place(entries, staged, no_place, scratch);
        for (int pad = team_.rank(); pad < tables_.pad_count; pad += team_.size()) {
          scratch[tables_.pads[pad]] = T{};
        }
      }
    }
  }

  /// Calls store(i, sum) with the product of each row i and the operand, a Sum of product_sums.hpp; own[i] is the operand of row
  /// i's diagonal.
  template <class Sum, class Store>
  [[gnu::always_inline]] void for_rows(const T* operand, const T (&own)[Rows], Store store) const {
    Sum sum[Rows];
    const int rank = rank_anew();
    if constexpr (Slots == 0 || Tails) {
#pragma unroll
      for (int i = 0; i < Rows; ++i) {
        add_tail(rank, i, operand, sum[i]);
      }
    }
    if constexpr (Slots > 0) {
#pragma unroll
      for (int i = 0; i < Rows; ++i) {
        sum[i].add_product(diagonal_[i], own[i]);
      }
    }
    // Several operands are loaded before the products that need them; in the order of the sums, each product would wait for its
    // own.
    constexpr int products = Rows * Slots;
    constexpr int flight = 8;
#pragma unroll
    for (int first = 0; first < products; first += flight) {
      T x[flight];
#pragma unroll
      for (int k = 0; k < flight && first + k < products; ++k) {
        const int slot = (first + k) / Rows;
        x[k] = at(operand, half(columns_[(first + k) % Rows][slot / 2], slot % 2));
      }
#pragma unroll
      for (int k = 0; k < flight && first + k < products; ++k) {
        sum[(first + k) % Rows].add_product(value_[(first + k) % Rows][(first + k) / Rows], x[k]);
      }
    }
    if (Slots > 0 && tables_.scratch_slots > 0) {
#pragma unroll
      for (int i = 0; i < Rows; ++i) {
        add_scratch(rank, i, operand, sum[i]);
      }
    }
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
      store(i, sum[i]);
    }
  }

  [[nodiscard, gnu::always_inline]] int position(int i) const { return team_.rank() + i * team_.size(); }
  [[nodiscard, gnu::always_inline]] int row(int i) const { return tables_.positions[position(i)].row; }
  [[nodiscard, gnu::always_inline]] T diagonal(int i) const {
    const std::int32_t entry = tables_.positions[position(i)].diagonal;
    return entry < 0 ? T{} : static_cast<T>(values_[entry]);
  }

 private:
  static constexpr int words = (Slots + 1) / 2;

  [[nodiscard, gnu::always_inline]] static std::uint32_t half(std::uint32_t word, int which) {
    return which == 0 ? word & 0xffffU : word >> 16;
  }
  /// The rank, in such a way that the compiler computes what depends on it anew: addresses held from one product to the next
  /// would fill the registers.
  [[nodiscard, gnu::always_inline]] int rank_anew() const {
    int rank = team_.rank();
#if defined(__NVPTX__)
    asm volatile("mov.u32 %0, %1;" : "=r"(rank) : "r"(rank));
    __builtin_assume(rank >= 0 && rank < 1024);
#endif
    return rank;
  }

  /// The operand `bytes` from the first.
  [[nodiscard, gnu::always_inline]] static T at(const T* operand, std::uint32_t bytes) {
    return *reinterpret_cast<const T*>(reinterpret_cast<const std::byte*>(operand) + bytes);
  }

  /// Stores the entries with places in [first, end) at to[place - first], several loads in flight.
  [[gnu::always_inline]] void place(std::int32_t entries, int first, int end, T* to) const {
    constexpr int flight = 8;
    const int size = team_.size();
    std::int32_t entry = team_.rank();
    for (; entry + (flight - 1) * size < entries; entry += flight * size) {
      int at[flight];
      T value[flight];
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        at[k] = tables_.places[entry + k * size];
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        value[k] = at[k] >= first && at[k] < end ? static_cast<T>(values_[entry + k * size]) : T{};
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        if (at[k] >= first && at[k] < end) {
          to[at[k] - first] = value[k];
        }
      }
    }
    for (; entry < entries; entry += size) {
      const int at = tables_.places[entry];
      if (at >= first && at < end) {
        to[at - first] = static_cast<T>(values_[entry]);
      }
    }
  }

  /// Adds the products of row i's entries in scratch, eight at a time; the words of their columns are loaded eight entries ahead.
  template <class Sum>
  [[gnu::always_inline]] void add_scratch(int rank, int i, const T* operand, Sum& sum) const {
    constexpr int flight = 4;  // words, of two entries each
    const int lane = rank % lanes;
    const int slice = (rank + i * team_.size()) / lanes;
    const std::int32_t first = tables_.slices[slice];
    const int count = (tables_.slices[slice + 1] - first) / 2;
    const T* values = scratch_ + first * (lanes + 1) + lane;
    const std::uint32_t* columns = tables_.scratch_columns + first / 2 * lanes + lane;
    std::uint32_t word[flight];
#pragma unroll
    for (int k = 0; k < flight; ++k) {
      word[k] = k < count ? columns[k * lanes] : 0;
    }
    for (int left = count; left > 0; left -= flight) {
      columns += flight * lanes;
      std::uint32_t next[flight];
      T value[2 * flight];
      T x[2 * flight];
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        next[k] = k + flight < left ? columns[k * lanes] : 0;
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        value[2 * k] = k < left ? values[2 * k * (lanes + 1)] : T{};
        value[2 * k + 1] = k < left ? values[(2 * k + 1) * (lanes + 1)] : T{};
        x[2 * k] = at(operand, half(word[k], 0));
        x[2 * k + 1] = at(operand, half(word[k], 1));
      }
#pragma unroll
      for (int k = 0; k < 2 * flight; ++k) {
        sum.add_product(value[k], x[k]);
      }
#pragma unroll
      for (int k = 0; k < flight; ++k) {
        word[k] = next[k];
      }
      values += 2 * flight * (lanes + 1);
    }
  }

  /// Begins row i's sum with the products of its entries in memory. Several lanes share a row, so that neighbouring lanes read
  /// neighbours in memory, each with several loads in flight.
  template <class Sum>
  [[gnu::always_inline]] void add_tail(int rank, int i, const T* operand, Sum& sum) const {
    const SlicePosition& own = tables_.positions[rank + i * team_.size()];
    const std::int32_t own_begin = Slots == 0 ? own.begin : own.tail;
    const std::int32_t own_end = own.end;
    const int lane = rank % lanes;
    const int shift = lanes == 1 ? 0 : Slots == 0 ? tables_.row_shift : tables_.tail_shift;
    const int width = 1 << shift;
    const int together = lanes >> shift;  // rows at a time
    for (int step = 0; step < width; ++step) {
      const int of = step * together + (lane >> shift);
      const std::int32_t begin = exec::subgroup_shuffle(team_, own_begin, of);
      const std::int32_t end = exec::subgroup_shuffle(team_, own_end, of);
      Sum part;
      for (std::int32_t entry = begin + (lane & (width - 1)); entry < end; entry += tail_flight << shift) {
        T value[tail_flight];
        int column[tail_flight];
#pragma unroll
        for (int k = 0; k < tail_flight; ++k) {
          const std::int32_t number = entry + (k << shift);
          value[k] = number < end ? static_cast<T>(values_[number]) : T{};
          column[k] = number < end ? tables_.columns[number] : 0;
        }
#pragma unroll
        for (int k = 0; k < tail_flight; ++k) {
          part.add_product(value[k], operand[column[k]]);
        }
      }
      for (int mask = width / 2; mask > 0; mask /= 2) {
        part.add_other([&](T value) { return exec::subgroup_shuffle_xor(team_, value, mask); });
      }
      const Sum got = exec::subgroup_shuffle(team_, part, (lane & (together - 1)) << shift);
      if (lane >> (log2_lanes - shift) == step) {
        sum = got;
      }
    }
  }

  const exec::Team& team_;
  const SliceTables& tables_;
  const Stored* values_;
  const T* scratch_ = nullptr;
  T diagonal_[Rows];
  T value_[Rows][Slots > 0 ? Slots : 1];
  std::uint32_t columns_[Rows][Slots > 0 ? words : 1];
};

}  // namespace phpc::batch
