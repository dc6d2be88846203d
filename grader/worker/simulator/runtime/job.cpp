// Read before the C++ library is ready and before any student code: system calls and plain C only.
#include "job.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "fault.h"

namespace sim {

namespace {

[[noreturn]] void bad_job(const char *why) {
    ssize_t ignored = write(2, why, strlen(why));
    (void)ignored;
    _exit(2);
}

int open_or_end(const char *path, int flags) {
    int descriptor = open(path, flags | O_CLOEXEC, 0600);
    if (descriptor < 0) bad_job("a file of the job cannot be opened\n");
    return descriptor;
}

char *map_report(const char *path) {
    int descriptor = open_or_end(path, O_RDWR | O_CREAT | O_TRUNC);
    if (ftruncate(descriptor, report_bytes) != 0) bad_job("the report cannot be made\n");
    void *page = mmap(nullptr, report_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (page == MAP_FAILED) bad_job("the report cannot be mapped\n");
    close(descriptor);
    return static_cast<char *>(page);
}

void map_blocks(const char *path, Job &job) {
    int descriptor = open_or_end(path, O_RDONLY);
    struct stat status;
    if (fstat(descriptor, &status) != 0 || status.st_size == 0) bad_job("the list of blocks is empty\n");
    void *list = mmap(nullptr, static_cast<size_t>(status.st_size), PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (list == MAP_FAILED) bad_job("the list of blocks cannot be mapped\n");
    job.blocks = static_cast<const int64_t *>(list);
    job.block_count = status.st_size / static_cast<off_t>(sizeof(int64_t));
    close(descriptor);
}

class Words {
public:
    explicit Words(char *text) : at_(text) {}

    char *word() { return until(" \n"); }
    char *rest_of_line() { return until("\n"); }
    long long integer() { return strtoll(word(), nullptr, 10); }
    double real() { return strtod(word(), nullptr); }
    bool end() const { return *at_ == 0; }
    void triple(unsigned (&values)[3]) {
        for (unsigned &value : values) value = static_cast<unsigned>(integer());
    }

private:
    char *until(const char *delimiters) {
        char *begin = at_;
        at_ += strcspn(at_, delimiters);
        if (*at_) *at_++ = 0;
        return begin;
    }
    char *at_;
};

void read_argument(Words &words, Job &job) {
    if (job.argument_count == max_arguments) bad_job("too many arguments\n");
    JobArgument &argument = job.arguments[job.argument_count++];
    argument.kind = *words.word();
    if (argument.kind == 'b') argument.buffer = static_cast<int>(words.integer());
    else if (argument.kind == 'i') argument.integer = words.integer();
    else argument.real = words.real();
}

void read_image(Words &words, Job &job) {
    auto launch = words.integer(), buffer = words.integer();
    if (launch < 0 || launch >= max_launches || buffer < 0 || buffer >= buffer_count) bad_job("too many launches\n");
    BufferFile &file = job.files[launch][buffer];
    file.before = static_cast<size_t>(words.integer());
    file.bytes = static_cast<size_t>(words.integer());
    file.after = static_cast<size_t>(words.integer());
    file.descriptor = open_or_end(words.rest_of_line(), O_RDWR);
    if (job.launch_count <= launch) job.launch_count = static_cast<int>(launch) + 1;
}

void read_line(Words &words, Job &job) {
    const char *name = words.word();
    auto is = [name](const char *wanted) { return strcmp(name, wanted) == 0; };
    if (is("report")) report_into(map_report(words.rest_of_line()));
    else if (is("blocks")) map_blocks(words.rest_of_line(), job);
    else if (is("reverse")) job.order = words.integer() ? Order::reverse : Order::forward;
    else if (is("grid")) words.triple(job.grid);
    else if (is("block")) words.triple(job.block);
    else if (is("shared")) job.shared = static_cast<unsigned>(words.integer());
    else if (is("workers")) job.workers = static_cast<int>(words.integer());
    else if (is("seconds")) job.seconds = words.real();
    else if (is("printed")) job.output_bytes = words.integer();
    else if (is("argument")) read_argument(words, job);
    else if (is("image")) read_image(words, job);
    else bad_job("the job has a line of an unknown kind\n");
}

char *read_text(const char *path) {
    int descriptor = open_or_end(path, O_RDONLY);
    struct stat status;
    if (fstat(descriptor, &status) != 0) bad_job("the job cannot be read\n");
    auto size = static_cast<size_t>(status.st_size);
    void *text = mmap(nullptr, size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (text == MAP_FAILED || read(descriptor, text, size) != status.st_size) bad_job("the job cannot be read\n");
    close(descriptor);
    return static_cast<char *>(text);
}

}  // namespace

void read_job(int argc, char **argv, Job &job) {
    if (argc != 3) bad_job("usage: describe OUT | run JOB\n");
    if (strcmp(argv[1], "describe") == 0) {
        job.describe = true;
        job.output = open_or_end(argv[2], O_WRONLY | O_CREAT | O_TRUNC);
        return;
    }
    Words words(read_text(argv[2]));
    while (!words.end()) read_line(words, job);
}

}  // namespace sim
