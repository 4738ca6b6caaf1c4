/* A library with a state, for own_library.c. */
#ifndef COUNTING_H
#define COUNTING_H

extern int counting_total;

int counting_add(int number);
int counting_calls(void);
int counting_constructed(void);
int counting_local(void);
int counting_sum_of_ranks(void);
int counting_through(int (*function)(int));
const int *counting_address(void);

#endif
