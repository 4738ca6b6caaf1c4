/* Stands in for our library: takes a launch over in MPI_Init, and leaves an outcome.
 *
 * FAKE_DUMP names a file for the launch as it came; FAKE_ENDED is how the run ended, as JSON. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    return found ? atoi(found + strlen(key)) : -1;
}

int MPI_Init(int *argc, char ***argv)
{
    static char launch[1 << 20], outcome[4096];
    const char *variable = getenv("FORETELL_LAUNCH");
    const char *dump = getenv("FAKE_DUMP"), *ended = getenv("FAKE_ENDED");
    if (!variable)
        return 0;
    ssize_t length = pread(atoi(variable), launch, sizeof launch - 1, 0);
    if (length < 0)
        return 1;
    if (dump) {
        int file = open(dump, O_CREAT | O_WRONLY | O_TRUNC, 0644);
        if (write(file, launch, (size_t)length) != length)
            return 1;
        close(file);
    }
    uint64_t page[5] = {(uint64_t)getpid(), 0, 0, 12, 34};
    double date = 0.125;
    memcpy(&page[1], &date, sizeof date);
    if (pwrite(number(launch, "\"page\":"), page, sizeof page, 0) != sizeof page)
        return 1;
    int size = snprintf(outcome, sizeof outcome,
        "{\"ended\":%s,\"seconds\":0.25,\"counters\":{\"messages\":12,\"bytes\":3400,"
        "\"file_bytes_read\":0,\"file_bytes_written\":0},\"dates\":5,"
        "\"links_used\":6,\"collectives\":[],\"times\":{\"computing_s\":{\"mean\":0.1,\"min\":0.1,\"max\":0.1},"
        "\"overhead_s\":{\"mean\":0,\"min\":0,\"max\":0},\"waiting_s\":{\"mean\":0.15,\"min\":0,"
        "\"max\":0.15},\"end_s\":{\"mean\":0.25,\"min\":0.25,\"max\":0.25}},\"per_rank\":null,"
        "\"exit_codes\":[],\"findings\":null,\"energy\":null,\"power_series\":[],\"warnings\":[],\"peak_rss_bytes\":null}",
        ended ? ended : "\"completed\"");
    return pwrite(number(launch, "\"outcome\":"), outcome, (size_t)size, 0) != size;
}

int MPI_Finalize(void) { return 0; }
int MPI_Send(const void *data, int count, void *type, int to, int tag, void *comm) { return 0; }
int PMPI_Send(const void *data, int count, void *type, int to, int tag, void *comm) { return 0; }
