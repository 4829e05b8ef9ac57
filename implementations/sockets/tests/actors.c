// Who is lost: processes that end as none should.
#include "actor.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "control/process.h"

static int wrong;

static void hold(const char *what, bool well) {
  if (!well) {
    ++wrong;
    printf("actors: %s\n", what);
  }
}

// One that ends so, or is killed if that is below zero.
static struct actor ended(int status) {
  const pid_t process = fork();
  if (process == 0) {
    if (status < 0)
      raise(SIGKILL);
    _exit(status);
  }
  return (struct actor){.process = process};
}

static bool is_lost(struct actor actor) {
  hold("one does not end", actors_wait(&actor, 1) == 0);
  return actors_lost(&actor, 1) == &actor;
}

int main(void) {
  hold("one that was dismissed is lost", !is_lost(ended(0)));
  hold("one that has told why it failed is lost", !is_lost(ended(PROCESS_FAILED)));
  hold("one that ended with another status is not lost", is_lost(ended(1)));
  hold("one that was killed is not lost", is_lost(ended(-1)));
  struct actor two[] = {ended(0), ended(-1)};
  actors_wait(two, 2);
  hold("the second of two is not lost", actors_lost(two, 2) == &two[1]);
  return wrong;
}
