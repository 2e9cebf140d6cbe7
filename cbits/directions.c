/* The leading directions of a sample, more than are asked for, turned at random onto those that are: this keeps more of the texts' similarity
 * than the very first ones do (docs/design.md). The covariance is summed in integers, its leading space found
 * by subspace iteration in a fixed order with + - * / and sqrt alone, so that the same sample gives the same bytes everywhere. */
#include "hash.h"
#include "memory.h"
#include "pocket_build.h"

#define ROUNDS 16

static double root(double x) {
    /* Newton's iteration from above: the C library's sqrt is exact too, but a free-standing core has none. */
    double r = x > 1 ? x : 1;
    if (x <= 0) return 0;
    for (int i = 0; i < 1200; i++) {
        double next = (r + x / r) / 2;
        if (next >= r) break;
        r = next;
    }
    return r;
}

/* A number in -1 .. 1 that depends on i alone; the sum of four is bell-shaped enough for a random rotation. */
static double drawn(uint64_t i) {
    uint64_t h = pocket_mix(i + 1);
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += (double)(h >> 16 * k & 0xFFFF) / 65536 - 0.5;
    return sum;
}

/* LANES numbers at a time, which a processor multiplies at once. */
#define LANES 8u

static inline void add_lanes(double *restrict to, const double *restrict from, double factor) {
    for (size_t j = 0; j < LANES; j++) to[j] += factor * from[j];
}

/* to += factor * from; they do not overlap. */
static void add_scaled(double *to, const double *from, double factor, size_t count) {
    size_t j = 0;
    for (; j + LANES <= count; j += LANES) add_lanes(to + j, from + j, factor);
    for (; j < count; j++) to[j] += factor * from[j];
}

/* Make the columns of a (rows x columns, row by row) orthonormal, first to last (modified Gram-Schmidt). */
static void orthonormalise(double *a, size_t rows, size_t columns, double *dots) {
    for (size_t j = 0; j < columns; j++) {
        double length = 0;
        for (size_t i = 0; i < rows; i++) length += a[i * columns + j] * a[i * columns + j];
        length = root(length);
        for (size_t i = 0; i < rows; i++) a[i * columns + j] = length > 0 ? a[i * columns + j] / length : 0;
        for (size_t k = j + 1; k < columns; k++) dots[k] = 0;
        size_t rest = columns - j - 1;
        for (size_t i = 0; i < rows; i++) add_scaled(dots + j + 1, a + i * columns + j + 1, a[i * columns + j], rest);
        for (size_t i = 0; i < rows; i++) add_scaled(a + i * columns + j + 1, dots + j + 1, -a[i * columns + j], rest);
    }
}

/* out (n x columns) = a (n x m) b (m x columns). */
static void multiply(const double *a, const double *b, double *out, size_t n, size_t m, size_t columns) {
    for (size_t i = 0; i < n; i++) {
        double *row = out + i * columns;
        for (size_t j = 0; j < columns; j++) row[j] = 0;
        for (size_t k = 0; k < m; k++) add_scaled(row, b + k * columns, a[i * m + k], columns);
    }
}

static void covariance(const pocket_class_row *rows, const uint64_t *ends, size_t count, size_t classes, int64_t *sums, int64_t *products, double *out) {
    uint64_t start = 0;
    for (size_t i = 0; i < count; start = ends[i++])
        for (uint64_t a = start; a < ends[i]; a++) {
            int64_t value = rows[a].value, *line = products + rows[a].number * classes;
            sums[rows[a].number] += value;
            for (uint64_t b = start; b < ends[i]; b++) line[rows[b].number] += value * rows[b].value;
        }
    double n = count ? (double)count : 1;
    for (size_t a = 0; a < classes; a++)
        for (size_t b = 0; b < classes; b++) out[a * classes + b] = (double)products[a * classes + b] / n - (double)sums[a] / n * ((double)sums[b] / n);
}

/* Scale the columns of r (classes x directions) to equal spread, and all of it to fill a signed byte. */
static void quantise(double *r, const double *r_times_covariance, size_t classes, size_t directions, int8_t *out) {
    double most = 0;
    for (size_t j = 0; j < directions; j++) {
        double spread = 0;
        for (size_t i = 0; i < classes; i++) spread += r[i * directions + j] * r_times_covariance[i * directions + j];
        spread = root(spread);
        for (size_t i = 0; i < classes; i++) {
            double *x = &r[i * directions + j];
            *x = spread > 0 ? *x / spread : 0;
            if (*x > most) most = *x;
            if (-*x > most) most = -*x;
        }
    }
    for (size_t i = 0; i < classes * directions; i++) {
        double x = most > 0 ? r[i] / most * 127 : 0;
        out[i] = (int8_t)(x < 0 ? x - 0.5 : x + 0.5);
    }
}

uint32_t pocket_directions(const pocket_class_row *rows, const uint64_t *ends, size_t count, uint32_t class_count, uint32_t leading_count, uint32_t direction_count,
                           int8_t *rotation) {
    size_t k = class_count, d = direction_count, wide = leading_count;
    for (uint64_t i = 0; i < (count ? ends[count - 1] : 0); i++)
        if (rows[i].number >= k) return POCKET_BAD_ARGUMENT;
    if (d < 1 || d > wide || wide > k) return POCKET_BAD_ARGUMENT;
    double *cov = pocket_malloc(k * k * sizeof *cov), *v = pocket_malloc((2 * k * wide + wide * d + wide) * sizeof *v);
    int64_t *sums = pocket_malloc((k + k * k) * sizeof *sums);
    if (!cov || !v || !sums) {
        pocket_free(cov);
        pocket_free(v);
        pocket_free(sums);
        return POCKET_NO_MEMORY;
    }
    double *w = v + k * wide, *turn = w + k * wide, *dots = turn + wide * d;
    memset(sums, 0, (k + k * k) * sizeof *sums);
    covariance(rows, ends, count, k, sums, sums + k, cov);
    for (size_t i = 0; i < k * wide; i++) v[i] = drawn(i);
    orthonormalise(v, k, wide, dots);
    for (int round = 0; round < ROUNDS; round++) {
        multiply(cov, v, w, k, k, wide);
        memcpy(v, w, k * wide * sizeof *v);
        orthonormalise(v, k, wide, dots);
    }
    for (size_t i = 0; i < wide * d; i++) turn[i] = drawn(k * wide + i);
    orthonormalise(turn, wide, d, dots);
    multiply(v, turn, w, k, wide, d);
    multiply(cov, w, v, k, k, d);
    quantise(w, v, k, d, rotation);
    pocket_free(cov);
    pocket_free(v);
    pocket_free(sums);
    return POCKET_OK;
}
