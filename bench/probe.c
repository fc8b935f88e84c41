/* The two sides of the roofline of one core, measured without Ferrule: fused
   multiply-adds on registers, and streams through memory. Compiled and called
   by kernels.py. */
#include <stddef.h>

#if defined(__AVX512F__)
#define WIDTH 16
#define CHAINS 24
#elif defined(__AVX2__)
#define WIDTH 8
#define CHAINS 12
#else
#define WIDTH 4
#define CHAINS 24
#endif
typedef float vector __attribute__((vector_size(4 * WIDTH)));

/* Does `rounds` rounds of independent multiply-adds; returns their number of
   floating-point operations. */
double probe_fma(long rounds, float *sink) {
  vector sums[CHAINS], factor, term;
  for (int i = 0; i < WIDTH; ++i) {
    factor[i] = 0.999f;
    term[i] = 0.001f;
  }
  for (int chain = 0; chain < CHAINS; ++chain)
    sums[chain] = term * (float)chain;
  for (long round = 0; round < rounds; ++round) {
#pragma clang loop unroll(full)
    for (int chain = 0; chain < CHAINS; ++chain)
      sums[chain] = sums[chain] * factor + term;
    /* Keeps the chains in registers and the loop from being computed ahead. */
    __asm__ volatile("" ::: "memory");
  }
  vector total = sums[0];
  for (int chain = 1; chain < CHAINS; ++chain)
    total += sums[chain];
  *sink = total[0];
  return 2.0 * WIDTH * CHAINS * (double)rounds;
}

/* Reads `count` floats; a multiple of 8 * WIDTH of them. */
void probe_read(const float *data, size_t count, float *sink) {
  vector sums[8] = {0};
  for (size_t i = 0; i < count; i += 8 * WIDTH)
    for (int k = 0; k < 8; ++k)
      sums[k] += *(const vector *)(data + i + (size_t)k * WIDTH);
  vector total = sums[0];
  for (int k = 1; k < 8; ++k)
    total += sums[k];
  *sink = total[0];
}

/* Reads `count` floats and writes as many. */
void probe_copy(const float *from, float *to, size_t count) {
  for (size_t i = 0; i < count; i += WIDTH)
    *(vector *)(to + i) = *(const vector *)(from + i) * 1.5f;
}
