#include "support/array_files.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace phpc::test {

namespace {

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int byte = 0; byte < bytes; ++byte) {
    text += static_cast<char>(value >> (8 * byte) & 0xff);
  }
  return text;
}

}  // namespace

std::string npy_bytes(const std::string& dictionary, const std::string& elements) {
  return std::string("\x93NUMPY\x01\0", 8) + little(dictionary.size(), 2) + dictionary + elements;
}

std::string riff_chunk(const std::string& identifier, const std::string& content) {
  return identifier + little(content.size(), 4) + content + std::string(content.size() % 2, '\0');
}

std::string wav_bytes(const WavFile& file) {
  const int frame = file.channels * file.sample_bytes;
  std::string format = little(static_cast<std::uint64_t>(file.codec), 2) + little(static_cast<std::uint64_t>(file.channels), 2) +
                       little(file.rate, 4) + little(file.rate * static_cast<std::uint64_t>(frame), 4) +
                       little(static_cast<std::uint64_t>(frame), 2) +
                       little(static_cast<std::uint64_t>(8 * file.sample_bytes), 2);
  if (file.codec == 0xfffe) {
    format += little(22, 2) + little(static_cast<std::uint64_t>(8 * file.sample_bytes), 2) + little(0, 4) +
              little(static_cast<std::uint64_t>(file.subcodec), 2) + std::string(14, '\x55');
  }
  const bool is_wide = file.form != "RIFF";
  const std::uint64_t data_bytes = file.data_bytes < 0 ? file.samples.size() : static_cast<std::uint64_t>(file.data_bytes);
  std::string data = riff_chunk("data", file.samples);
  data.replace(4, 4, is_wide ? std::string(4, '\xff') : little(data_bytes, 4));
  std::string body = riff_chunk("fmt ", format) + file.chunks_before + data;
  const std::size_t ds64_bytes = 8 + 28;
  const std::uint64_t all = 4 + body.size() + (is_wide ? ds64_bytes : 0);
  const std::uint64_t riff_bytes = file.riff_bytes < 0 ? all : static_cast<std::uint64_t>(file.riff_bytes);
  if (is_wide) {
    body = riff_chunk("ds64", little(riff_bytes, 8) + little(data_bytes, 8) + little(0, 8) + little(0, 4)) + body;
  }
  return file.form + (is_wide ? std::string(4, '\xff') : little(riff_bytes, 4)) + "WAVE" + body;
}

FeedingPipe::FeedingPipe(std::string path, std::string bytes) : path_(std::move(path)) {
  if (mkfifo(path_.c_str(), 0600) != 0) {
    throw std::runtime_error("cannot make the pipe " + path_);
  }
  writer_ = std::thread([this, bytes = std::move(bytes)] {
    // A reader that stops early is part of some tests.
    sigset_t broken_pipe;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &broken_pipe, nullptr);
    const int descriptor = open(path_.c_str(), O_WRONLY);
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t written = write(descriptor, bytes.data() + done, bytes.size() - done);
      if (written <= 0) {
        break;
      }
      done += static_cast<std::size_t>(written);
    }
    close(descriptor);
  });
}

FeedingPipe::~FeedingPipe() {
  writer_.join();
  unlink(path_.c_str());
}

}  // namespace phpc::test
