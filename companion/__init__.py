"""The companion: the rules engine, the table and its devices."""

import os

# Looking at dice multiplies many small matrices. Several threads only wait for each other there:
# a read takes three times the processor time, and on a busy Pi much longer. numpy asks once, when
# it is imported; who sets another number keeps it.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
