"""The processes in which plugins run, with limits of time and memory."""
