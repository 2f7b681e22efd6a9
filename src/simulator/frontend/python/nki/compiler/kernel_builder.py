"""`nki.compiler.kernel_builder`: compiles a kernel to a file for the hardware. Importing its names works, using them says why not.

Source: aws-neuron-sdk nki/get-started/nki-language-guide.rst, which calls `compile_kernel` once and says no more of it.
"""

from nki._record.vocabulary.refusals import refusing as _refusing

__getattr__ = _refusing(
    "nki.compiler.kernel_builder", "takes options that no public document describes (call the kernel with arrays instead)"
)
