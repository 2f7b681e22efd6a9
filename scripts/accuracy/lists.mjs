// What other scripts measured and stored in bench/fidelity.
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../install.mjs';

export const listed = name => JSON.parse(fs.readFileSync(path.join(root, 'bench', 'fidelity', `${name}.json`), 'utf8'));

/** Rows with what they would be without their authors, and without what rests on one kernel (scripts/unseenAuthors.mjs). */
export const leftOutRows = () => listed('unseenAuthors');
