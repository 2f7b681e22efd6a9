"""No code object at all."""

import marshal

marshal.loads(b"garbage")
