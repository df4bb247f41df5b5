// Writes random CUDA programs that check themselves: random_programs [--plain] SEED COUNT.
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <vector>

#include "port/random_program/generate.hpp"
#include "port/random_program/interpret.hpp"
#include "port/random_program/print.hpp"

int main(int count, char** arguments) {
  using namespace phpc::test;
  const bool plain = count > 1 && std::strcmp(arguments[1], "--plain") == 0;
  if (count != (plain ? 4 : 3)) {
    std::cerr
        << "usage: random_programs [--plain] SEED COUNT\n"
           "prints a CUDA program of COUNT random kernels whose main compares what they compute with what an interpreter found,\n"
           "and prints PASS COUNT or FAIL n of COUNT; --plain: the same kernels as C++ over an emulation by fibers\n";
    return 2;
  }
  try {
    const std::uint64_t seed = std::strtoull(arguments[count - 2], nullptr, 10);
    Program program = random_program(seed, std::atoi(arguments[count - 1]));
    std::vector<std::uint64_t> hashes;
    // A kernel that breaks a rule of CUDA, or runs for long, is left out.
    std::erase_if(program.kernels, [&, all = program](const Kernel& kernel) {
      try {
        hashes.push_back(expected_hash(all, kernel));
        return false;
      } catch (const std::logic_error& rule) {
        std::cerr << "random_programs: seed " << seed << ": left out " << rule.what() << "\n";
        return true;
      }
    });
    std::cout << print_program(program, hashes, seed, plain);
  } catch (const std::exception& error) {
    std::cerr << "random_programs: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
