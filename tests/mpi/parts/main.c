/* The entrance of main_in_archive.c, in an archive. */
int work(int argc, char **argv);

int main(int argc, char **argv)
{
    return work(argc, argv);
}
