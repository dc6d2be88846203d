// Declares what host code calls of MPI, where it is not installed. Host code never runs.
#pragma once

#include "lab_call.h"

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request, MPI_Info;
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

extern LabCall<double> MPI_Wtime;
extern LabCall<int> MPI_Init, MPI_Init_thread, MPI_Finalize, MPI_Abort, MPI_Comm_rank, MPI_Comm_size, MPI_Comm_split,
    MPI_Comm_split_type, MPI_Get_processor_name, MPI_Barrier, MPI_Send, MPI_Recv, MPI_Sendrecv, MPI_Isend, MPI_Irecv,
    MPI_Wait, MPI_Waitall, MPI_Bcast, MPI_Ibcast, MPI_Scatter, MPI_Iscatter, MPI_Scatterv, MPI_Gather, MPI_Igather,
    MPI_Gatherv, MPI_Allgather, MPI_Reduce, MPI_Allreduce;
