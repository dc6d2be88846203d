// Linked before the submission: the zone below its shared memory.
extern "C" {
extern __thread char sim_shared_begin[1024];
__thread char sim_shared_begin[1024] __attribute__((aligned(256)));
}
