/** `view`: writes a profile in another format, puts it into a folder of profiles, or serves the viewer. */
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { type OutputPiece, PARQUET_EXTENSION, ranksOfFile, schemaText, terminologyText } from '../simulator/index';
import type { CliCommand, CliContext } from './context';
import { EXIT, UsageError } from './errors';
import { VIEW_INAPPLICABLE } from './inapplicable';
import { ingest } from './ingest';
import { type OptionTable, type Parsed, readOptions, text } from './options';
import { writeFile, writeFolder } from './output';
import { type FilePlaces, filesShelf, folderShelf } from './profileShelf';
import { bytesOf, Reading, sourceRootOf } from './reading';
import { recentProfiles } from './recentProfiles';
import { serve } from './serve';
import { statOf } from './stat';
import { SYSTEM_OPTIONS, systemFilterOf, systemGroupsOf } from './systemOptions';
import { type ExportGiven, FORMATS, type Format, type FormatName, saidOfSize } from './viewFormats';

const DEFAULT_PORT = 3001;

const OPTIONS: OptionTable = {
  'session-file': { type: 'string', short: 's' },
  'neff-path': { type: 'string', short: 'n' },
  'session-dir': { type: 'string', short: 'd' },
  'data-path': { type: 'string' },
  'output-format': { type: 'string' },
  'output-file': { type: 'string' },
  range: { type: 'string' },
  port: { type: 'string' },
  terminology: { type: 'boolean' },
  'show-profile-schema': { type: 'boolean' },
  'show-perfetto-flows': { type: 'boolean' },
  'ingest-only': { type: 'boolean' },
  'display-name': { type: 'string' },
  force: { type: 'boolean' },
  'nki-source-root': { type: 'string' },
  'framework-source-root': { type: 'string' },
  ...SYSTEM_OPTIONS,
};

export const view: CliCommand = {
  summary: 'show a profile in the browser, or write it in another format',
  help: `nki-scope view [-s] FILE [FILE...] [--output-format FORMAT] [--output-file F]
nki-scope view [-d FOLDER] [--port ${DEFAULT_PORT}]
nki-scope view --ingest-only -s FILE -d FOLDER [--display-name NAME] [--force]

FILE is a .nkiprof, a recording of Neuron's runtime (.ntff), a capture of neuron-profile (its json or summary-json), a system profile of AWS's
profilers (system_profile.json, .pftrace), or a folder of Neuron Explorer's Parquet tables.
Several are stacked, with linked zoom: the first is what the others are compared with (also with --output-format html).
Without a format: serves the viewer on 127.0.0.1 until Ctrl-C, at the URL that it prints. The token in it keeps other
users of the machine out. A folder is looked at again for each page: profiles put into it appear, and the list can delete a .nkiprof.

  -s, --session-file FILE   one profile
  -n, --neff-path FILE      the NEFF that an .ntff is of (default: the one of the same name beside it)
  -d, --session-dir FOLDER  every profile in the folder and three folders below it: .nkiprof, captures (.json, .ntff), folders of
                            Parquet tables (also --data-path). Without -d and FILE: those of the current folder, and those
                            that capture wrote last in other folders
  --output-format FORMAT    ${Object.keys(FORMATS).join(', ')}
  --output-file FILE        write there instead of to standard output (parquet: a folder)
                            ranks, ranks-json: of a run on several ranks, by the profile of any one; those beside it are read, too
  --range START:END         csv: only events of this span, in nanoseconds
  --show-perfetto-flows     perfetto: arrows from blockers to those that waited
  --ingest-only             put FILE into the folder as a .nkiprof, without serving
  --display-name NAME       under this name
  --force                   over another profile of that name
  --nki-source-root FOLDER  where the sources are that a capture names
  --port N                  (${DEFAULT_PORT}; the next free one when it is taken)
  --system-trace-filter-neuron-core 0,1
  --system-trace-filter-event-type nrt_execute,hardware,^cc_running
  --system-trace-filter-instance-id i-0f2
                            of a system profile: only these events (^: not these)
  --system-trace-primary-group, --system-trace-secondary-group FIELDS
                            perfetto, of a system profile: what makes a process (instance_id,process_id) and a thread
                            (worker_gid,lnc_idx,thread_id) of the trace
  --terminology             what each summary metric means
  --show-profile-schema     tables and fields that parquet has, as YAML

  nki-scope view -s softmax.nkiprof
  nki-scope view -n file.neff -s profile.ntff --output-format summary-text
  nki-scope view estimate.nkiprof measured.json another.nkiprof
  nki-scope view -s profile.json --output-format perfetto --output-file profile.pftrace
`,
  async run(argv, context) {
    const { values, positionals } = readOptions('view', argv, OPTIONS, VIEW_INAPPLICABLE, context.terminal.log);
    if (values.terminology) {
      context.terminal.out(terminologyText());
      return EXIT.done;
    }
    if (values['show-profile-schema']) {
      context.terminal.out(schemaText());
      return EXIT.done;
    }
    const format = text(values, 'output-format');
    const files = [text(values, 'session-file') ?? [], positionals].flat();
    if (format !== undefined) return write(values, files, format, context);
    return values['ingest-only'] ? ingestOne(values, files, context) : serveProfiles(values, files, context);
  },
};

const folderOf = (values: Parsed['values']) => text(values, 'session-dir') ?? text(values, 'data-path');
const rootOf = (values: Parsed['values']) => sourceRootOf(text(values, 'nki-source-root') ?? text(values, 'framework-source-root'));

/** Options that belong to the files that are read. @throws UsageError */
function placesOf(values: Parsed['values'], files: readonly string[]): FilePlaces {
  const neff = text(values, 'neff-path');
  if (neff !== undefined) onlyOf(files, '--neff-path');
  const system = systemFilterOf(values);
  return { sourceRoot: rootOf(values), neff, ...(system && { system }) };
}

function onlyOf(files: readonly string[], what: string): string {
  if (files.length === 0) throw new UsageError('view: name a profile with -s FILE');
  if (files.length > 1) throw new UsageError(`view: ${what} takes one profile, not ${files.length}`);
  return files[0];
}

async function write(values: Parsed['values'], given: readonly string[], name: string, context: CliContext): Promise<number> {
  if (name === 'db') throw new UsageError('view: db does not apply here: profiles are files, there is no database');
  if (!Object.hasOwn(FORMATS, name)) throw new UsageError(`view: no format ${name}; there are ${Object.keys(FORMATS).join(', ')}`);
  const format: Format = FORMATS[name as FormatName];
  if (!format.several || given.length === 0) onlyOf(given, name);
  const files = name.startsWith('ranks') && given.length === 1 ? ranksBeside(given[0]) : given;
  const places = placesOf(values, files);
  const pieces = new Reading(context).export({
    sources: files.map(file => ({ path: file, ...places })),
    format: name as FormatName,
    ...(name === 'html' && { report: reportOf(files, context.dist) }),
    span: spanOf(values),
    flows: values['show-perfetto-flows'] === true,
    groups: systemGroupsOf(values),
  });
  const place = text(values, 'output-file') ?? format.place;
  await put(pieces, format, place, context);
  return EXIT.done;
}

/** The profiles of all ranks, by the name of one. */
function ranksBeside(file: string): string[] {
  if (!statOf(file, `-s ${file}`)) throw new UsageError(`view: ${file}: no such file`);
  const ranks = ranksOfFile(file);
  if (ranks.length === 0)
    throw new UsageError(`view: ${file} has no other ranks beside it, by its name: they are named NAME_rank_0 and so on (docs/ranks.md)`);
  return ranks.map(({ of }) => of);
}

/** @param place empty: the terminal */
async function put(pieces: AsyncIterable<OutputPiece>, format: Format, place: string, { terminal, signal }: CliContext): Promise<void> {
  if (place === '') {
    for await (const bytes of bytesOf(pieces)) terminal.out(Buffer.from(bytes).toString('utf8'));
    return;
  }
  if (format.isFolder) await writeFolder(place, filesOf(pieces), names => names.every(name => name.endsWith(PARQUET_EXTENSION)), signal);
  else await writeFile(place, bytesOf(pieces), signal);
  terminal.log(`${place} written`);
  const hint = saidOfSize(format, fs.statSync(place).size);
  if (hint !== '') terminal.log(hint);
}

async function* filesOf(pieces: AsyncIterable<OutputPiece>): AsyncGenerator<[name: string, bytes: Uint8Array]> {
  for await (const { name = '', bytes } of pieces) yield [name, bytes];
}

function reportOf(files: readonly string[], dist: string): ExportGiven['report'] {
  const asset = (name: string) => fs.readFileSync(path.join(dist, 'webview', name), 'utf8');
  const [title, ...titles] = files.map(file => path.basename(file));
  return { title: `${title} - NKI Scope`, titles, script: asset('main.js'), style: asset('main.css') };
}

function spanOf(values: Parsed['values']): { startNs: number; endNs: number } | undefined {
  const range = text(values, 'range');
  if (range === undefined) return undefined;
  const [startNs, endNs] = /^\d+(\.\d+)?:\d+(\.\d+)?$/.test(range) ? range.split(':').map(Number) : [1, 0];
  if (endNs < startNs) throw new UsageError(`--range ${range}: write it as --range 1000:25000, in nanoseconds`);
  return { startNs, endNs };
}

async function ingestOne(values: Parsed['values'], files: readonly string[], context: CliContext): Promise<number> {
  const folder = folderOf(values);
  if (folder === undefined) throw new UsageError('view --ingest-only: name the folder with -d FOLDER');
  const where = { folder, name: text(values, 'display-name'), force: values.force === true };
  const source = { path: onlyOf(files, '--ingest-only'), ...placesOf(values, files) };
  context.terminal.out(`${await ingest(source, where, new Reading(context), context.signal)}\n`);
  return EXIT.done;
}

function portOf(values: Parsed['values']): number {
  const port = Number(text(values, 'port') ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`--port ${values.port}: a number from 0 to 65535`);
  return port;
}

async function serveProfiles(values: Parsed['values'], files: readonly string[], { terminal, dist, signal }: CliContext): Promise<number> {
  const port = portOf(values);
  const given = folderOf(values);
  if (files.length > 0 && given !== undefined)
    throw new UsageError('view: name a profile with -s FILE, or a folder with -d FOLDER, not both');
  const folder = given ?? (files.length === 0 ? process.cwd() : undefined);
  const reading = new Reading({ dist, signal });
  const listed = given === undefined ? recentProfiles : undefined;
  const shelf =
    folder === undefined
      ? await filesShelf(files, reading, placesOf(values, files))
      : folderShelf(folder, reading, placesOf(values, []), listed);
  const server = await serve({ shelf, dist, port });
  if (port !== 0 && server.port !== port) terminal.log(`port ${port} is taken, using ${server.port}`);
  const ofFolder = `the profiles in ${folder}${listed && listed().length > 0 ? ' and recent ones' : ''}`;
  const what = folder === undefined ? files.map(file => path.basename(file)).join(', ') : ofFolder;
  terminal.out(`NKI Scope serves ${what} at ${server.url} (Ctrl-C ends)\n`);
  if (!signal.aborted) await once(signal, 'abort');
  reading.close();
  await server.close();
  return EXIT.done;
}
