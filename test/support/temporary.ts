/** A folder for one test file, removed when it is through. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Call inside `describe`. Gives functions because the folder exists only while the tests run. */
export function temporaryFolder() {
  let folder = '';
  before(() => {
    // the real path: on macOS the temporary folder is behind a link
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'scope-test-')));
  });
  after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return {
    path: (...names: string[]) => path.join(folder, ...names),
    write(name: string, content: string | Uint8Array): string {
      const file = path.join(folder, name);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content);
      return file;
    },
  };
}
