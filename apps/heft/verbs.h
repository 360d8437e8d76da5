// SPDX-License-Identifier: Apache-2.0
// The verbs of the command. Each verb has its own file, takes the arguments from its own name on,
// and returns the exit code: 0 done, 1 failed, 2 wrong command line.
#ifndef HEFT_APPS_VERBS_H
#define HEFT_APPS_VERBS_H

int heft_verb_bench(int argc, char** argv);
int heft_verb_check(int argc, char** argv);
int heft_verb_compare(int argc, char** argv);
int heft_verb_convert(int argc, char** argv);
int heft_verb_diff(int argc, char** argv);
int heft_verb_devices(int argc, char** argv);
int heft_verb_emulate(int argc, char** argv);
int heft_verb_feel(int argc, char** argv);
int heft_verb_experiment(int argc, char** argv);
int heft_verb_generate(int argc, char** argv);
int heft_verb_hold(int argc, char** argv);
int heft_verb_identify(int argc, char** argv);
int heft_verb_info(int argc, char** argv);
int heft_verb_judge(int argc, char** argv);
int heft_verb_optimise(int argc, char** argv);
int heft_verb_predict(int argc, char** argv);
int heft_verb_render(int argc, char** argv);
int heft_verb_replay(int argc, char** argv);
int heft_verb_run(int argc, char** argv);
int heft_verb_serve(int argc, char** argv);
int heft_verb_solve(int argc, char** argv);
int heft_verb_sweep(int argc, char** argv);
int heft_verb_validate(int argc, char** argv);
int heft_verb_view(int argc, char** argv);
int heft_verb_why(int argc, char** argv);
int heft_verb_work(int argc, char** argv);

int heft_bench_batch(int argc, char** argv);
int heft_bench_collision(int argc, char** argv);
int heft_bench_contact(int argc, char** argv);
int heft_bench_deadline(int argc, char** argv);
int heft_bench_scenes(int argc, char** argv);
int heft_bench_deform(int argc, char** argv);
int heft_bench_delassus(int argc, char** argv);
int heft_bench_dynamics(int argc, char** argv);
int heft_bench_generated(int argc, char** argv);
int heft_bench_motion(int argc, char** argv);
int heft_bench_pieces(int argc, char** argv);
int heft_bench_robots(int argc, char** argv);
int heft_bench_solver(int argc, char** argv);
int heft_bench_window(int argc, char** argv);

#endif
