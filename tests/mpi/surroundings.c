/* ranks: 1 3 */
/* args: --first second=2 -x */
/* stdin: three words here */
/* environment: PARITY_WORD=blue */
/* What a launcher gives: arguments and environment to all, standard input to rank 0. */
#include "parity.h"

#include <unistd.h>

int main(int argc, char **argv)
{
    char line[64] = "", folder[512];
    parity_begin(&argc, &argv);
    for (int i = 1; i < argc; i++)
        say("argument %d: %s", i, argv[i]);
    say("ends with null: %d", argv[argc] == NULL);
    say("word: %s", getenv("PARITY_WORD"));
    say("no word: %d", getenv("PARITY_NO_WORD") == NULL);
    /* The real one lets other ranks wait for input that never comes. */
    while (parity_rank == 0 && scanf("%63s", line) == 1)
        say("read %s", line);
    say("somewhere: %d", getcwd(folder, sizeof folder) != NULL);
    parity_end();
    return 0;
}
