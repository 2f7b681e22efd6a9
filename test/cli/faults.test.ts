/**
 * What scripts do to the interpreter, the wire and their own streams is theirs: `test/security/faults/` holds one way each, and none of
 * them is told as a fault of NKI Scope. The built `dist/cli.js`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { CLI, itWithPython } from '../support/built';
import { WAIT_LIMIT_MS } from '../support/patience';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

const FAULTS = path.join(NKI_SCOPE_ROOT, 'test/security/faults');

interface Fault {
  /** Of standard error in the bundled interpreter; null: nothing is said. */
  says: RegExp | null;
  /** In the user's own interpreter it waits until the time limit. */
  onlyBundled?: true;
}

const CRASH = /: InterpreterError: the interpreter crashed: /;
const ROWS: Readonly<Record<string, Fault>> = {
  // What lies there is read as an object.
  'code_constants_beyond_end.py': { says: /: \w+Error: / },
  'code_unknown_opcodes.py': { says: CRASH },
  'device_garbage.py': { says: /: InterpreterError: the script wrote to \/dev\/nki/ },
  'device_half_message.py': { says: /: InterpreterError: the script wrote to \/dev\/nki/, onlyBundled: true },
  'device_messages.py': { says: null },
  'marshal_damaged.py': { says: /: InterpreterError: the interpreter crashed: |: InterpreterError: the script is nested/ },
  'marshal_too_short.py': { says: /^marshal_too_short\.py:\d: EOFError: / },
  'nested_list_repr.py': { says: /: InterpreterError: the script is nested deeper/ },
  'recursion_depth.py': { says: /recursion_depth\.py:\d: RecursionError: / },
  'stdout_closed.py': { says: null },
  'stdout_none.py': { says: null },
  'stdout_raises.py': { says: null },
};

describe('faults of scripts @long', () => {
  const folder = temporaryFolder();
  const ended = (args: string[]) => {
    const how = { cwd: FAULTS, encoding: 'utf8', timeout: WAIT_LIMIT_MS, maxBuffer: 1 << 26 } as const;
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], how);
    return { status, stderr };
  };

  it('are all run', () => assert.deepEqual(fs.readdirSync(FAULTS).sort(), Object.keys(ROWS).sort()));

  for (const [name, { says, onlyBundled }] of Object.entries(ROWS)) {
    it(`${name} is its own`, () => {
      const { status, stderr } = ended(['run', name]);
      assert.doesNotMatch(stderr, /own fault/);
      assert.equal(status, says === null ? 0 : 1, stderr);
      if (says) assert.match(stderr, new RegExp(says.source, 'm'));
      const captured = ended(['capture', name, '-s', folder.path('x.nkiprof')]);
      assert.equal(captured.status, 1);
      assert.doesNotMatch(captured.stderr, /own fault/);
    });

    (onlyBundled ? it.skip : itWithPython())(`${name} is its own in the user’s interpreter, too`, () => {
      const { status, stderr } = ended(['run', '--python', 'python3', name]);
      assert.doesNotMatch(stderr, /own fault/);
      // Versions of Python differ in what they take.
      assert.ok(status === 0 || (says !== null && status === 1), `${status}: ${stderr}`);
    });
  }
});
