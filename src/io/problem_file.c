// SPDX-License-Identifier: Apache-2.0
// Problem files: the text format of the Siconos numerics library.
//
//   dimension contacts  MATRIX  q(dimension * contacts)  mu(contacts)
//   [mu_r(contacts) if dimension = 5]
//
//   MATRIX = storage rows columns, then
//     0 dense:         rows columns, the numbers column by column
//     1 sparse blocks: blocks block-rows block-columns, where the block rows end,
//                      where the block columns end,
//                      filled1 filled2 index1(filled1) index2(filled2), then per block its number
//                      and its entries column by column
//     2 sparse:        a listing: "col J : ..." with lines "I : VALUE", or after a line that begins
//                      with "triplet:" lines "I J : VALUE"
//
// "Global" problems (M v = H r + f, u = Hᵀ v + b) have the same beginning and then H f b mu; they
// are recognised by what remains after reading them as local ones, and condensed here to W = Hᵀ M⁻¹
// H and q = Hᵀ M⁻¹ f + b. M mostly falls into blocks of six that know nothing of each other (free
// bodies), so it is taken apart first, and what H does not touch is left out.
//
// Whatever the input, the parser stays inside of it: every count is checked against what the text
// could hold, since a number has at least two characters.
#include <heft/io.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/decimal.h"
#include "base/error.h"
#include "math/dense.h"

// Limits of size and work of a global problem, for files of no bytes; more for each byte of a file.
// So a file of 10 MB needs about a second and 256 MB.
static const double NUMBER_MAX = 1e100, WORK_MAX = 4e8, WORK_OF_BYTE = 40;
enum { CONTACTS_MAX = 1000000, PART_MAX = 4000, CONDENSED_MAX = 1 << 20 };

typedef struct Reader {
  const char* text;
  size_t size, at;
  int line, column;
  const char* name;
  HeftError* err;
  HeftStatus status;
  HeftAllocator allocator;
} Reader;

typedef struct Entry {
  int row, column;
  double value;
} Entry;

typedef struct Matrix {
  int rows, columns;
  Entry* entries;
  size_t count, room;
} Matrix;

static int fail(Reader* in, HeftStatus status, const char* what) {
  if (in->status == HEFT_OK) {
    in->status = heft_error_set_at(in->err, status, in->name, in->line, in->column, "%s", what);
  }
  return 0;
}

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int next_token(Reader* in, const char** token, size_t* length) {
  while (in->at < in->size && is_space(in->text[in->at])) {
    in->column++;
    if (in->text[in->at++] == '\n') {
      in->line++;
      in->column = 1;
    }
  }
  *token = in->text + in->at;
  size_t end = in->at;
  while (end < in->size && !is_space(in->text[end])) end++;
  *length = end - in->at;
  return *length > 0;
}

static void skip(Reader* in, size_t length) {
  in->at += length;
  in->column += (int)length;
}

// Whether the whole token is a number whose products are finite, too.
static int token_number(const char* token, size_t length, double* out) {
  return heft_decimal_read(token, token + length, out) == token + length &&
         fabs(*out) <= NUMBER_MAX;
}

static int read_number(Reader* in, double* out) {
  const char* token;
  size_t length;
  if (!next_token(in, &token, &length))
    return fail(in, HEFT_ERR_SYNTAX, "the file ends where a number was expected");
  if (!token_number(token, length, out))
    return fail(in, HEFT_ERR_SYNTAX, "found no number of at most 1e100 where one was expected");
  skip(in, length);
  return 1;
}

static int read_count(Reader* in, int limit, int* out) {
  double x;
  if (!read_number(in, &x)) return 0;
  if (!(x >= 0 && x <= limit) || x != floor(x))
    return fail(in, HEFT_ERR_VALUE, "a count is not in its range");
  *out = (int)x;
  return 1;
}

static int text_could_hold(Reader* in, size_t numbers) {
  return numbers <= (in->size - in->at) / 2 + 1
             ? 1
             : fail(in, HEFT_ERR_LIMIT, "a count is larger than the file");
}

static void* take(Reader* in, size_t count, size_t size) {
  void* memory = in->allocator.allocate(in->allocator.user, count ? count * size : 1, 64);
  if (!memory) fail(in, HEFT_ERR_MEMORY, "no memory for the contact problem");
  return memory;
}

static void give(Reader* in, void* memory, size_t count, size_t size) {
  if (memory) in->allocator.release(in->allocator.user, memory, count ? count * size : 1);
}

// ---- matrices

static int matrix_room(Reader* in, Matrix* m, size_t room) {
  m->room = room;
  m->count = 0;
  m->entries = take(in, room, sizeof(Entry));
  return m->entries != NULL;
}

static void matrix_add(Matrix* m, int row, int column, double value) {
  HEFT_ASSERT(m->count < m->room);
  if (value != 0) m->entries[m->count++] = (Entry){row, column, value};
}

static int read_dense(Reader* in, Matrix* m) {
  int rows, columns;
  const size_t numbers = (size_t)m->rows * (size_t)m->columns;
  if (!read_count(in, m->rows, &rows) || !read_count(in, m->columns, &columns)) return 0;
  if (rows != m->rows || columns != m->columns)
    return fail(in, HEFT_ERR_VALUE, "the size of the matrix changed");
  if (!text_could_hold(in, numbers) || !matrix_room(in, m, numbers)) return 0;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) {
      double x;
      if (!read_number(in, &x)) return 0;
      matrix_add(m, i, j, x);
    }
  }
  return 1;
}

// Reads `count` rising ends of block rows.
static int read_ends(Reader* in, int count, int last, int* ends) {
  ends[0] = 0;
  for (int k = 0; k < count; ++k) {
    if (!read_count(in, last, &ends[k + 1])) return 0;
    if (ends[k + 1] <= ends[k]) return fail(in, HEFT_ERR_VALUE, "the block sizes do not rise");
  }
  return ends[count] == last ? 1 : fail(in, HEFT_ERR_VALUE, "the blocks do not fill the matrix");
}

static int read_block_entries(Reader* in, Matrix* m, const int* row_ends, const int* column_ends,
                              int i, int j) {
  double number;
  if (!read_number(in, &number)) return 0;
  for (int b = column_ends[j]; b < column_ends[j + 1]; ++b) {
    for (int a = row_ends[i]; a < row_ends[i + 1]; ++a) {
      if (!read_number(in, &number)) return 0;
      if (m->count >= m->room)
        return fail(in, HEFT_ERR_LIMIT, "more numbers than the file could hold");
      matrix_add(m, a, b, number);
    }
  }
  return 1;
}

static int read_block_list(Reader* in, Matrix* m, int block_rows, int block_columns, int filled1,
                           int filled2, int* work) {
  int *row_ends = work, *column_ends = row_ends + block_rows + 1,
      *start = column_ends + block_columns + 1;
  int* column = start + filled1;
  if (!read_ends(in, block_rows, m->rows, row_ends) ||
      !read_ends(in, block_columns, m->columns, column_ends))
    return 0;
  int again1, again2;
  if (!read_count(in, filled1, &again1) || !read_count(in, filled2, &again2)) return 0;
  if (again1 != filled1 || again2 != filled2)
    return fail(in, HEFT_ERR_VALUE, "the block index has another size");
  for (int k = 0; k < filled1; ++k) {
    if (!read_count(in, filled2, &start[k])) return 0;
    if (k > 0 && start[k] < start[k - 1]) return fail(in, HEFT_ERR_VALUE, "the block index falls");
  }
  for (int k = 0; k < filled2; ++k) {
    if (!read_count(in, block_columns - 1, &column[k])) return 0;
  }
  if (!matrix_room(in, m, (in->size - in->at) / 2 + 1)) return 0;
  for (int i = 0; i < block_rows; ++i) {
    for (int k = start[i]; k < start[i + 1]; ++k) {
      if (!read_block_entries(in, m, row_ends, column_ends, i, column[k])) return 0;
    }
  }
  return 1;
}

// The two numbers "filled" come after the block sizes; look ahead for them so that the work space
// can be sized.
static int read_blocks(Reader* in, Matrix* m) {
  int blocks, block_rows, block_columns;
  if (!read_count(in, 1 << 30, &blocks) || !read_count(in, m->rows, &block_rows) ||
      !read_count(in, m->columns, &block_columns)) {
    return 0;
  }
  if (block_rows < 1 || block_columns < 1)
    return fail(in, HEFT_ERR_VALUE, "a matrix without blocks");
  const int filled1 = block_rows + 1, filled2 = blocks;
  const size_t room = 2 * (size_t)filled1 + (size_t)block_columns + 1 + (size_t)filled2;
  if (!text_could_hold(in, room)) return 0;
  int* work = take(in, room, sizeof(int));
  const int ok = work && read_block_list(in, m, block_rows, block_columns, filled1, filled2, work);
  give(in, work, room, sizeof(int));
  return ok;
}

static int token_is(Reader* in, const char* word) {
  const char* token;
  size_t length;
  return next_token(in, &token, &length) && length == strlen(word) &&
         memcmp(token, word, length) == 0;
}

static void skip_line(Reader* in) {
  while (in->at < in->size && in->text[in->at] != '\n') in->at++;
}

static int read_index(Reader* in, int count, int* out) {
  return count > 0 ? read_count(in, count - 1, out) : fail(in, HEFT_ERR_VALUE, "row out of range");
}

// Lines "row : value" of a column, or "row column : value" of a list, as long as there are any.
static int read_entries(Reader* in, Matrix* m, int column, int listed) {
  for (;;) {
    const Reader before = *in;
    const char* token;
    size_t length;
    int row;
    double value;
    if (!next_token(in, &token, &length) || !token_number(token, length, &value)) return 1;
    skip(in, length);
    if (listed) {
      if (!next_token(in, &token, &length) || !token_number(token, length, &value)) break;
      skip(in, length);
    }
    if (!token_is(in, ":")) {  // numbers of what follows
      *in = before;
      return 1;
    }
    *in = before;
    if (!read_index(in, m->rows, &row)) return 0;
    if (listed && !read_index(in, m->columns, &column)) return 0;
    token_is(in, ":");
    skip(in, 1);
    if (!read_number(in, &value)) return 0;
    matrix_add(m, row, column, value);
  }
  return fail(in, HEFT_ERR_SYNTAX, "a row stands without its column");
}

static int read_sparse(Reader* in, Matrix* m) {
  int origin, column = 0;
  const char* token;
  size_t length;
  if (!read_count(in, 10, &origin)) return 0;
  while (next_token(in, &token, &length) && !token_is(in, "col") && !token_is(in, "triplet:"))
    skip_line(in);
  if (!matrix_room(in, m, (in->size - in->at) / 2 + 1)) return 0;
  if (token_is(in, "triplet:")) {
    skip_line(in);
    return read_entries(in, m, 0, 1);
  }
  while (token_is(in, "col")) {
    skip(in, 3);
    if (!read_index(in, m->columns, &column)) return 0;
    skip_line(in);
    if (!read_entries(in, m, column, 0)) return 0;
  }
  return 1;
}

static int read_matrix(Reader* in, Matrix* m) {
  int storage;
  if (!read_count(in, 2, &storage) || !read_count(in, 6 * CONTACTS_MAX, &m->rows) ||
      !read_count(in, 6 * CONTACTS_MAX, &m->columns)) {
    return 0;
  }
  if (storage == 0) return read_dense(in, m);
  return storage == 1 ? read_blocks(in, m) : read_sparse(in, m);
}

static void matrix_drop(Reader* in, Matrix* m) {
  give(in, m->entries, m->room, sizeof(Entry));
  m->entries = NULL;
}

// ---- from entries to a problem

// Stable counting sort by row / dim or column / dim.
static void sort_entries(const Entry* from, Entry* to, size_t count, int dim, int groups,
                         int by_row, size_t* start) {
  for (int g = 0; g <= groups; ++g) start[g] = 0;
  for (size_t k = 0; k < count; ++k) start[(by_row ? from[k].row : from[k].column) / dim + 1]++;
  for (int g = 0; g < groups; ++g) start[g + 1] += start[g];
  for (size_t k = 0; k < count; ++k)
    to[start[(by_row ? from[k].row : from[k].column) / dim]++] = from[k];
}

typedef struct Layout {
  size_t constraints, bias, start, column, blocks, size;
} Layout;

static Layout lay_out(int dim, size_t constraints, size_t blocks) {
  Layout at;
  at.constraints = 0;
  at.bias = at.constraints + constraints * sizeof(HeftConstraintBlock);
  at.blocks = at.bias + constraints * (size_t)dim * sizeof(double);
  at.start = at.blocks + blocks * (size_t)(dim * dim) * sizeof(double);
  at.column = at.start + (constraints + 1) * sizeof(int);
  at.size = at.column + blocks * sizeof(int);
  return at;
}

// Entries sorted by block row, then block column: counts the blocks, or fills them in when column
// is given.
static size_t gather_blocks(const Entry* entries, size_t count, int dim, int constraints,
                            int* start, int* column, double* blocks) {
  size_t k = 0, block = 0;
  for (int i = 0; i < constraints; ++i) {
    int diagonal_done = 0;
    if (start) start[i] = (int)block;
    for (;;) {
      int j = k < count && entries[k].row / dim == i ? entries[k].column / dim : constraints;
      if (!diagonal_done && j > i) j = i;  // the diagonal block is always there
      if (j == constraints) break;
      diagonal_done |= j == i;
      if (column) column[block] = j;
      for (; k < count && entries[k].row / dim == i && entries[k].column / dim == j; ++k) {
        if (column) {
          blocks[block * (size_t)(dim * dim) +
                 (size_t)(entries[k].row % dim * dim + entries[k].column % dim)] +=
              entries[k].value;
        }
      }
      block++;
    }
  }
  if (start) start[constraints] = (int)block;
  return block;
}

static HeftConstraintType type_of(int dim) {
  return dim == 2   ? HEFT_CONSTRAINT_PLANAR
         : dim == 3 ? HEFT_CONSTRAINT_POINT
                    : HEFT_CONSTRAINT_ROLLING;
}

// Sorts the entries of w.
static int build_problem(Reader* in, HeftContactProblemData* out, Matrix* w, int dim,
                         int constraints) {
  const size_t count = w->count;
  Entry *by_column = take(in, count, sizeof(Entry)), *sorted = w->entries;
  size_t* start = take(in, (size_t)constraints + 2, sizeof(size_t));
  int ok = by_column && start;
  if (ok) {
    sort_entries(w->entries, by_column, count, dim, constraints, 0, start);
    sort_entries(by_column, sorted, count, dim, constraints, 1, start);
    give(in, by_column, count, sizeof(Entry));
    by_column = NULL;
    const size_t blocks = gather_blocks(sorted, count, dim, constraints, NULL, NULL, NULL);
    const Layout at = lay_out(dim, (size_t)constraints, blocks);
    out->memory = take(in, at.size, 1);
    out->size = at.size;
    ok = out->memory != NULL;
    if (ok) {
      char* memory = out->memory;
      memset(memory, 0, at.size);
      HeftConstraintBlock* c = (HeftConstraintBlock*)(void*)(memory + at.constraints);
      for (int i = 0; i < constraints; ++i) {
        c[i] = (HeftConstraintBlock){.type = type_of(dim), .row = dim * i, .effector = {-1, -1}};
      }
      int *block_start = (int*)(void*)(memory + at.start),
          *column = (int*)(void*)(memory + at.column);
      double* numbers = (double*)(void*)(memory + at.blocks);
      gather_blocks(sorted, count, dim, constraints, block_start, column, numbers);
      out->problem = (HeftContactProblem){.constraint_count = constraints,
                                          .row_count = dim * constraints,
                                          .constraints = c,
                                          .bias = (double*)(void*)(memory + at.bias),
                                          .block_start = block_start,
                                          .block_column = column,
                                          .blocks = numbers};
    }
  }
  give(in, by_column, count, sizeof(Entry));
  give(in, start, (size_t)constraints + 2, sizeof(size_t));
  return ok;
}

static int read_tail(Reader* in, HeftContactProblemData* out, int dim, double* bias) {
  HeftConstraintBlock* c = (HeftConstraintBlock*)(void*)out->memory;
  const int constraints = out->problem.constraint_count;
  for (int k = 0; k < dim * constraints; ++k) {
    if (!read_number(in, &bias[k])) return 0;
  }
  for (int pass = 0; pass < (dim == 5 ? 2 : 1); ++pass) {
    for (int i = 0; i < constraints; ++i) {
      double mu;
      if (!read_number(in, &mu)) return 0;
      if (mu < 0) return fail(in, HEFT_ERR_VALUE, "a coefficient of friction is negative");
      if (pass == 0) c[i].mu = mu;
      if (pass == 1) c[i].mu_roll = mu;
    }
  }
  return 1;
}

static size_t tokens_left(Reader in) {
  size_t count = 0, length;
  const char* token;
  for (; next_token(&in, &token, &length); skip(&in, length)) count++;
  return count;
}

static double* problem_bias(HeftContactProblemData* out, int dim) {
  const Layout at = lay_out(dim, (size_t)out->problem.constraint_count, 0);
  return (double*)(void*)((char*)out->memory + at.bias);
}

static int read_local(Reader* in, HeftContactProblemData* out, Matrix* w, int dim,
                      int constraints) {
  if (w->rows != dim * constraints || w->columns != w->rows) {
    return fail(in, HEFT_ERR_VALUE, "the matrix does not have as many rows as the contacts");
  }
  if (!build_problem(in, out, w, dim, constraints) ||
      !read_tail(in, out, dim, problem_bias(out, dim)))
    return 0;
  if (tokens_left(*in) > 1)
    return fail(in, HEFT_ERR_SYNTAX, "more follows after the last coefficient of friction");
  return 1;
}

// ---- global problems: W = Hᵀ M⁻¹ H

// M taken apart: rows that its entries tie together are one part.
typedef struct Parts {
  int count;
  int *of, *place;      // (rows) part of a row, and its place in there
  int* size;            // (parts)
  Entry *m, *h;         // entries of M and H by parts, H's by columns in there
  size_t *m_at, *h_at;  // (parts + 1) where they begin
} Parts;

static int find_root(int* parent, int i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

// The part of every row: first its root, which is its least row, then the part's number.
static void find_parts(const Matrix* m, Parts* p) {
  for (int i = 0; i < m->rows; ++i) p->of[i] = i;
  for (size_t k = 0; k < m->count; ++k) {
    const int a = find_root(p->of, m->entries[k].row), b = find_root(p->of, m->entries[k].column);
    p->of[a > b ? a : b] = a > b ? b : a;
  }
  for (int i = 0; i < m->rows; ++i) p->of[i] = find_root(p->of, i);
  for (int i = 0; i < m->rows; ++i) {
    const int root = p->of[i];
    p->of[i] = root == i ? p->count++ : p->of[root];  // roots come before the others
    if (root == i) p->size[p->of[i]] = 0;
    p->place[i] = p->size[p->of[i]]++;
  }
}

// Stable counting sort by the part of an entry's row.
static void sort_by_part(const Parts* p, const Entry* from, size_t count, Entry* to, size_t* at) {
  for (int g = 0; g <= p->count; ++g) at[g] = 0;
  for (size_t k = 0; k < count; ++k) at[p->of[from[k].row]]++;
  size_t sum = 0;
  for (int g = 0; g <= p->count; ++g) {
    const size_t own = at[g];
    at[g] = sum;
    sum += own;
  }
  for (size_t k = 0; k < count; ++k) to[at[p->of[from[k].row]]++] = from[k];
  for (int g = p->count; g > 0; --g) at[g] = at[g - 1];
  at[0] = 0;
}

static int columns_of(const Parts* p, int part) {
  int columns = 0;
  for (size_t k = p->h_at[part]; k < p->h_at[part + 1]; ++k)
    columns += k == p->h_at[part] || p->h[k].column != p->h[k - 1].column;
  return columns;
}

// Room for the largest part, and how many entries W has at most.
typedef struct Room {
  size_t m, x, columns, w;
  double work;  // operations, of about a nanosecond
} Room;

static int measure_parts(Reader* in, const Parts* p, Room* room) {
  for (int part = 0; part < p->count; ++part) {
    const size_t n = (size_t)p->size[part], k = (size_t)columns_of(p, part);
    if (k == 0) continue;
    if (n > PART_MAX) return fail(in, HEFT_ERR_LIMIT, "more than 4000 velocities hang together");
    room->w += k * k;
    if (n * n > room->m) room->m = n * n;
    if (n * k > room->x) room->x = n * k;
    if (k > room->columns) room->columns = k;
    const size_t most = CONDENSED_MAX + in->size / 5;
    if (room->w > most || n * k > most)
      return fail(in, HEFT_ERR_LIMIT,
                  "the condensed problem would be larger than files of this size need; write it as "
                  "a local problem");
    // the factor of M, its use for each column, the products of columns
    room->work += (double)n * (double)n * ((double)n / 3 + (double)k) + (double)n * (double)(k * k);
    if (room->work > WORK_MAX + WORK_OF_BYTE * (double)in->size)
      return fail(in, HEFT_ERR_LIMIT,
                  "too many velocities hang together: to condense the problem takes more work than "
                  "files of this size need; write it as a local problem");
  }
  return 1;
}

typedef struct Dense {
  double *m, *h, *x;    // of a part: M, and H and M⁻¹ H by columns
  int *pivot, *column;  // and where its columns are in W
} Dense;

// Adds a part's share to W, and the share of the forces f to q. Returns 0 where its mass is
// singular.
static int condense_part(const Parts* p, int part, const double* f, const int* rows, Dense* d,
                         Matrix* w, double* q) {
  const int n = p->size[part];
  int columns = 0;
  memset(d->m, 0, sizeof(double) * (size_t)n * (size_t)n);
  for (size_t k = p->m_at[part]; k < p->m_at[part + 1]; ++k)
    d->m[(size_t)p->place[p->m[k].row] * n + p->place[p->m[k].column]] += p->m[k].value;
  for (size_t k = p->h_at[part]; k < p->h_at[part + 1]; ++k) {
    if (columns == 0 || p->h[k].column != d->column[columns - 1]) {
      memset(d->h + (size_t)columns * n, 0, sizeof(double) * (size_t)n);
      d->column[columns++] = p->h[k].column;
    }
    d->h[(size_t)(columns - 1) * n + p->place[p->h[k].row]] += p->h[k].value;
  }
  if (heft_lu_factor(n, d->m, n, d->pivot) != 0) return 0;
  memcpy(d->x, d->h, sizeof(double) * (size_t)n * (size_t)columns);
  for (int j = 0; j < columns; ++j) {
    double* x = d->x + (size_t)j * n;
    heft_lu_solve(n, d->m, n, d->pivot, x);
    for (int a = 0; a < n; ++a) q[d->column[j]] += x[a] * f[rows[a]];
    for (int i = 0; i < columns; ++i) {
      double sum = 0;
      for (int a = 0; a < n; ++a) sum += d->h[(size_t)i * n + a] * x[a];
      matrix_add(w, d->column[i], d->column[j], sum);
    }
  }
  return 1;
}

static int condense_parts(Reader* in, const Parts* p, const double* f, int* rows, Dense* d,
                          Matrix* w, double* q) {
  for (int part = 0; part < p->count; ++part) {
    if (p->h_at[part] == p->h_at[part + 1]) continue;
    int found = 0;
    for (size_t k = p->m_at[part]; k < p->m_at[part + 1]; ++k) {
      rows[p->place[p->m[k].row]] = p->m[k].row;
      ++found;
    }
    if (!(found && condense_part(p, part, f, rows, d, w, q)))
      return fail(in, HEFT_ERR_VALUE, "the mass matrix is singular");
  }
  return 1;
}

static int condense(Reader* in, const Parts* p, const double* f, Matrix* w, double* q) {
  Room room = {0};
  if (!measure_parts(in, p, &room)) return 0;
  const size_t doubles = room.m + 2 * room.x, ints = 2 * (size_t)PART_MAX + room.columns;
  double* numbers = take(in, doubles, sizeof(double));
  int* indices = take(in, ints, sizeof(int));
  int ok = numbers && indices && matrix_room(in, w, room.w);
  if (ok) {
    Dense d = {.m = numbers,
               .h = numbers + room.m,
               .x = numbers + room.m + room.x,
               .pivot = indices,
               .column = indices + 2 * PART_MAX};
    memset(indices, 0, ints * sizeof(int));
    ok = condense_parts(in, p, f, indices + PART_MAX, &d, w, q);
  }
  give(in, numbers, doubles, sizeof(double));
  give(in, indices, ints, sizeof(int));
  return ok;
}

// The parts of M, with the entries of M and H by parts; W and q of them.
static int take_apart(Reader* in, const Matrix* m, const Matrix* h, const double* f, Matrix* w,
                      double* q) {
  const size_t n = (size_t)m->rows, ints = 3 * n + 1, groups = n + 2,
               columns = (size_t)h->columns + 2, entries = m->count + 2 * h->count + 1;
  int* indices = take(in, ints, sizeof(int));
  size_t* starts = take(in, 2 * groups + columns, sizeof(size_t));
  Entry* sorted = take(in, entries, sizeof(Entry));
  int ok = indices && starts && sorted;
  if (ok) {
    Parts p = {.of = indices,
               .place = indices + n,
               .size = indices + 2 * n,
               .m = sorted,
               .h = sorted + m->count,
               .m_at = starts,
               .h_at = starts + groups};
    Entry* by_column = sorted + m->count + h->count;
    find_parts(m, &p);
    sort_by_part(&p, m->entries, m->count, p.m, p.m_at);
    sort_entries(h->entries, by_column, h->count, 1, h->columns, 0, starts + 2 * groups);
    sort_by_part(&p, by_column, h->count, p.h, p.h_at);
    ok = condense(in, &p, f, w, q);
  }
  give(in, indices, ints, sizeof(int));
  give(in, starts, 2 * groups + columns, sizeof(size_t));
  give(in, sorted, entries, sizeof(Entry));
  return ok;
}

static int finish_global(Reader* in, HeftContactProblemData* out, const Matrix* m, const Matrix* h,
                         int dim, int constraints, double* f, double* q) {
  Matrix w = {.rows = h->columns, .columns = h->columns};
  for (int a = 0; a < m->rows; ++a) {
    if (!read_number(in, &f[a])) return 0;
  }
  int ok = take_apart(in, m, h, f, &w, q) && build_problem(in, out, &w, dim, constraints) &&
           read_tail(in, out, dim, problem_bias(out, dim));
  matrix_drop(in, &w);
  if (!ok) return 0;
  double* bias = problem_bias(out, dim);
  for (int j = 0; j < h->columns; ++j) bias[j] += q[j];
  return tokens_left(*in) > 1
             ? fail(in, HEFT_ERR_SYNTAX, "more follows after the last coefficient of friction")
             : 1;
}

static int read_global(Reader* in, HeftContactProblemData* out, const Matrix* m, int dim,
                       int constraints) {
  Matrix h = {0};
  int ok = read_matrix(in, &h);
  if (ok && (h.rows != m->rows || h.columns != dim * constraints || m->rows != m->columns))
    ok = fail(in, HEFT_ERR_VALUE, "the matrices M and H do not fit each other");
  if (ok) {
    const size_t doubles = (size_t)m->rows + (size_t)h.columns + 1;
    double* numbers = take(in, doubles, sizeof(double));
    ok = numbers != NULL;
    if (ok) {
      memset(numbers, 0, doubles * sizeof(double));
      ok = finish_global(in, out, m, &h, dim, constraints, numbers, numbers + m->rows);
    }
    give(in, numbers, doubles, sizeof(double));
  }
  matrix_drop(in, &h);
  return ok;
}

// Local first; if that does not come out even, global from behind the first matrix.
static int read_problem(Reader* in, HeftContactProblemData* out) {
  int dim, constraints;
  if (!read_count(in, 5, &dim) || !read_count(in, CONTACTS_MAX, &constraints)) return 0;
  if (dim != 2 && dim != 3 && dim != 5)
    return fail(in, HEFT_ERR_VALUE, "the dimension is not 2, 3 or 5");
  if (constraints == 0) return fail(in, HEFT_ERR_VALUE, "the problem has no contacts");
  Matrix m = {0};
  int ok = read_matrix(in, &m);
  if (ok) {
    Reader local = *in, global = *in;
    HeftError of_local = {0}, of_global = {0};
    local.err = &of_local;
    global.err = &of_global;
    ok = read_local(&local, out, &m, dim, constraints);
    if (!ok) {
      heft_contact_problem_release(out);
      ok = read_global(&global, out, &m, dim, constraints);
      const int is_local = m.rows == dim * constraints;
      if (!ok) in->status = is_local ? local.status : global.status;
      if (!ok && in->err) *in->err = is_local ? of_local : of_global;
    }
  }
  matrix_drop(in, &m);
  return ok;
}

// The largest of |W| and |b|. The check of the problem finds what is not a number.
static double largest_number(const HeftContactProblem* p) {
  double largest = 0;
  size_t numbers = 0;
  for (int i = 0; i < p->constraint_count; ++i) {
    const int rows = heft_constraint_type_row_count(p->constraints[i].type);
    for (int k = p->block_start[i]; k < p->block_start[i + 1]; ++k) {
      const HeftConstraintType other = p->constraints[p->block_column[k]].type;
      numbers += (size_t)(rows * heft_constraint_type_row_count(other));
    }
  }
  for (size_t k = 0; k < numbers; ++k) largest = fmax(largest, fabs(p->blocks[k]));
  for (int k = 0; k < p->row_count; ++k) largest = fmax(largest, fabs(p->bias[k]));
  return largest;
}

HeftStatus heft_contact_problem_parse(HeftContactProblemData* out, const char* text, size_t size,
                                      const char* name, HeftAllocator allocator, HeftError* err) {
  HEFT_REQUIRE(out, HEFT_ERR_ARGUMENT);
  *out = (HeftContactProblemData){0};
  HEFT_REQUIRE(text || size == 0, HEFT_ERR_ARGUMENT);
  *out = (HeftContactProblemData){.allocator = allocator};
  Reader in = {.text = text ? text : "",
               .size = size,
               .line = 1,
               .column = 1,
               .name = name,
               .err = err,
               .allocator = allocator};
  HeftStatus status = read_problem(&in, out) ? HEFT_OK : in.status;
  const double largest = status == HEFT_OK ? largest_number(&out->problem) : 0;
  if (status == HEFT_OK && !(largest <= NUMBER_MAX))
    status = heft_error_set_at(err, HEFT_ERR_VALUE, name, 0, 0,
                               "W and b that follow from masses, directions and forces have %g, "
                               "expected at most 1e100: give them in other units",
                               largest);
  if (status == HEFT_OK) {
    HeftError of_problem = {0};  // of the whole: no line of the file has it
    status = heft_contact_problem_check(&out->problem, &of_problem);
    if (status != HEFT_OK) heft_error_set_at(err, status, name, 0, 0, "%s", of_problem.message);
  }
  if (status != HEFT_OK) heft_contact_problem_release(out);
  return status;
}

void heft_contact_problem_release(HeftContactProblemData* data) {
  if (!data || !data->memory) return;
  data->allocator.release(data->allocator.user, data->memory, data->size ? data->size : 1);
  data->memory = NULL;
  data->problem = (HeftContactProblem){0};
}

// ---- writing

typedef struct Writer {
  char* text;
  size_t size, length;
} Writer;

static void put(Writer* out, const char* token, char after) {
  for (; *token; ++token, ++out->length) {
    if (out->length + 1 < out->size) out->text[out->length] = *token;
  }
  if (out->length + 1 < out->size) out->text[out->length] = after;
  out->length++;
}

static void put_number(Writer* out, double x, char after) {
  char token[40];
  snprintf(token, sizeof token, "%.17g", x);
  put(out, token, after);
}

static void put_blocks(Writer* out, const HeftContactProblem* p, int dim) {
  const int constraints = p->constraint_count, count = p->block_start[constraints];
  put_number(out, count, '\n');
  put_number(out, constraints, '\n');
  put_number(out, constraints, '\n');
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < constraints; ++i)
      put_number(out, dim * (i + 1), i + 1 < constraints ? '\t' : '\n');
  }
  put_number(out, constraints + 1, '\n');
  put_number(out, count, '\n');
  for (int i = 0; i <= constraints; ++i)
    put_number(out, p->block_start[i], i < constraints ? '\t' : '\n');
  for (int k = 0; k < count; ++k) put_number(out, p->block_column[k], k + 1 < count ? '\t' : '\n');
  for (int k = 0; k < count; ++k) {
    put_number(out, k, '\n');
    for (int b = 0; b < dim; ++b) {
      for (int a = 0; a < dim; ++a) {
        put_number(out, p->blocks[k * dim * dim + a * dim + b], a + b + 2 < 2 * dim ? ' ' : '\n');
      }
    }
  }
}

size_t heft_contact_problem_format(const HeftContactProblem* p, char* text, size_t size) {
  HEFT_REQUIRE(p && (text || size == 0), 0);
  Writer out = {.text = text, .size = size};
  if (!p->block_start || p->constraint_count == 0) return 0;
  const HeftConstraintType type = p->constraints[0].type;
  if (type != HEFT_CONSTRAINT_POINT && type != HEFT_CONSTRAINT_PLANAR &&
      type != HEFT_CONSTRAINT_ROLLING)
    return 0;
  const int dim = heft_constraint_type_row_count(type);
  for (int i = 0; i < p->constraint_count; ++i) {
    if (p->constraints[i].type != type) return 0;
  }
  const int head[] = {dim, p->constraint_count, 1, p->row_count, p->row_count};
  for (int k = 0; k < 5; ++k) put_number(&out, head[k], '\n');
  put_blocks(&out, p, dim);
  for (int k = 0; k < p->row_count; ++k)
    put_number(&out, p->bias[k], k + 1 < p->row_count ? ' ' : '\n');
  for (int i = 0; i < p->constraint_count; ++i)
    put_number(&out, p->constraints[i].mu, i + 1 < p->constraint_count ? ' ' : '\n');
  for (int i = 0; i < p->constraint_count && dim == 5; ++i) {
    put_number(&out, p->constraints[i].mu_roll, i + 1 < p->constraint_count ? ' ' : '\n');
  }
  if (size > 0) text[out.length < size ? out.length : size - 1] = '\0';
  return out.length;
}
