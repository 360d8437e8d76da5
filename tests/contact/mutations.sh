#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Can the tests fail? Changes one sign or constant of the contact room at a time, and runs the tests on
# each mutant. Prints who was killed and who survived; returns 1 if fewer than 90 % were killed.
# usage: tests/contact/mutations.sh [PATTERN]   (from the root of the tree; needs a C compiler and cmocka)
#     PATTERN    only mutants whose line matches, as "^select|"
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
flags="-std=c17 -D_POSIX_C_SOURCE=200809L -O1 -ffp-contract=off -fno-math-errno -w -Wno-psabi -Iinclude -Isrc -Itests"
cc=${CC:-cc}
pattern=${1:-.}
tests="certificate smooth_cone problem_file local solver bodies"

for source in src/contact/*.c src/base/*.c src/math/*.c; do
  $cc $flags -c "$source" -o "$work/$(basename "$(dirname "$source")")_$(basename "$source" .c).o" || exit 2
done
for test in $tests; do
  $cc $flags -c "tests/contact/test_$test.c" -o "$work/test_$test.to" || exit 2
done

run_tests() { # 0: all pass
  for test in $tests; do
    $cc "$work"/*.o "$work/test_$test.to" -o "$work/run" -lcmocka -lm 2>"$work/log" || return 1
    timeout 120 "$work/run" >"$work/log" 2>&1 || return 1
  done
}
run_tests || { echo "the tests fail without any mutation"; cat "$work/log"; exit 2; }

killed=0
total=0
# file | what stands there | what the mutant has
while IFS='|' read -r file from to; do
  [ -n "$file" ] || continue
  printf '%s\n' "$file|$from|$to" | grep -qe "$pattern" || continue
  total=$((total + 1))
  object="$work/contact_$file.o"
  python3 - "src/contact/$file.c" "$work/mutant.c" "$from" "$to" <<'PY' || { echo "NOT FOUND $file: $from"; continue; }
import sys
text = open(sys.argv[1]).read()
if sys.argv[3] not in text:
    sys.exit(1)
open(sys.argv[2], "w").write(text.replace(sys.argv[3], sys.argv[4], 1))
PY
  cp "$object" "$work/original"
  if ! $cc $flags -Isrc/contact -c "$work/mutant.c" -o "$object" 2>/dev/null || ! run_tests; then
    killed=$((killed + 1))
    echo "killed    $file: $from -> $to"
  else
    echo "SURVIVED  $file: $from -> $to"
  fi
  cp "$work/original" "$object"
done <<'LIST'
certificate|law->r[k] - (law->u[k] +|law->r[k] + (law->u[k] +
certificate|+ (k == 0 ? shift : 0)|- (k == 0 ? shift : 0)
certificate|slope += law->groups[next].mu * law->groups[next].mu|slope -= law->groups[next].mu * law->groups[next].mu
certificate|level += law->groups[next].mu|level -= law->groups[next].mu
certificate|return w * sqrt(sum);|return sqrt(sum);
certificate|if (-n > worst) worst = -n;|if (n > worst) worst = n;
certificate|out->normal = larger(out->normal, -law->u[0])|out->normal = larger(out->normal, law->u[0])
certificate_points|return own + 2 * mixed;|return own + mixed;
certificate_points|(f->u[0] + f->mu * slip) / f->w|(f->u[0] - f->mu * slip) / f->w
certificate_points|v4_select(t > f->mu * high, flank, x0)|v4_select(t > f->mu * high, x0, flank)
certificate_points|larger4(worst->cone, -f.r[0])|larger4(worst->cone, f.r[0])
certificate_points|worst->normal = larger4(worst->normal, -f.u[0])|worst->normal = larger4(worst->normal, f.u[0])
certificate_points|(turn < worst->turn)|(turn > worst->turn)
certificate_points|u[a] += dot6(x[a], v);|u[a] -= dot6(x[a], v);
certificate|out.energy_change += 0.5|out.energy_change += 1.0
certificate|law->w = force / force_rows;|law->w = force;
certificate|law->w * p->compliance * law->r[k]|-law->w * p->compliance * law->r[k]
local|const double shift = q[0] * l->ia, b1 = q[1] - l->g01 * shift|const double shift = q[0] * l->ia, b1 = q[1] + l->g01 * shift
local|x.g = -k * (qn + l->w0|x.g = -k * (qn - l->w0
local|* l->imu;|* l->mu;
local|r[2] = l->s * y0 + l->c * y1;|r[2] = l->s * y0 - l->c * y1;
local|l->s = -t * c;|l->s = t * c;
local|l->a0 = p - t * o;|l->a0 = p + t * o;
local|if (x.n > x.g) {|if (x.n < x.g) {
cone|slope += cone->mu[g] * cone->mu[g];|slope -= cone->mu[g] * cone->mu[g];
cone|if (x[0] < cone->lower) x[0] = cone->lower;|
cone|if (x[0] > cone->upper) x[0] = cone->upper;|
cone|x[0] -= cone_shift(cone, u) / w;|x[0] += cone_shift(cone, u) / w;
cone|row[k] = cone->mu[g] * t * d[k]|row[k] = -cone->mu[g] * t * d[k]
cone|turn * ((a == b) - t|turn * ((a == b) + t
sweep|p.q[a] -= p.g[6 * a + b] * r[b];|p.q[a] += p.g[6 * a + b] * r[b];
sweep|double x = r[0] - u / g;|double x = r[0] + u / g;
sweep|v4_load(c2 + k) * d[2]));|v4_load(c2 + k) * d[1]));
sweep|+ core->soft[i] * r[at + a]|- core->soft[i] * r[at + a]
load|diagonal[7 * a] += core->soft[i];|
load|core->w[i] = force / force_rows;|core->w[i] = 3 * force / force_rows;
anderson|norm > 2 * a->norm|norm > 0.001 * a->norm
anderson|lanes_extrapolate(core->z, a->z_last, a->count, gamma, a->dz, (size_t)m, m);|
newton|(k % (rows + 1) == 0) - keep * e[k]|(k % (rows + 1) == 0) + keep * e[k]
newton|newton->trial[k] = -newton->f[k];|newton->trial[k] = newton->f[k];
newton_movers|sum -= newton->e[36 * i + a * n + b] * u[b];|sum += newton->e[36 * i + a * n + b] * u[b];
newton_movers|out[k * stride + l] += sum;|out[k * stride + l] -= sum;
block_lu|s0 -= a0[l] * x;|s0 += a0[l] * x;
block_lu|const double f = row[k] * inverse;|const double f = row[k];
select|- 0.5 * weight * away * away|- 5.0 * weight * away * away
select|s->near[at + k] + z[at + k] / weight|s->near[at + k] - z[at + k] / weight
select|const double away = x[k] - s->near[at + k]|const double away = x[k] + s->near[at + k]
select|f[k] = s->goal[k] - s->r[k];|f[k] = s->r[k] - s->goal[k];
run|if (residual < run->best) {|if (residual > run->best) {
solver|core->cone[i].mu[0] = p->contacts[core->source[i]].mu;|
solver|u[k] -= core->soft[i] * r[k]|u[k] += core->soft[i] * r[k]
solver|-with_b / with_w|-0.5 * with_b / with_w
solver|if (!(with_b + 0.5 * with_w > 0)) return 1;|return 1;
rest|n += mu * sqrt(slip)|n -= mu * sqrt(slip)
rest|t1 += lambda * e1;|t1 -= lambda * e1;
rest|return u[0] < 0 ? u[0] * u[0] : 0;|return 0;
rest|energy <= 0|energy >= 0
small_newton|stick(1 / back, v, h, g);|stick(-1 / back, v, h, g);
small_newton|const double back = keep * SIGMA * w;|const double back = -keep * SIGMA * w;
small_newton|m12 = m1 * mu * e2 - turn * e1 * e2|m12 = m1 * mu * e2 + turn * e1 * e2
load_movers|const double trace = (d[0] + d[7] + d[14]) * (1.0 / 3)|const double trace = (d[0] + d[7] + d[14])
load_movers|x[k * core->pad[i] + a] *= core->length[i]|x[k * core->pad[i] + a] /= core->length[i]
load_movers|d1 += diagonal_column(x, y + MOVER_PAD);|d1 -= diagonal_column(x, y + MOVER_PAD);
lane_load|core->mover[2 * i] >= 0 ? 3 : 0|core->mover[2 * i] >= 0 ? 0 : 0
lane_load|PUT(i12, (b->g01 * b->g02 -|PUT(i12, (b->g01 * b->g02 +
lane_load|PUT(a1, v4_select(straight, q, q + t * o));|PUT(a1, v4_select(straight, q, q - t * o));
lane_sweep|d2 = next.t2 - own.t2;|d2 = own.t2 - next.t2;
lane_sweep|const V4 s2 = r.t2 -|const V4 s2 = r.t2 +
lane_sweep|hi = v4_select(low, hi, lambda);|hi = v4_select(low, lambda, hi);
smooth_cone|sqrt(l * l + 4 * radius * radius)|sqrt(l * l + 2 * radius * radius)
smooth_cone|2 * radius * radius / (root - l)|2 * radius * radius / (root + l)
smooth_cone|b.slope = b.value / root;|b.slope = 0.5 * b.value / root;
smooth_cone|.scale = 1 / (1 + mu * mu)|.scale = 1 / (1 + mu)
smooth_cone|bend(mu * x[0] - length, mu * radius)|bend(mu * x[0] - length, radius)
smooth_cone|bend(x[0] + mu * length, radius)|bend(x[0] - mu * length, radius)
smooth_cone|(mu * s->two.value - s->one.value) / s->length|(mu * s->two.value + s->one.value) / s->length
smooth_cone|(mu * mu * s->two.slope + s->one.slope)|(mu * mu * s->two.slope - s->one.slope)
smooth_cone|value = cone->lower + b.value;|value = cone->lower - b.value;
smooth_cone|value = cone->upper - b.value;|value = cone->upper + b.value;
smooth_cone|*slope *= b.slope;|*slope = b.slope;
smooth_cone|s.scale * (cone->mu[0] * s.one.value + s.two.value)|s.scale * (s.one.value + s.two.value)
smooth_cone|d[0] = mu * mu * one + two;|d[0] = mu * one + two;
smooth_cone|mu * (two - one) * t[a - 1]|mu * (two + one) * t[a - 1]
smooth_cone|(along - cut) * t[a - 1] * t[b - 1]|(along + cut) * t[a - 1] * t[b - 1]
smooth_cone|(rounded_length(cone, g, epsilon, u) - epsilon)|(rounded_length(cone, g, epsilon, u) + epsilon)
smooth_cone|cone->mu[g] * u[cone->first[g] + k] / length|-cone->mu[g] * u[cone->first[g] + k] / length
newton|newton->tau *= TAU_FALL|newton->tau *= 1
newton|smooth_cone_shift(cone, NEWTON_KINK * newton->tau, u)|smooth_cone_shift(cone, 2 * newton->tau, u)
select|square <= s->still * s->still|square <= 0
select|square <= s->still * s->still|square <= 1e6 * s->still * s->still
select|r[at + k] / r[at]|-r[at + k] / r[at]
select|doing == KEEPS ? s->goal[at + a] : 0|0
select|on ? along / square * ray[a]|on ? along * ray[a]
select|s->core->cone[i].groups > 0 ? s->weight : s->core->w[i]|s->core->w[i]
select|length * slope + 1e-14|length * slope - 1e-2
select|change <= 1e-9 * core->reference ?|change <= 1e9 * core->reference ?
solver|if (!near_warm) memset(core->warm|if (near_warm) memset(core->warm
solver|core_residual(core, core->r, core->z, s->u) <= tolerance ? change : -1|change
solver|if (change < 0) change = try_to_select(s, 0.5 * allowed, allowed, impulse);|
solver|return sqrt(worst) / core->reference;|return 0;
run|run->result.start = run->best;|
bodies|sum -= from[e] * to[e]|sum += from[e] * to[e]
bodies|b->rest[ROWS * s + a] -= to[c] * to[c]|b->rest[ROWS * s + a] -= 0.5 * to[c] * to[c]
bodies|b->worst <= accuracy ? by_movers(b, p) : NULL|by_movers(b, p)
bodies|    if (side > 1) return 0;|    if (side > 0) return 0;
problem_file|p->of[a > b ? a : b] = a > b ? b : a;|
problem_file|d->m[(size_t)p->place[p->m[k].row] * n + p->place[p->m[k].column]] += p->m[k].value|d->m[(size_t)p->place[p->m[k].row] * n + p->place[p->m[k].column]] = p->m[k].value
problem_file|+= x[a] * f[rows[a]]|-= x[a] * f[rows[a]]
problem_file|+= p->h[k].value|= p->h[k].value
problem_file|bias[j] += q[j]|bias[j] = q[j]
problem_file|sum += d->h[(size_t)i * n + a] * x[a]|sum -= d->h[(size_t)i * n + a] * x[a]
problem_file|n > PART_MAX|n < 0
problem_file|if (contacts == 0)|if (contacts < 0)
LIST
echo "$killed of $total mutants were killed"
[ $((killed * 10)) -ge $((total * 9)) ]
