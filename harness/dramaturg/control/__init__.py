"""Everything between the harness and a running implementation: calls, marks, time limits.

Implementations, processes, the model's ranges and the codec of traces enter. The layer does not
know which answers are expected.
"""

import os

# Otherwise the gRPC library reports each connection that ends on the user's terminal. It
# reads this when it is loaded, which is after this.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
