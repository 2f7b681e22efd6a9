"""Jobs as the bridges start them: scripts, one kernel by name, and everything that can be wrong with a file."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import contextlib
import io
import os
import sys
import textwrap
import unittest
from typing import Any, Dict, Optional

from record_support import FakeHost, fresh_host, restore, scratch_folder

from nki._record.launch import kernels, run
from nki._record.wire import host

HEAD = """
import nki
import nki.isa as nisa
import nki.language as nl
from nki.typing import tensor
"""
COPY = """
@nki.jit
def copied(a, n: int = 2):
    out = nl.ndarray(a.shape, dtype=a.dtype, buffer=nl.shared_hbm)
    for i in range(n):
        nl.store(out, nl.load(a))
    return out
"""


class Jobs(unittest.TestCase):
    """`run.main`."""

    def setUp(self) -> None:
        self.folder = scratch_folder()
        self.writes_no_bytecode = sys.dont_write_bytecode
        self.saved = (sys.argv, list(sys.path), dict(os.environ), list(sys.path_hooks), sys.modules["__main__"])
        self.kernels_before = (list(kernels.defined), kernels.calls_made)
        kernels.defined.clear()
        kernels.calls_made = 0
        self.fake: FakeHost = fresh_host()
        self.printed = ""

    def tearDown(self) -> None:
        sys.argv, sys.path[:], environment, sys.path_hooks[:], sys.modules["__main__"] = self.saved
        kernels.defined[:], kernels.calls_made = self.kernels_before
        os.environ.clear()
        os.environ.update(environment)
        sys.dont_write_bytecode = self.writes_no_bytecode

    def write(self, name: str, text: str) -> str:
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def job(self, file: str, **changes: Any) -> Dict[str, Any]:
        """Runs a job; the `done` request."""
        self.fake.job = {
            "file": file,
            "root": self.folder,
            "overlay": {},
            "kernel": None,
            "args": {},
            "inputs": {},
            "fill": "zeros",
            "grid": None,
            "ranks": 1,
            "rankInputs": [],
            "target": "trn2",
            "targetIsGiven": True,
            "machine": None,
            "nkiVersion": None,
            "argv": [],
            "env": {},
            "instructionLimit": 1000,
            "progressEvery": 100,
            **changes,
        }
        host.connection = self.fake  # a job lets go of it when it is done
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
            run.main()
        self.printed = printed.getvalue()
        return self.fake.asked("done")[-1]

    def error(self, text: str, **changes: Any) -> Dict[str, Any]:
        error: Optional[Dict[str, Any]] = self.job(self.write("script.py", text), **changes)["error"]
        assert error is not None
        return error

    def test_a_script_chooses_the_target_unless_the_run_does(self) -> None:
        asked = 'import os\nos.environ["NEURON_PLATFORM_TARGET_OVERRIDE"] = "gen4"\n'
        call = "print(nki.isa.get_nc_version().name)\ncopied(tensor[[128, 4], nl.float32])\n"
        file = self.write("t.py", HEAD + COPY + asked + call)
        for given, found in ((False, "gen4"), (True, "gen3")):
            self.assertIsNone(self.job(file, targetIsGiven=given)["error"])
            self.assertEqual(self.printed, found + "\n")
            self.assertEqual(self.fake.programs[-1].meta["target"], "trn3" if found == "gen4" else "trn2")

    def test_what_is_no_function_is_not_offered_and_cannot_be_called(self) -> None:
        made = "import functools\npart = nki.jit(functools.partial(copied, n=1))\n"
        done = self.job(self.write("p.py", HEAD + COPY + made))
        self.assertEqual([kernel["name"] for kernel in done["kernels"]], ["copied"])
        error = self.error(HEAD + COPY + made + "part(tensor[[128, 4], nl.float32])\n")
        self.assertEqual((error["kind"], error["message"], error["line"]), ("TypeError", "a kernel is a Python function, not partial", 15))

    def test_script(self) -> None:
        text = HEAD + COPY + 'import sys, os\nif __name__ == "__main__":\n    print(sys.argv[1:], os.environ["X"])\n'
        done = self.job(self.write("s.py", text + "    copied(tensor[[128, 4], nl.float32])\n"), argv=["--fast"], env={"X": "1"})
        self.assertIsNone(done["error"])
        self.assertEqual(self.printed, "['--fast'] 1\n")
        params = [{"name": "a", "annotation": None, "default": None}, {"name": "n", "annotation": "int", "default": "2"}]
        self.assertEqual(done["kernels"], [{"name": "copied", "line": 7, "params": params}])
        self.assertEqual(self.fake.programs[0].meta["target"], "trn2")

    def test_the_script_s_time_can_be_measured(self) -> None:
        text = (
            HEAD + COPY + "x = tensor[[128, 4], nl.float32]\ncopied(x)\ntry:\n    copied(x, n='many')\nexcept TypeError:\n    copied(x)\n"
        )
        self.assertIsNone(self.job(self.write("s.py", text), hostTime=True)["error"])
        told = [request for request in self.fake.requests if request["call"] in ("recording", "run")]
        # the second call fails, and what comes after it is the script's time again
        began = [request.get("begins", request["call"]) for request in told]
        self.assertEqual(began, [True, "run", False, True, False, True, "run", False])

    def test_nothing_is_told_of_its_time_unless_asked(self) -> None:
        self.job(self.write("s.py", HEAD + COPY + "copied(tensor[[128, 4], nl.float32])\n"))
        self.assertEqual(self.fake.asked("recording"), [])

    def test_one_kernel_with_arguments(self) -> None:
        file = self.write("module_of_mine.py", HEAD + COPY + 'assert __name__ == "module_of_mine"\n')
        done = self.job(file, kernel="copied", args={"a": "bf16[128, 512]", "n": 3}, target="trn3", grid=[2])
        self.assertIsNone(done["error"])
        program = self.fake.programs[0]
        self.assertEqual((len(program.instructions), program.meta["grid"], program.meta["target"]), (12, [2], "trn3"))
        (fill,) = self.fake.asked("array.op")
        self.assertEqual((fill["op"], fill["dtype"], fill["shape"]), ("fill", "bfloat16", [128, 512]))

    def test_random_inputs_and_files(self) -> None:
        file = self.write("s.py", HEAD + COPY)
        self.job(file, kernel="copied", args={"a": "i8[128,4]"}, fill="random")
        self.assertEqual([request["op"] for request in self.fake.asked("array.op")], ["generator", "random.integers", "cast"])
        done = self.job(file, kernel="copied", inputs={"a": {"array": 77, "shape": [128, 4], "dtype": "float32"}})
        self.assertIsNone(done["error"])
        self.assertEqual(self.fake.asked("run")[-1]["inputs"], [77])

    def test_reference_gets_the_arguments_that_it_names(self) -> None:
        reference = "def same(a):\n    return a\ndef text(a):\n    return 'no array'\n"
        file = self.write("r.py", HEAD + COPY + reference)
        given = {"kernel": "copied", "args": {"a": "bf16[128, 4]", "n": 1}}
        self.assertIsNone(self.job(file, referenceFunction="same", **given)["error"])
        (handed,) = self.fake.asked("reference")
        self.assertEqual((handed["function"], len(handed["arrays"])), ("same", 1))
        self.assertIn("text returns str", self.job(file, referenceFunction="text", **given)["error"]["message"])
        self.assertEqual(self.job(file, referenceFunction="none", **given)["error"]["kind"], "NoReference")

    def test_kernel_without_a_decorator_is_of_the_dialect_that_its_file_imports(self) -> None:
        body = (
            "def plain(a):\n    out = nl.ndarray((128, 4), a.dtype, buffer=nl.shared_hbm)\n    nl.store(out, nl.load(a))\n    return out\n"
        )
        legacy = "import neuronxcc.nki as nki\nimport neuronxcc.nki.language as nl\n"
        both = self.write("b.py", "import nki as today\n" + legacy + body)
        self.assertIn("kernel of nki.jit", self.job(both, kernel="plain", args={"a": "f32[128,4]"})["error"]["message"])
        self.assertIsNone(self.job(self.write("o.py", legacy + body), kernel="plain", args={"a": "f32[128,4]"})["error"])

    def test_kernel_that_is_not_there_or_lacks_inputs(self) -> None:
        file = self.write("s.py", HEAD + COPY)
        self.assertEqual(self.job(file, kernel="copy")["error"]["kind"], "NoKernel")
        wrapped = self.write("w.py", HEAD + COPY + "again = nki.jit(copied.func)\nclass Held:\n    pass\nheld = Held()\n")
        error = self.job(wrapped, kernel="held")["error"]
        self.assertEqual((error["kind"], error["message"]), ("NoKernel", "w.py has no kernel held; it has copied"))
        error = self.job(file, kernel="copied")["error"]
        self.assertEqual((error["kind"], error["line"]), ("NoInputs", 7))
        self.assertIn("copied has no value for a", error["message"])
        self.assertIn("no parameter b", self.job(file, kernel="copied", args={"a": "f32[1,1]", "b": 1})["error"]["message"])

    def test_nothing_called(self) -> None:
        error = self.error(HEAD + COPY)
        self.assertEqual((error["kind"], error["line"]), ("NoInputs", 7))
        self.assertIn("copied(a, n)", error["message"])
        kernels.defined.clear()
        self.assertEqual(self.error("x = 1\n")["kind"], "NoKernel")

    def test_kernels_of_other_files_come_last(self) -> None:
        self.write("imported_kernel.py", HEAD + COPY.replace("copied", "of_another_file"))
        error = self.error("import imported_kernel\n" + HEAD + COPY)
        self.assertIn("copied(a, n)", error["message"])
        self.assertNotIn("of_another_file", error["message"])
        self.assertEqual(error["line"], 8)
        kernels.defined.clear()
        sys.modules.pop("imported_kernel")
        error = self.error("import imported_kernel\n")
        self.assertIn("of_another_file(a, n)", error["message"])
        self.assertEqual((error["file"], error["line"]), (os.path.join(self.folder, "script.py"), None))

    def test_syntax_error(self) -> None:
        error = self.error("x = 1\ndef broken(:\n")
        self.assertEqual((error["kind"], error["line"]), ("SyntaxError", 2))
        self.assertIn("def broken(:", error["traceback"])

    def test_not_python(self) -> None:
        path = os.path.join(self.folder, "data.py")
        for data in (b"\xff\xfe\x00\x01", b"x = 1\x00"):
            with open(path, "wb") as file:
                file.write(data)
            self.assertEqual(self.job(path)["error"]["kind"], "NotPython")

    def test_missing_import(self) -> None:
        error = self.error("\nimport not_there_at_all\n")
        self.assertEqual((error["kind"], error["line"]), ("ModuleNotFoundError", 2))
        self.assertIn("not_there_at_all", error["message"])

    def test_import_from_a_folder_that_cannot_be_read(self) -> None:
        error = self.error("import not_there_at_all\n", importPaths=[self.folder, "/not/below/root"])
        self.assertIn("'not_there_at_all' in the folder that the kernel can read. Outside of it: /not/below/root. Choose", error["message"])
        self.assertNotIn("Outside of it", self.error("import not_there_at_all\n", importPaths=[self.folder])["message"])

    def test_import_from_a_folder_that_the_script_adds_and_cannot_read(self) -> None:
        error = self.error("import sys\nsys.path.insert(0, '/not/below/root')\nimport not_there_at_all\n")
        self.assertIn("Outside of it: /not/below/root. Choose", error["message"])
        inside = self.error(f"import sys\nsys.path.insert(0, {self.folder!r} + '/lib')\nimport not_there_at_all\n")
        self.assertNotIn("Outside of it", inside["message"])

    def test_error_in_a_helper_module(self) -> None:
        helper = self.write("helper_module.py", "def fail():\n    return 1 / 0\n")
        error = self.error("import helper_module\nhelper_module.fail()\n")
        self.assertEqual((error["kind"], error["file"], error["line"]), ("ZeroDivisionError", helper, 2))
        self.assertEqual(error["traceback"].count("File "), 2)
        self.assertNotIn("nki/_record", error["traceback"])

    def test_unsaved_texts(self) -> None:
        helper = self.write("unsaved_helper.py", "raise RuntimeError('from disk')\n")
        file = self.write("s.py", "raise RuntimeError('from disk')\n")
        overlay = {file: "import unsaved_helper\n1/unsaved_helper.zero\n", helper: "zero = 0\n"}
        error = self.job(file, overlay=overlay)["error"]
        self.assertEqual((error["kind"], error["line"]), ("ZeroDivisionError", 2))
        self.assertIn("1/unsaved_helper.zero", error["traceback"])

    def test_instruction_limit_and_progress(self) -> None:
        error = self.error(HEAD + COPY + "try:\n    copied(tensor[[128, 4], nl.float32], 10**9)\nexcept Exception:\n    pass\n")
        self.assertEqual((error["kind"], error["line"]), ("Limit", 11))
        self.assertIn("more than 1,000 instructions", error["message"])
        counts = [request["instructions"] for request in self.fake.asked("progress")]
        self.assertEqual(counts, [100 * k for k in range(1, 11)])

    def test_interrupt(self) -> None:
        error = self.error("x = 1\nraise KeyboardInterrupt\n")
        self.assertEqual((error["kind"], error["line"]), ("Cancelled", 2))

    def test_exit_codes(self) -> None:
        self.assertEqual(self.error("import sys\nsys.exit(3)\n")["kind"], "SystemExit")
        text = HEAD + COPY + "copied(tensor[[128, 4], nl.float32])\nimport sys\nsys.exit(0)\n"
        self.assertIsNone(self.job(self.write("s.py", text))["error"])


def tearDownModule() -> None:
    """The interpreter's own host again."""
    restore()


if __name__ == "__main__":
    unittest.main()
