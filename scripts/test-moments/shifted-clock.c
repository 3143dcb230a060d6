/*
 * Preloaded into a program, it moves the time of day by SHIFT_SECONDS. Durations stay as they are. It is also correct
 * in a signal handler. There, libfaketime returns the true time while a program waits, so that the timeouts of Postgres
 * never come or come too early.
 */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *found) {
  int result = syscall(SYS_clock_gettime, clock, found);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    found->tv_sec += SHIFT_SECONDS;
  }
  return result;
}

int gettimeofday(struct timeval *restrict found, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  found->tv_sec = now.tv_sec;
  found->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *found) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (found != 0) {
    *found = now.tv_sec;
  }
  return now.tv_sec;
}
