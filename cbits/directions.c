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

/* Matrices lie in blocks of LANES columns, the last filled up with zeros: a block has the rows one after the other. What is summed for a block
 * stays in registers then, and is summed in the order of the rows all the same. */
#define LANES 16u
#define DEPTH 128u /* rows of a block that the nearest cache holds */

typedef struct lanes {
    double at[LANES];
} lanes;

static size_t blocks_of(size_t columns) { return (columns + LANES - 1) / LANES; }

static double *element(lanes *a, size_t rows, size_t row, size_t column) { return &a[column / LANES * rows + row].at[column % LANES]; }

/* sums + the rows of a block, each times its factor. */
static lanes add_rows(lanes sums, const double *factors, const lanes *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
#pragma GCC unroll 16
        for (size_t l = 0; l < LANES; l++) sums.at[l] += factors[i] * rows[i].at[l];
    }
    return sums;
}

/* To each row of a block add `added` times its factor. */
static void add_to_rows(lanes *restrict rows, const double *restrict factors, const lanes *restrict added, size_t count) {
    for (size_t i = 0; i < count; i++) {
#pragma GCC unroll 16
        for (size_t l = 0; l < LANES; l++) rows[i].at[l] += factors[i] * added->at[l];
    }
}

/* Bring column l of a block to length 1, and copy it; a column of zeros stays. */
static void unit(lanes *block, size_t rows, size_t l, double *column) {
    double length = 0;
    for (size_t i = 0; i < rows; i++) length += block[i].at[l] * block[i].at[l];
    length = root(length);
    for (size_t i = 0; i < rows; i++) column[i] = block[i].at[l] = length > 0 ? block[i].at[l] / length : 0;
}

/* Take out of column k of a block what it has of a unit column. */
static void take_out(lanes *block, size_t rows, size_t k, const double *column) {
    double dot = 0;
    for (size_t i = 0; i < rows; i++) dot += column[i] * block[i].at[k];
    for (size_t i = 0; i < rows; i++) block[i].at[k] -= column[i] * dot;
}

/* Make the columns of a orthonormal, first to last (modified Gram-Schmidt). done: room for them all, one after the other. */
static void orthonormalise(lanes *a, size_t rows, size_t columns, double *done) {
    for (size_t first = 0; first < columns; first += LANES) {
        lanes *block = a + first / LANES * rows;
        for (size_t j = 0; j < first; j++) {
            lanes dots = add_rows((lanes){{0}}, done + j * rows, block, rows);
            for (size_t l = 0; l < LANES; l++) dots.at[l] = -dots.at[l];
            add_to_rows(block, done + j * rows, &dots, rows);
        }
        for (size_t l = 0; l < LANES && first + l < columns; l++) {
            unit(block, rows, l, done + (first + l) * rows);
            for (size_t k = l + 1; k < LANES; k++) take_out(block, rows, k, done + (first + l) * rows);
        }
    }
}

/* out (n rows) = a b; a: n x m numbers, row by row; b: m rows. */
static void multiply(const double *a, const lanes *b, lanes *out, size_t n, size_t m, size_t columns) {
    memset(out, 0, blocks_of(columns) * n * sizeof *out);
    for (size_t c = 0; c < blocks_of(columns); c++)
        for (size_t k = 0; k < m; k += DEPTH)
            for (size_t i = 0; i < n; i++) out[c * n + i] = add_rows(out[c * n + i], a + i * m + k, b + c * m + k, m - k < DEPTH ? m - k : DEPTH);
}

/* Draw the elements of a. */
static void draw(lanes *a, size_t rows, size_t columns, uint64_t first) {
    memset(a, 0, blocks_of(columns) * rows * sizeof *a);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) *element(a, rows, i, j) = drawn(first + i * columns + j);
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
static void quantise(lanes *r, lanes *r_times_covariance, size_t classes, size_t directions, int8_t *out) {
    double most = 0;
    for (size_t j = 0; j < directions; j++) {
        double spread = 0;
        for (size_t i = 0; i < classes; i++) spread += *element(r, classes, i, j) * *element(r_times_covariance, classes, i, j);
        spread = root(spread);
        for (size_t i = 0; i < classes; i++) {
            double *x = element(r, classes, i, j);
            *x = spread > 0 ? *x / spread : 0;
            if (*x > most) most = *x;
            if (-*x > most) most = -*x;
        }
    }
    for (size_t i = 0; i < classes; i++)
        for (size_t j = 0; j < directions; j++) {
            double x = most > 0 ? *element(r, classes, i, j) / most * 127 : 0;
            out[i * directions + j] = (int8_t)(x < 0 ? x - 0.5 : x + 0.5);
        }
}

uint32_t pocket_directions(const pocket_class_row *rows, const uint64_t *ends, size_t count, uint32_t class_count, uint32_t leading_count, uint32_t direction_count,
                           int8_t *rotation) {
    size_t k = class_count, d = direction_count, wide = leading_count, blocks = blocks_of(wide);
    for (uint64_t i = 0; i < (count ? ends[count - 1] : 0); i++)
        if (rows[i].number >= k) return POCKET_BAD_ARGUMENT;
    if (d < 1 || d > wide || wide > k) return POCKET_BAD_ARGUMENT;
    double *cov = pocket_malloc((k * k + k * wide) * sizeof *cov);
    lanes *v = pocket_malloc((2 * k + wide) * blocks * sizeof *v);
    int64_t *sums = pocket_malloc((k + k * k) * sizeof *sums);
    if (!cov || !v || !sums) {
        pocket_free(cov);
        pocket_free(v);
        pocket_free(sums);
        return POCKET_NO_MEMORY;
    }
    double *done = cov + k * k;
    lanes *w = v + k * blocks, *turn = w + k * blocks;
    memset(sums, 0, (k + k * k) * sizeof *sums);
    covariance(rows, ends, count, k, sums, sums + k, cov);
    draw(v, k, wide, 0);
    orthonormalise(v, k, wide, done);
    for (int round = 0; round < ROUNDS; round++) {
        multiply(cov, v, w, k, k, wide);
        memcpy(v, w, k * blocks * sizeof *v);
        orthonormalise(v, k, wide, done);
    }
    draw(turn, wide, d, k * wide);
    orthonormalise(turn, wide, d, done);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < wide; j++) done[i * wide + j] = *element(v, k, i, j); /* row by row */
    multiply(done, turn, w, k, wide, d);
    multiply(cov, w, v, k, k, d);
    quantise(w, v, k, d, rotation);
    pocket_free(cov);
    pocket_free(v);
    pocket_free(sums);
    return POCKET_OK;
}
