"""Where files import from: packages, project files, `src/`, folders that the caller names; and that nothing outside is looked at."""

# ruff: noqa: D102 - names of tests say what they hold

from __future__ import annotations

import os
import sys
import unittest
from typing import Dict, List

from record_support import scratch_folder

from nki._record.launch import importing


class Importing(unittest.TestCase):
    """`importing.prepare` and `importing.module_of`."""

    def setUp(self) -> None:
        self.root = os.path.join(scratch_folder(), "root")
        self.saved = (list(sys.path), list(sys.meta_path), set(sys.modules))

    def tearDown(self) -> None:
        sys.path[:], sys.meta_path[:] = self.saved[:2]
        for name in set(sys.modules) - self.saved[2]:
            del sys.modules[name]

    def write(self, files: Dict[str, str]) -> None:
        for name, text in files.items():
            path = os.path.join(self.root, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)

    def prepare(self, file: str, *given: str) -> str:
        return importing.prepare(os.path.join(self.root, file), self.root, [os.path.join(self.root, folder) for folder in given])

    def added(self) -> List[str]:
        """New on `sys.path`, from the root."""
        return [os.path.relpath(folder, self.root) for folder in sys.path if folder not in self.saved[0]]

    def test_a_file_alone_imports_from_its_folder(self) -> None:
        self.write({"a/k.py": ""})
        self.assertEqual((self.prepare("a/k.py"), self.added()), ("", ["a"]))

    def test_a_chain_of_packages(self) -> None:
        self.write({"one/two/__init__.py": "", "one/two/three/__init__.py": "", "one/two/three/k.py": ""})
        self.assertEqual(self.prepare("one/two/three/k.py"), "two.three")
        self.assertEqual(self.added(), ["one", "one/two/three"], "a package's own modules hide no others")

    def test_a_project_with_src_and_folders_that_are_no_packages(self) -> None:
        self.write({"p/pyproject.toml": "", "p/src/own/kernels/k.py": ""})
        self.assertEqual(self.prepare("p/src/own/kernels/k.py"), "own.kernels")
        self.assertEqual(self.added(), ["p/src/own/kernels", "p/src", "p"])

    def test_what_a_project_names(self) -> None:
        project = '[tool.pytest.ini_options]\npythonpath = ["lib", "../..", "nowhere"]\n[tool.setuptools.packages.find]\nwhere = ["code"]\n'
        self.write({"pyproject.toml": project, "lib/a.py": "", "code/b.py": "", "k.py": ""})
        self.prepare("k.py")
        self.assertEqual(self.added(), [".", "lib", "code"])

    def test_named_folders_come_first_and_only_from_inside(self) -> None:
        self.write({"k.py": "", "extra/a.py": ""})
        self.assertEqual((self.prepare("k.py", "extra", ".."), self.added()), ("", [".", "extra"]))

    def test_a_package_that_is_the_whole_root(self) -> None:
        self.write({"__init__.py": "SIZE = 3\n", "sub/__init__.py": "", "sub/k.py": "from .. import SIZE\n"})
        package = self.prepare("sub/k.py")
        self.assertEqual(package, "root.sub")
        module = importing.module_of(os.path.join(self.root, "sub/k.py"), package)
        assert module is not None
        self.assertEqual(module.SIZE, 3)

    def test_a_package_that_imports_the_file_runs_it_once(self) -> None:
        self.write(
            {"pack/__init__.py": "from .k import RUNS\n", "pack/k.py": "import sys\nsys.runs = RUNS = getattr(sys, 'runs', 0) + 1\n"}
        )
        self.addCleanup(delattr, sys, "runs")
        package = self.prepare("pack/k.py")
        module = importing.module_of(os.path.join(self.root, "pack/k.py"), package)
        assert module is not None
        self.assertEqual((module.__name__, module.RUNS), ("pack.k", 1))

    def test_a_package_of_that_name_from_elsewhere_is_not_taken(self) -> None:
        self.write({"json/__init__.py": "", "json/decoder.py": "OWN = True\n"})
        package = self.prepare("json/decoder.py")
        self.assertIsNone(importing.module_of(os.path.join(self.root, "json/decoder.py"), package))


if __name__ == "__main__":
    unittest.main()
