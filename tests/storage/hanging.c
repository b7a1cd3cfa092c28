/* Delays or fails what brings a file to disk, as the file named by HANGING says: "hang", "fail" or anything else.
   With HANGING_IN only files with this text in their path, after "=" only this path. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char wanted(void) {
    char first = 0;
    int file = open(getenv("HANGING"), O_RDONLY);
    if (file >= 0) {
        if (read(file, &first, 1) < 1) first = 0;
        close(file);
    }
    return first;
}

static int concerns(int file) {
    char link[40], path[1024];
    const char *part = getenv("HANGING_IN");
    if (part == NULL) return 1;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    return *part == '=' ? strcmp(path, part + 1) == 0 : strstr(path, part) != NULL;
}

static int brought(int number, int file) {
    if (!concerns(file)) return (int)syscall(number, file);
    while (wanted() == 'h') usleep(5000);
    if (wanted() == 'f') {
        errno = EIO;
        return -1;
    }
    return (int)syscall(number, file);
}

int fsync(int file) { return brought(SYS_fsync, file); }
int fdatasync(int file) { return brought(SYS_fdatasync, file); }
