// SPDX-License-Identifier: Apache-2.0
// The part of POSIX threads that src/base/pool.c uses, for machines without threads: locks have nothing to
// keep out, and no thread can be started.
#ifndef HEFT_PORT_PTHREAD_H
#define HEFT_PORT_PTHREAD_H

#include <errno.h>

#define HEFT_NO_THREADS 1

typedef int heft_port_thread;
typedef char heft_port_lock;
#define pthread_t heft_port_thread
#define pthread_mutex_t heft_port_lock
#define pthread_cond_t heft_port_lock

static inline int pthread_mutex_init(pthread_mutex_t* lock, const void* attributes) {
  (void)lock, (void)attributes;
  return 0;
}
static inline int pthread_mutex_lock(pthread_mutex_t* lock) { return (void)lock, 0; }
static inline int pthread_mutex_unlock(pthread_mutex_t* lock) { return (void)lock, 0; }
static inline int pthread_mutex_destroy(pthread_mutex_t* lock) { return (void)lock, 0; }
static inline int pthread_cond_init(pthread_cond_t* condition, const void* attributes) {
  (void)condition, (void)attributes;
  return 0;
}
static inline int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* lock) {
  (void)condition, (void)lock;
  return 0;
}
static inline int pthread_cond_signal(pthread_cond_t* condition) { return (void)condition, 0; }
static inline int pthread_cond_broadcast(pthread_cond_t* condition) { return (void)condition, 0; }
static inline int pthread_cond_destroy(pthread_cond_t* condition) { return (void)condition, 0; }
static inline int pthread_create(pthread_t* thread, const void* attributes, void* (*main)(void*),
                                 void* arg) {
  (void)thread, (void)attributes, (void)main, (void)arg;
  return EAGAIN;
}
static inline int pthread_join(pthread_t thread, void** result) {
  (void)thread, (void)result;
  return 0;
}

#endif
