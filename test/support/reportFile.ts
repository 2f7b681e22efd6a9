/** Writes the self-contained report as the command line does, without its worker. */
import fs from 'node:fs';
import path from 'node:path';
import { exportPieces } from '../../src/cli/exportPieces';
import { encodeNkiprof } from '../../src/simulator/formats/nkiprof';
import type { Profile } from '../../src/simulator/profile/profile';

/** @param dist has the page's script and style in `webview/` @param profiles with their titles; those after the first are stacked below it */
export async function writeReport(file: string, dist: string, title: string, profiles: readonly { title: string; profile: Profile }[]) {
  const bundle = (name: string) => fs.readFileSync(path.join(dist, 'webview', name), 'utf8');
  const report = { title, script: bundle('main.js'), style: bundle('main.css'), titles: profiles.slice(1).map(p => p.title) };
  const sources = profiles.map(({ title, profile }) => ({ bytes: encodeNkiprof(profile), name: `${title}.nkiprof` }));
  fs.writeFileSync(file, '');
  await exportPieces({ sources, format: 'html', report }, async ({ bytes }) => fs.appendFileSync(file, bytes));
}
