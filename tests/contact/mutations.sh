#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Can the tests fail? Changes one sign or constant of the contact room at a time, and runs the tests on
# each mutant. Prints who was killed and who survived; returns 1 if fewer than 90 % were killed.
# usage: tests/contact/mutations.sh [PATTERN]   (from the root of the tree; needs a C compiler and cmocka)
#     PATTERN    only mutants whose line matches, as "newton/equal"
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
flags="-std=c17 -D_POSIX_C_SOURCE=200809L -O1 -ffp-contract=off -fno-math-errno -w -Wno-psabi -Iinclude -Isrc -Itests"
cc=${CC:-cc}
pattern=${1:-.}
tests="contact/certificate contact/smooth_cone io/problem_file contact/local contact/anderson contact/colouring contact/sparse
  contact/joints contact/solver contact/bodies"
test_object() { printf '%s/test_%s.to' "$work" "${1#*/}"; }

object_of() { printf '%s/%s.o' "$work" "$(printf '%s' "${1%.c}" | tr / _)"; }
for source in src/contact/*.c src/contact/*/*.c src/io/problem_file.c src/base/*.c src/math/*.c; do
  $cc $flags -c "$source" -o "$(object_of "$source")" || exit 2
done
for test in $tests; do
  $cc $flags -c "tests/${test%/*}/test_${test#*/}.c" -o "$(test_object "$test")" || exit 2
done

run_tests() { # 0: all pass
  for test in $tests; do
    $cc "$work"/*.o "$(test_object "$test")" -o "$work/run" -lcmocka -lm 2>"$work/log" || return 1
    timeout 120 "$work/run" >"$work/log" 2>&1 || return 1
  done
}
run_tests || { echo "the tests fail without any mutation"; cat "$work/log"; exit 2; }

# compile_mutant <file>: the object of a source, or those of all sources of the room for a header
compile_mutant() {
  case $1 in
    *.c) $cc $flags -c "$work/mutant/$1" -o "$(object_of "$1")" 2>/dev/null ;;
    *)
      for source in src/contact/*.c src/contact/*/*.c; do
        $cc "-I$work/mutant/src" $flags -c "$source" -o "$(object_of "$source")" 2>/dev/null || return 1
      done ;;
  esac
}

killed=0
total=0
# file | what stands there | what the mutant has
while IFS='|' read -r file from to; do
  [ -n "$file" ] || continue
  printf '%s\n' "$file|$from|$to" | grep -qe "$pattern" || continue
  total=$((total + 1))
  mkdir -p "$work/mutant/$(dirname "$file")" "$work/original"
  python3 - "$file" "$work/mutant/$file" "$from" "$to" <<'PY' || { echo "NOT FOUND $file: $from"; continue; }
import sys
text = open(sys.argv[1]).read()
if sys.argv[3] not in text:
    sys.exit(1)
open(sys.argv[2], "w").write(text.replace(sys.argv[3], sys.argv[4], 1))
PY
  cp "$work"/*.o "$work/original/"
  if ! compile_mutant "$file" || ! run_tests; then
    killed=$((killed + 1))
    echo "killed    $file: $from -> $to"
  else
    echo "SURVIVED  $file: $from -> $to"
  fi
  cp "$work"/original/*.o "$work/"
  rm -rf "$work/mutant"
done <<'LIST'
src/contact/certificate/certificate.c|law->r[k] - (law->u[k] +|law->r[k] + (law->u[k] +
src/contact/certificate/certificate.c|+ (k == 0 ? shift : 0)|- (k == 0 ? shift : 0)
src/contact/certificate/certificate.c|slope += law->groups[next].mu * law->groups[next].mu|slope -= law->groups[next].mu * law->groups[next].mu
src/contact/certificate/certificate.c|level += law->groups[next].mu|level -= law->groups[next].mu
src/contact/certificate/certificate.c|return w * sqrt(sum);|return sqrt(sum);
src/contact/certificate/certificate.c|if (-n > worst) worst = -n;|if (n > worst) worst = n;
src/contact/certificate/certificate.c|out->normal = heft_max(out->normal, -law->u[0])|out->normal = heft_max(out->normal, law->u[0])
src/contact/certificate/certificate_points.c|return own + 2 * mixed;|return own + mixed;
src/contact/certificate/certificate_points.c|(f->u[0] + f->mu * slip) / f->w|(f->u[0] - f->mu * slip) / f->w
src/contact/certificate/certificate_points.c|v4_select(t > f->mu * high, flank, x0)|v4_select(t > f->mu * high, x0, flank)
src/contact/certificate/certificate_points.c|larger4(worst->cone, -f.r[0])|larger4(worst->cone, f.r[0])
src/contact/certificate/certificate_points.c|worst->normal = larger4(worst->normal, -f.u[0])|worst->normal = larger4(worst->normal, f.u[0])
src/contact/certificate/certificate_points.c|(turn < worst->turn)|(turn > worst->turn)
src/contact/certificate/certificate_points.c|u[a] += dot6(x[a], v);|u[a] -= dot6(x[a], v);
src/contact/certificate/certificate.c|out.energy_change += 0.5|out.energy_change += 1.0
src/contact/certificate/certificate.c|law->w * p->compliance * law->r[k]|-law->w * p->compliance * law->r[k]
src/contact/core/local.c|const double shift = q[0] * l->ia, b1 = q[1] - l->g01 * shift|const double shift = q[0] * l->ia, b1 = q[1] + l->g01 * shift
src/contact/core/local.c|x.g = -k * (qn + l->w0|x.g = -k * (qn - l->w0
src/contact/core/local.c|* l->imu;|* l->mu;
src/contact/core/local.c|r[2] = l->s * y0 + l->c * y1;|r[2] = l->s * y0 - l->c * y1;
src/contact/core/local.c|l->s = -t * c;|l->s = t * c;
src/contact/core/local.c|l->a0 = p - t * o;|l->a0 = p + t * o;
src/contact/core/local.c|if (x.n > x.g) {|if (x.n < x.g) {
src/contact/core/cone.c|slope += cone->mu[g] * cone->mu[g];|slope -= cone->mu[g] * cone->mu[g];
src/contact/core/cone.c|if (x[0] < cone->lower) x[0] = cone->lower;|
src/contact/core/cone.c|if (x[0] > cone->upper) x[0] = cone->upper;|
src/contact/core/cone.c|x[0] -= cone_shift(cone, u) / w;|x[0] += cone_shift(cone, u) / w;
src/contact/core/cone.c|row[k] = cone->mu[g] * t * d[k]|row[k] = -cone->mu[g] * t * d[k]
src/contact/core/cone.c|turn * ((a == b) - t|turn * ((a == b) + t
src/contact/core/cone_solve.c|p.q[a] -= p.g[6 * a + b] * r[b];|p.q[a] += p.g[6 * a + b] * r[b];
src/contact/core/cone_solve.c|double x = r[0] - u / g;|double x = r[0] + u / g;
src/contact/core/operator.h|v4_load(c2 + k) * d[2]));|v4_load(c2 + k) * d[1]));
src/contact/sweep/anderson.c|norm > BAD * a->norm|norm > 0.001 * a->norm
src/contact/sweep/anderson.c|packed_extrapolate(core->z, a->z_last, a->count, gamma, a->dz, (size_t)m, m);|
src/contact/newton/newton.c|(k % (rows + 1) == 0) - keep * e[k]|(k % (rows + 1) == 0) + keep * e[k]
src/contact/newton/newton.c|newton->trial[k] = -newton->f[k];|newton->trial[k] = newton->f[k];
src/contact/newton/newton_effectors.c|out[k * stride + l] += sum;|out[k * stride + l] -= sum;
src/math/block_lu.c|const double f = row[k] * inverse;|const double f = row[k];
src/contact/run.c|if (residual < run->best) {|if (residual > run->best) {
src/contact/solver.c|-with_b / with_w|-0.5 * with_b / with_w
src/contact/warm_check.c|n += mu * sqrt(slip)|n -= mu * sqrt(slip)
src/contact/warm_check.c|t1 += lambda * e1;|t1 -= lambda * e1;
src/contact/warm_check.c|return u[0] < 0 ? u[0] * u[0] : 0;|return 0;
src/contact/core/load_effectors.c|x[k * core->pad[i] + a] *= core->length[i]|x[k * core->pad[i] + a] /= core->length[i]
src/contact/core/load_effectors.c|d1 += diagonal_column(x, y + EFFECTOR_PAD);|d1 -= diagonal_column(x, y + EFFECTOR_PAD);
src/contact/core/packet_load.c|core->effector[2 * i] >= 0 ? 3 : 0|core->effector[2 * i] >= 0 ? 0 : 0
src/contact/core/packet_load.c|PUT(i12, (b->g01 * b->g02 -|PUT(i12, (b->g01 * b->g02 +
src/contact/core/packet_load.c|PUT(a1, v4_select(straight, q, q + t * o));|PUT(a1, v4_select(straight, q, q - t * o));
src/contact/sweep/packet_sweep.c|d2 = next.t2 - own.t2;|d2 = own.t2 - next.t2;
src/contact/sweep/packet_sweep.c|const V4 s2 = r.t2 -|const V4 s2 = r.t2 +
src/contact/sweep/packet_sweep.c|hi = v4_select(low, hi, lambda);|hi = v4_select(low, lambda, hi);
src/contact/newton/smooth_cone.c|sqrt(l * l + 4 * radius * radius)|sqrt(l * l + 2 * radius * radius)
src/contact/newton/smooth_cone.c|2 * radius * radius / (root - l)|2 * radius * radius / (root + l)
src/contact/newton/smooth_cone.c|b.slope = b.value / root;|b.slope = 0.5 * b.value / root;
src/contact/newton/smooth_cone.c|.scale = 1 / (1 + mu * mu)|.scale = 1 / (1 + mu)
src/contact/newton/smooth_cone.c|bend(mu * x[0] - length, mu * radius)|bend(mu * x[0] - length, radius)
src/contact/newton/smooth_cone.c|bend(x[0] + mu * length, radius)|bend(x[0] - mu * length, radius)
src/contact/newton/smooth_cone.c|(mu * s->two.value - s->one.value) / s->length|(mu * s->two.value + s->one.value) / s->length
src/contact/newton/smooth_cone.c|(mu * mu * s->two.slope + s->one.slope)|(mu * mu * s->two.slope - s->one.slope)
src/contact/newton/smooth_cone.c|value = cone->lower + b.value;|value = cone->lower - b.value;
src/contact/newton/smooth_cone.c|value = cone->upper - b.value;|value = cone->upper + b.value;
src/contact/newton/smooth_cone.c|*slope *= b.slope;|*slope = b.slope;
src/contact/newton/smooth_cone.c|s.scale * (cone->mu[0] * s.one.value + s.two.value)|s.scale * (s.one.value + s.two.value)
src/contact/newton/smooth_cone.c|d[0] = mu * mu * one + two;|d[0] = mu * one + two;
src/contact/newton/smooth_cone.c|mu * (two - one) * t[a - 1]|mu * (two + one) * t[a - 1]
src/contact/newton/smooth_cone.c|(along - cut) * t[a - 1] * t[b - 1]|(along + cut) * t[a - 1] * t[b - 1]
src/contact/newton/smooth_cone.c|(rounded_length(cone, g, epsilon, u) - epsilon)|(rounded_length(cone, g, epsilon, u) + epsilon)
src/contact/newton/smooth_cone.c|cone->mu[g] * u[cone->first[g] + k] / length|-cone->mu[g] * u[cone->first[g] + k] / length
src/contact/newton/newton.c|newton->tau *= TAU_FALL|newton->tau *= 1
src/contact/newton/newton.c|smooth_cone_shift(cone, NEWTON_KINK * newton->tau, u)|smooth_cone_shift(cone, 2 * newton->tau, u)
src/contact/solver.c|return sqrt(worst) / core->reference;|return 0;
src/contact/run.c|run->result.start = run->best;|
src/contact/core/bodies.c|sum -= from[e] * to[e]|sum += from[e] * to[e]
src/contact/core/bodies.c|b->rest[ROWS * s + a] -= to[c] * to[c]|b->rest[ROWS * s + a] -= 0.5 * to[c] * to[c]
src/contact/core/bodies.c|b->worst <= accuracy ? by_effectors(b, p) : NULL|by_effectors(b, p)
src/contact/core/bodies.c|    if (side > 1) return 0;|    if (side > 0) return 0;
src/io/problem_file.c|p->of[a > b ? a : b] = a > b ? b : a;|
src/io/problem_file.c|d->m[(size_t)p->place[p->m[k].row] * n + p->place[p->m[k].column]] += p->m[k].value|d->m[(size_t)p->place[p->m[k].row] * n + p->place[p->m[k].column]] = p->m[k].value
src/io/problem_file.c|+= x[a] * f[rows[a]]|-= x[a] * f[rows[a]]
src/io/problem_file.c|+= p->h[k].value|= p->h[k].value
src/io/problem_file.c|bias[j] += q[j]|bias[j] = q[j]
src/io/problem_file.c|sum += d->h[(size_t)i * n + a] * x[a]|sum -= d->h[(size_t)i * n + a] * x[a]
src/io/problem_file.c|n > PART_MAX|n < 0
src/io/problem_file.c|if (constraints == 0)|if (constraints < 0)
src/contact/sweep/anderson.c|a->right[k] += product;|a->right[k] -= product;
src/contact/sweep/anderson.c|gamma[i] = a->right[i];|gamma[i] = -a->right[i];
src/contact/core/colouring.c|(uint64_t)1 << colour;|(uint64_t)0 << colour;
src/contact/core/colouring.c|effector_count > 1) return 0;|effector_count > 9) return 0;
src/contact/newton/primal.c|newton->step[at] = g[at] - h[0] * u[0];|newton->step[at] = g[at] + h[0] * u[0];
src/contact/newton/primal.c|for (int b = 0; b < rows; ++b) sum -= h[a * rows + b] * u[b];|
src/contact/newton/primal.c|slope -= g[at + a] * u[a];|slope += g[at + a] * u[a];
src/contact/newton/primal.c|x[k] = c[k] - step[k > 0] * u[k];|x[k] = c[k] + step[k > 0] * u[k];
src/contact/newton/primal.c|const double radius = cone->mu[g] * r[0], *v|const double radius = 2 * cone->mu[g] * r[0], *v
src/contact/newton/primal.c|? 1 : radius / sqrt(square);|? 1 : 1;
src/contact/newton/primal.c|h[k * rows + k] = step;|h[k * rows + k] = -step;
src/contact/newton/primal.c|newton->f[k] - newton->point[k];|newton->point[k] - newton->f[k];
src/contact/newton/primal.c|newton->u[k] += t * newton->slope[k];|newton->u[k] -= t * newton->slope[k];
src/contact/newton/sparse.c|sum += e[a * rows + b] * v4_load(jacobian|sum -= e[a * rows + b] * v4_load(jacobian
src/contact/newton/sparse.c|sum += root[6 * r + k % 6] * f[k - k % 6 + r];|sum += root[6 * r + k % 6] * f[k];
src/contact/newton/sparse.c|    row[k] = scale;|    row[k] = 1;
src/contact/newton/sparse.c|*at += from[j++];|*at = from[j++];
src/contact/newton/sparse.c|to[front->size] += from[count];|
src/contact/newton/sparse.c|c -= f[y] * p[(size_t)y * line + first + q];|c += f[y] * p[(size_t)y * line + first + q];
src/contact/newton/sparse.c|top -= sparse_rest(&s->front[c]);|
src/contact/newton/sparse.c|(row[front->size] - v4_sum(sum)) *|(row[front->size] + v4_sum(sum)) *
src/contact/newton/sparse.c|if (!(fabs(g - h) <= 1e-12 * (fabs(g) + fabs(h)))) return 0;|
src/contact/newton/sparse_pattern.c|      place[count - 1] == place[0] + count - 1 && place|      place
src/contact/newton/sparse_pattern.c|sum -= l[6 * r + k] * l[6 * c + k];|sum += l[6 * r + k] * l[6 * c + k];
src/math/block_tree.c|e->degree[q] = degree_of(to, e->words, e->weight);|
LIST
echo "$killed of $total mutants were killed"
[ $((killed * 10)) -ge $((total * 9)) ]
