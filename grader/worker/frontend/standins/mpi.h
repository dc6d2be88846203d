// Declares what host code calls of MPI, where it is not installed. Host code never runs.
#pragma once

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Request;
typedef int MPI_Info;
typedef struct MPI_Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
} MPI_Status;

enum { MPI_COMM_WORLD, MPI_COMM_SELF, MPI_COMM_NULL, MPI_REQUEST_NULL, MPI_INFO_NULL, MPI_SUCCESS = 0 };
enum { MPI_CHAR, MPI_BYTE, MPI_INT, MPI_UNSIGNED, MPI_LONG, MPI_LONG_LONG, MPI_FLOAT, MPI_DOUBLE };
enum { MPI_SUM, MPI_MAX, MPI_MIN, MPI_PROD };
enum { MPI_ANY_SOURCE = -1, MPI_ANY_TAG = -1, MPI_MAX_PROCESSOR_NAME = 256, MPI_COMM_TYPE_SHARED = 1 };
enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_IN_PLACE ((void *)-1)

extern "C++" {
#define LAB_DECLARE(NAME) \
    template <class... Arguments> inline int MPI_##NAME(Arguments &&...) { return MPI_SUCCESS; }
LAB_DECLARE(Init)
LAB_DECLARE(Init_thread)
LAB_DECLARE(Finalize)
LAB_DECLARE(Abort)
LAB_DECLARE(Comm_rank)
LAB_DECLARE(Comm_size)
LAB_DECLARE(Comm_split)
LAB_DECLARE(Comm_split_type)
LAB_DECLARE(Get_processor_name)
LAB_DECLARE(Barrier)
LAB_DECLARE(Send)
LAB_DECLARE(Recv)
LAB_DECLARE(Sendrecv)
LAB_DECLARE(Isend)
LAB_DECLARE(Irecv)
LAB_DECLARE(Wait)
LAB_DECLARE(Waitall)
LAB_DECLARE(Bcast)
LAB_DECLARE(Ibcast)
LAB_DECLARE(Scatter)
LAB_DECLARE(Iscatter)
LAB_DECLARE(Scatterv)
LAB_DECLARE(Gather)
LAB_DECLARE(Igather)
LAB_DECLARE(Gatherv)
LAB_DECLARE(Allgather)
LAB_DECLARE(Reduce)
LAB_DECLARE(Allreduce)
#undef LAB_DECLARE
inline double MPI_Wtime() { return 0; }
}
