"""One way to run long work: a job, its context and its handle."""

from litscape.jobs.context import JobCancelledError, JobContext, Progress, null_context

__all__ = ["JobCancelledError", "JobContext", "Progress", "null_context"]
