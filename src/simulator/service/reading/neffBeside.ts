/** The NEFF in the folder of an NTFF that belongs to it by its name. */
import fs from 'node:fs';
import path from 'node:path';
import { neffNames } from '../../formats/rankNames';

export function neffBeside(ntff: string): string | undefined {
  const folder = path.dirname(ntff);
  const isFile = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return neffNames(path.basename(ntff), () => fs.readdirSync(folder))
    .map(name => path.join(folder, name))
    .find(isFile);
}
