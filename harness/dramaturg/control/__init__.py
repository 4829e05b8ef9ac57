"""Everything between the harness and a running implementation: calls, marks, time limits.

Implementations, processes, the model's ranges and the codec of traces enter. The layer does not
know which answers are expected.
"""

import os
from importlib import metadata

# Otherwise the gRPC library reports each connection that ends on the user's terminal. It
# reads this when it is loaded, which is after this.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

# The thread that makes a call waits on the socket itself; by default a thread of gRPC's does, and
# wakes it. That is a third less of time for each call, in a harness that mostly makes calls. gRPC
# reports a name that it does not know, so this is set for versions alone in which it was tried.
if metadata.version("grpcio").startswith("1.85."):
    os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_client")
