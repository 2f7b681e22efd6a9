// node scripts/collectives.mjs
// Writes the table of collectives into docs/ranks.md: published times beside modelled ones (bench/fidelity/collectives.ts).
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';
import { evaluated } from './python-package.mjs';

const { collectiveTable } = await evaluated("export { collectiveTable } from './bench/fidelity/collectives';");
const page = path.join(root, 'docs/ranks.md');
const [before, , after] = fs.readFileSync(page, 'utf8').split(/<!-- (?:table|end of table) -->\n/);
fs.writeFileSync(page, `${before}<!-- table -->\n${collectiveTable()}\n<!-- end of table -->\n${after}`);
