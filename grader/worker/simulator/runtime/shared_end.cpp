// Linked after the submission: the zone above its shared memory.
extern "C" {
extern __thread char sim_shared_end[1024];
__thread char sim_shared_end[1024] __attribute__((aligned(16)));
}
