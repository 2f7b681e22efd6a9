// How long profiles take to write in each format, processor time and peak memory. 1,000,000 instructions with a tenth as many
// transfers of 16 stretches; INSTRUCTIONS=n for another size. Each format in a process of its own, so that peaks are its own.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import zlib from 'node:zlib';
import { simulator } from './support/build.mjs';
import { count, mib, peakRss, printTable } from './support/table.mjs';

const INSTRUCTIONS = Number(process.env.INSTRUCTIONS ?? 1_000_000);
const FORMATS = ['nothing', 'nkiprof', 'perfetto', 'json'];

const self = fileURLToPath(import.meta.url);
const format = process.argv[2];
if (format === undefined) {
  const rows = FORMATS.map(name => JSON.parse(spawnSync(process.execPath, [self, name], { encoding: 'utf8' }).stdout));
  printTable([
    ['format', 'processor time', 'file', 'peak memory'],
    ...rows.map(r => [r.name, `${(r.cpuMs / 1000).toFixed(1)} s`, mib(r.bytes), mib(r.peak)]),
  ]);
  console.log(`\n${count(INSTRUCTIONS)} instructions; "nothing" is the profile alone`);
} else {
  const s = await simulator();
  const profile = s.exportProfile(INSTRUCTIONS);
  const writers = {
    nothing: () => [],
    nkiprof: () => [s.packNkiprof(s.encodeProfile(profile), (bytes, options) => zlib.deflateRawSync(bytes, options))],
    perfetto: () => s.perfettoChunks(profile),
    json: () => s.jsonChunks(profile),
  };
  const before = process.cpuUsage();
  let bytes = 0;
  for (const chunk of writers[format]()) bytes += chunk.length;
  const { user, system } = process.cpuUsage(before);
  console.log(JSON.stringify({ name: format, cpuMs: (user + system) / 1000, bytes, peak: peakRss() }));
}
