#include "runtime/format/container.h"

#include <bit>
#include <cstring>

using namespace ferrule::format;

static_assert(std::endian::native == std::endian::little,
              "the file's words are read as they lie");

static constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;

// Each step is a bijection of the lane for a fixed word and of the word for a
// fixed lane, so one changed word always changes the result.
static uint64_t mix(uint64_t lane, uint64_t word) {
  return std::rotl((lane ^ word) * kOdd, 29);
}

void Checksum::absorb(uint64_t word) {
  uint64_t &lane = lanes[words++ % 4];
  lane = mix(lane, word);
}

void Checksum::update(const void *data, size_t size) {
  auto *bytes = static_cast<const unsigned char *>(data);
  total += size;
  while (tailSize != 0 && size != 0) {
    tail[tailSize++] = *bytes++;
    --size;
    if (tailSize == 8) {
      uint64_t word;
      std::memcpy(&word, tail, 8);
      absorb(word);
      tailSize = 0;
    }
  }
  while (size >= 8 && words % 4 != 0) {
    uint64_t word;
    std::memcpy(&word, bytes, 8);
    absorb(word);
    bytes += 8, size -= 8;
  }
  // The lanes are independent, so four multiplications overlap.
  uint64_t a = lanes[0], b = lanes[1], c = lanes[2], d = lanes[3];
  for (; size >= 32; size -= 32, bytes += 32, words += 4) {
    uint64_t w[4];
    std::memcpy(w, bytes, 32);
    a = mix(a, w[0]), b = mix(b, w[1]), c = mix(c, w[2]), d = mix(d, w[3]);
  }
  lanes[0] = a, lanes[1] = b, lanes[2] = c, lanes[3] = d;
  for (; size >= 8; size -= 8, bytes += 8) {
    uint64_t word;
    std::memcpy(&word, bytes, 8);
    absorb(word);
  }
  if (size != 0) {
    std::memcpy(tail, bytes, size);
    tailSize = static_cast<unsigned>(size);
  }
}

uint64_t Checksum::finish() {
  if (tailSize != 0) {
    std::memset(tail + tailSize, 0, 8 - tailSize);
    uint64_t word;
    std::memcpy(&word, tail, 8);
    absorb(word);
    tailSize = 0;
  }
  uint64_t hash = total;
  for (uint64_t lane : lanes)
    hash = mix(hash, lane);
  hash ^= hash >> 32;
  hash *= kOdd;
  return hash ^ (hash >> 29);
}

uint64_t ferrule::format::checksum(const void *data, size_t size) {
  Checksum sum;
  sum.update(data, size);
  return sum.finish();
}
