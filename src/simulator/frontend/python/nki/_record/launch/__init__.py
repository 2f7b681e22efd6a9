"""One kernel call from its arguments to its results; decorators, the entry point of a job, reports of errors."""
