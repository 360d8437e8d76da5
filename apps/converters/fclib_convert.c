// SPDX-License-Identifier: Apache-2.0
// heft-fclib-convert FROM TO: contact problems between FCLIB's HDF5 files and the text format of
// Siconos. It is a separate program, so that libhdf5 is not part of the library or of the heft
// command: libhdf5 has had many vulnerabilities, and files may be untrusted. The program is limited
// to 4 GB and one minute of CPU time, and confined to the folders of FROM and TO (sandbox.h).
//
// FCLIB stores a problem in one of four groups:
//   fclib_local            W; q, mu                        u = W r + q
//   fclib_global           M, H; f, w, mu                  M v = H r + f,  u = Hᵀ v + w
//   fclib_global_rolling   the same with mu_r, five rows per contact
//   fclib_rolling          the same for local ones
// and its matrices as CSparse does: nz >= 0 a list (i, p, x) of rows, columns and values, -1 by
// columns (p where they begin), -2 by rows.
#include <hdf5.h>
#include <heft/contact.h>
#include <heft/io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox.h"

enum { NUMBERS_MAX = 1 << 26, ROWS_MAX = 6000000, TEXT_MAX = 1 << 30 };

static const char* file_name;

static int complain(const char* what, const char* where) {
  fprintf(stderr, "%s: error: %s%s%s\n", file_name, what, where ? ": " : "", where ? where : "");
  return 0;
}

// ---- reading

static int has(hid_t at, const char* name) { return H5Lexists(at, name, H5P_DEFAULT) > 0; }

// All numbers of a data set, as ints or doubles; *count of them. NULL if it is missing (reported).
static void* read_all(hid_t at, const char* name, hid_t type, size_t size, size_t* count) {
  void* out = NULL;
  const hid_t set = has(at, name) ? H5Dopen2(at, name, H5P_DEFAULT) : -1;
  const hid_t space = set >= 0 ? H5Dget_space(set) : -1;
  const hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
  if (points >= 0 && points <= NUMBERS_MAX) {
    *count = (size_t)points;
    out = calloc(*count + 1, size);
    if (out && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) {
      free(out);
      out = NULL;
    }
  }
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  if (!out) complain("this data set is missing or cannot be read", name);
  return out;
}

static int read_int(hid_t at, const char* name, int* out) {
  size_t count = 0;
  int* one = read_all(at, name, H5T_NATIVE_INT, sizeof(int), &count);
  const int good = one && count == 1;
  if (good) *out = *one;
  free(one);
  return good;
}

typedef struct Sparse {
  int rows, columns, kind;
  size_t count;  // entries
  int *i, *p;
  double* x;
} Sparse;

static void sparse_free(Sparse* m) {
  free(m->i);
  free(m->p);
  free(m->x);
}

// Indices must lie inside of the matrix, and lists must have their stated length.
static int sparse_check(const Sparse* m, size_t i_count, size_t p_count, size_t x_count) {
  const int listed = m->kind >= 0, by_row = m->kind == -2;
  const int lines = by_row ? m->rows : m->columns, across = by_row ? m->columns : m->rows;
  if (m->kind < -2 || m->rows < 0 || m->columns < 0 || m->rows > ROWS_MAX || m->columns > ROWS_MAX)
    return 0;
  if (m->count > i_count || m->count > x_count) return 0;
  if (listed ? p_count < m->count : p_count != (size_t)lines + 1) return 0;
  for (size_t k = 0; k < m->count; ++k) {
    if (m->i[k] < 0 || m->i[k] >= across) return 0;
    if (listed && (m->p[k] < 0 || m->p[k] >= lines)) return 0;
  }
  for (int k = 0; k < lines && !listed; ++k) {
    if (m->p[k] < 0 || m->p[k] > m->p[k + 1]) return 0;
  }
  return 1;
}

static int sparse_read(hid_t at, const char* name, Sparse* m) {
  const hid_t group = has(at, name) ? H5Gopen2(at, name, H5P_DEFAULT) : -1;
  if (group < 0) return complain("this matrix is missing", name);
  size_t i_count = 0, p_count = 0, x_count = 0;
  int good = read_int(group, "m", &m->rows) && read_int(group, "n", &m->columns) &&
             read_int(group, "nz", &m->kind);
  if (good) {
    m->i = read_all(group, "i", H5T_NATIVE_INT, sizeof(int), &i_count);
    m->p = read_all(group, "p", H5T_NATIVE_INT, sizeof(int), &p_count);
    m->x = read_all(group, "x", H5T_NATIVE_DOUBLE, sizeof(double), &x_count);
    good = m->i && m->p && m->x;
  }
  if (good) {
    const int lines = m->kind == -2 ? m->rows : m->columns;
    const int last = m->kind < 0 && lines >= 0 && (size_t)lines < p_count ? m->p[lines] : -1;
    m->count = m->kind >= 0 ? (size_t)m->kind : last >= 0 ? (size_t)last : NUMBERS_MAX;
    good = sparse_check(m, i_count, p_count, x_count);
    if (!good) complain("the sizes of this matrix contradict each other", name);
  }
  H5Gclose(group);
  return good;
}

static void sparse_write(FILE* out, const Sparse* m) {
  fprintf(out, "2\n%d\n%d\n1\ntriplet: %d-by-%d\n", m->rows, m->columns, m->rows, m->columns);
  const int lines = m->kind == -2 ? m->rows : m->columns;
  if (m->kind >= 0) {
    for (size_t k = 0; k < m->count; ++k)
      fprintf(out, "%d %d : %.17g\n", m->i[k], m->p[k], m->x[k]);
    return;
  }
  for (int line = 0; line < lines; ++line) {
    for (int k = m->p[line]; k < m->p[line + 1]; ++k)
      fprintf(out, "%d %d : %.17g\n", m->kind == -2 ? line : m->i[k],
              m->kind == -2 ? m->i[k] : line, m->x[k]);
  }
}

static int copy_vector(FILE* out, hid_t group, const char* name, size_t wanted) {
  size_t count = 0;
  double* x = read_all(group, name, H5T_NATIVE_DOUBLE, sizeof(double), &count);
  const int good = x && count == wanted;
  if (x && !good) complain("the length of this vector does not fit the matrices", name);
  for (size_t k = 0; k < count && good; ++k) fprintf(out, "%.17g\n", x[k]);
  free(x);
  return good;
}

typedef struct Kind {
  const char* group;
  int global, rolling;
} Kind;

static const Kind kinds[] = {{"fclib_local", 0, 0},
                             {"fclib_global", 1, 0},
                             {"fclib_rolling", 0, 1},
                             {"fclib_global_rolling", 1, 1}};

static int write_vectors(FILE* out, hid_t at, const Kind* kind, size_t velocities, size_t rows,
                         size_t constraints) {
  const hid_t group = has(at, "vectors") ? H5Gopen2(at, "vectors", H5P_DEFAULT) : -1;
  if (group < 0) return complain("the vectors are missing", NULL);
  int good = !kind->global || copy_vector(out, group, "f", velocities);
  good = good && copy_vector(out, group, kind->global ? "w" : "q", rows);
  good = good && copy_vector(out, group, "mu", constraints);
  good = good && (!kind->rolling || copy_vector(out, group, "mu_r", constraints));
  H5Gclose(group);
  return good;
}

static int convert_group(FILE* out, hid_t at, const Kind* kind) {
  Sparse first = {0}, h = {0};
  int dim = 0;
  int good = read_int(at, "spacedim", &dim) && sparse_read(at, kind->global ? "M" : "W", &first);
  if (good && (has(at, "G") || has(at, "V")))
    good = complain("the problem has equality constraints, which Heft does not read", NULL);
  if (good && kind->global) good = sparse_read(at, "H", &h);
  if (good) {
    if (kind->rolling) dim = 5;
    const int rows = kind->global ? h.columns : first.rows;
    if ((dim != 2 && dim != 3 && dim != 5) || rows % dim != 0)
      good = complain("the dimension is not 2 or 3, or does not fit the matrix", NULL);
    if (good) {
      fprintf(out, "%d\n%d\n", dim, rows / dim);
      sparse_write(out, &first);
      if (kind->global) sparse_write(out, &h);
      good = write_vectors(out, at, kind, (size_t)first.rows, (size_t)rows, (size_t)(rows / dim));
    }
  }
  sparse_free(&first);
  sparse_free(&h);
  return good;
}

static int to_text(const char* from, FILE* out) {
  const hid_t file = H5Fopen(from, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return complain("this is not an HDF5 file, or it cannot be read", NULL);
  int found = 0, good = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds && !found; ++k) {
    const hid_t group =
        has(file, kinds[k].group) ? H5Gopen2(file, kinds[k].group, H5P_DEFAULT) : -1;
    if (group < 0) continue;
    found = 1;
    good = convert_group(out, group, &kinds[k]);
    H5Gclose(group);
  }
  H5Fclose(file);
  return found ? good : complain("the file has no contact problem of FCLIB", NULL);
}

// ---- writing

static int put(hid_t at, const char* name, hid_t stored, hid_t type, size_t count,
               const void* data) {
  const hsize_t size = count;
  const hid_t space = H5Screate_simple(1, &size, NULL);
  const hid_t set = H5Dcreate2(at, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const int good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  return good;
}

static int put_int(hid_t at, const char* name, int value) {
  return put(at, name, H5T_STD_I32LE, H5T_NATIVE_INT, 1, &value);
}

static int put_text(hid_t at, const char* name, const char* text) {
  const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(text) + 1);
  const hid_t set = H5Dcreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const int good = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
  if (set >= 0) H5Dclose(set);
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

// W as a list, every number of its blocks.
static int put_operator(hid_t at, const HeftContactProblem* p, int dim) {
  const size_t count = (size_t)p->block_start[p->constraint_count] * (size_t)(dim * dim);
  int *i = calloc(count + 1, sizeof(int)), *j = calloc(count + 1, sizeof(int));
  size_t n = 0;
  for (int a = 0; i && j && a < p->constraint_count; ++a) {
    for (int k = p->block_start[a]; k < p->block_start[a + 1]; ++k) {
      for (int e = 0; e < dim * dim; ++e, ++n) {
        i[n] = dim * a + e / dim;
        j[n] = dim * p->block_column[k] + e % dim;
      }
    }
  }
  const int good = i && j && put_int(at, "m", p->row_count) && put_int(at, "n", p->row_count) &&
                   put_int(at, "nz", (int)count) && put_int(at, "nzmax", (int)count) &&
                   put(at, "i", H5T_STD_I32LE, H5T_NATIVE_INT, count, i) &&
                   put(at, "p", H5T_STD_I32LE, H5T_NATIVE_INT, count, j) &&
                   put(at, "x", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, p->blocks);
  free(i);
  free(j);
  return good;
}

static int put_problem(hid_t file, const HeftContactProblem* p, int dim) {
  const int flags = H5P_DEFAULT;
  const size_t constraints = (size_t)p->constraint_count;
  double* mu = calloc(2 * constraints, sizeof(double));
  if (!mu) return 0;
  for (size_t k = 0; k < constraints; ++k) {
    mu[k] = p->constraints[k].mu;
    mu[constraints + k] = p->constraints[k].mu_roll;
  }
  const hid_t top =
                  H5Gcreate2(file, dim == 5 ? "fclib_rolling" : "fclib_local", flags, flags, flags),
              w = H5Gcreate2(top, "W", flags, flags, flags),
              vectors = H5Gcreate2(top, "vectors", flags, flags, flags),
              info = H5Gcreate2(top, "info", flags, flags, flags);
  int good = put_int(top, "spacedim", dim) && put_operator(w, p, dim) &&
             put(vectors, "q", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, (size_t)p->row_count, p->bias) &&
             put(vectors, "mu", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, constraints, mu) &&
             put_text(info, "title", "contact problem") &&
             put_text(info, "description", "written by heft-fclib-convert") &&
             put_text(info, "math_info", "u = W r + q");
  if (dim == 5)
    good = good &&
           put(vectors, "mu_r", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, constraints, mu + constraints);
  H5Gclose(info);
  H5Gclose(vectors);
  H5Gclose(w);
  H5Gclose(top);
  free(mu);
  return good;
}

static int to_fclib(const char* from, const char* to) {
  const HeftAllocator allocator = heft_allocator_default();
  size_t size = 0;
  HeftContactProblemData data;
  HeftError err = {0};
  void* text = NULL;
  if (heft_file_read(&text, &size, from, TEXT_MAX, &allocator, &err) != HEFT_OK)
    return complain(err.message, NULL);
  const HeftStatus status = heft_contact_problem_parse(&data, text, size, from, allocator, &err);
  allocator.release(allocator.user, text, size + 1);
  if (status != HEFT_OK) return complain(err.message, NULL);
  const hid_t file = H5Fcreate(to, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const int dim = heft_constraint_type_row_count(data.problem.constraints[0].type);
  int good = file >= 0 && put_problem(file, &data.problem, dim);
  if (file >= 0 && H5Fclose(file) < 0) good = 0;
  heft_contact_problem_release(&data);
  return good ? 1 : complain("cannot be written", to);
}

// ---- the program

static int is_hdf5(const char* path) {
  unsigned char head[8] = {0};
  FILE* file = fopen(path, "rb");
  const size_t count = file ? fread(head, 1, sizeof head, file) : 0;
  if (file) fclose(file);
  return count == sizeof head && memcmp(head, "\x89HDF\r\n\x1a\n", sizeof head) == 0;
}

static int ends_with(const char* text, const char* end) {
  const size_t a = strlen(text), b = strlen(end);
  return a > b && strcmp(text + a - b, end) == 0;
}

int main(int argc, char** argv) {
  if (argc == 2 && strcmp(argv[1], "--help") == 0) {
    printf(
        "usage: heft-fclib-convert FROM TO\n"
        "Converts a contact problem of FCLIB (HDF5) to the text format of Siconos, or back. If TO\n"
        "is -, the text goes to the standard output. 'heft solve' runs this program.\n");
    return 0;
  }
  if (argc != 3) {
    fprintf(stderr, "heft-fclib-convert: expected FROM and TO\n");
    return 2;
  }
  file_name = argv[1];
  if (!enter_sandbox_or_stop("heft-fclib-convert", argv[1], argv[2])) return 1;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  if (!is_hdf5(argv[1])) {
    if (!ends_with(argv[2], ".hdf5") && !ends_with(argv[2], ".h5"))
      return !complain("FROM is not an HDF5 file, and TO does not end in .hdf5", NULL);
    return !to_fclib(argv[1], argv[2]);
  }
  FILE* out = strcmp(argv[2], "-") == 0 ? stdout : fopen(argv[2], "w");
  if (!out) return !complain("cannot be written", argv[2]);
  const int good = to_text(argv[1], out);
  return !(fclose(out) == 0 && good);
}
