"""Runs every test module beside this file and prints one JSON line per test: `{"id": ..., "failure": null or text}`.

It is a script so that the same suite runs in the bundled interpreter (`node dist/cli.js run run_all.py`) and in any CPython.
"""

import json
import os
import sys
import unittest
from typing import Any, Optional

HERE = os.path.dirname(os.path.abspath(__file__))


class Report(unittest.TestResult):
    """Prints each outcome as it happens."""

    def _line(self, test: unittest.TestCase, failure: Optional[str]) -> None:
        print(json.dumps({"id": test.id(), "failure": failure}), flush=True)

    def addSuccess(self, test: unittest.TestCase) -> None:
        """The test passed."""
        self._line(test, None)

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        """The test raised."""
        self._line(test, self._exc_info_to_string(err, test))

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        """An assertion failed."""
        self.addError(test, err)

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase, err: Any) -> None:
        """A part of the test failed; parts that pass are not counted apart."""
        if err is not None:
            self.addError(subtest, err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        """Skipped tests count as failures: nothing is left out in silence."""
        self._line(test, "skipped: " + reason)


if __name__ == "__main__":
    sys.path.insert(0, HERE)
    report = Report()
    unittest.defaultTestLoader.discover(HERE, top_level_dir=HERE).run(report)
    print(f"all {report.testsRun} tests done")
