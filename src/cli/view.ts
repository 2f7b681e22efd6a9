/** `view`: writes a profile in another format, or serves the viewer. */

import { once } from 'node:events';
import path from 'node:path';
import { terminologyText } from '../simulator/index';
import type { Command, Context } from './context';
import { EXIT, UsageError } from './errors';
import { VIEW_INAPPLICABLE } from './inapplicable';
import { type OptionTable, type Parsed, readOptions, text } from './options';
import { writeFile } from './output';
import { readProfile } from './profileFile';
import { profilesIn, serve } from './serve';
import { FORMATS } from './viewFormats';

const DEFAULT_PORT = 3001;

const OPTIONS: OptionTable = {
  'session-file': { type: 'string', short: 's' },
  'session-dir': { type: 'string', short: 'd' },
  'output-format': { type: 'string' },
  'output-file': { type: 'string' },
  range: { type: 'string' },
  port: { type: 'string' },
  terminology: { type: 'boolean' },
  'show-perfetto-flows': { type: 'boolean' },
};

export const view: Command = {
  summary: 'show a profile in the browser, or write it in another format',
  help: `nki-scope view -s FILE [--output-format FORMAT] [--output-file F]
nki-scope view -d FOLDER [--port ${DEFAULT_PORT}]

Without a format: serves the viewer on 127.0.0.1 until Ctrl-C.

  -s, --session-file FILE   one profile
  -d, --session-dir FOLDER  every .nkiprof in the folder
  --output-format FORMAT    ${Object.keys(FORMATS).join(', ')}
  --output-file FILE        write there instead of to standard output
  --range START:END         csv: only events of this span, in nanoseconds
  --show-perfetto-flows     perfetto: arrows from blockers to those that waited
  --port N                  (${DEFAULT_PORT}; the next free one when it is taken)
  --terminology             what each summary metric means

  nki-scope view -s softmax.nkiprof
  nki-scope view -s softmax.nkiprof --output-format perfetto --output-file softmax.pftrace
`,
  async run(argv, context) {
    const { values } = readOptions('view', argv, OPTIONS, VIEW_INAPPLICABLE, context.terminal.log);
    if (values.terminology) {
      context.terminal.out(terminologyText());
      return EXIT.done;
    }
    const format = text(values, 'output-format');
    return format === undefined ? serveProfiles(values, context) : write(values, format, context);
  },
};

async function write(values: Parsed['values'], name: string, { terminal, dist }: Context): Promise<number> {
  if (name === 'db') throw new UsageError('view: db does not apply here: profiles are files, there is no database');
  if (!Object.hasOwn(FORMATS, name)) throw new UsageError(`view: no format ${name}; there are ${Object.keys(FORMATS).join(', ')}`);
  const file = text(values, 'session-file');
  if (file === undefined) throw new UsageError('view: name a profile with -s FILE');
  const span = spanOf(values);
  const format = FORMATS[name];
  const flows = values['show-perfetto-flows'] === true;
  const chunks = format.chunks(readProfile(file), { dist, title: `${path.basename(file)} - NKI Scope`, span, flows });
  const target = text(values, 'output-file') ?? format.file;
  if (target === undefined) for (const chunk of chunks) terminal.out(String(chunk));
  else {
    await writeFile(target, chunks);
    terminal.log(`${target} written`);
  }
  return EXIT.done;
}

function spanOf(values: Parsed['values']): { startNs: number; endNs: number } | undefined {
  const range = text(values, 'range');
  if (range === undefined) return undefined;
  const [startNs, endNs] = /^\d+(\.\d+)?:\d+(\.\d+)?$/.test(range) ? range.split(':').map(Number) : [1, 0];
  if (endNs < startNs) throw new UsageError(`--range ${range}: write it as --range 1000:25000, in nanoseconds`);
  return { startNs, endNs };
}

function portOf(values: Parsed['values']): number {
  const port = Number(text(values, 'port') ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`--port ${values.port}: a number from 0 to 65535`);
  return port;
}

async function serveProfiles(values: Parsed['values'], { terminal, dist, signal }: Context): Promise<number> {
  const port = portOf(values);
  const [file, folder] = [text(values, 'session-file'), text(values, 'session-dir')];
  if ((file === undefined) === (folder === undefined)) throw new UsageError('view: name a profile with -s FILE or a folder with -d FOLDER');
  const profiles = profilesIn(file === undefined ? { folder: folder! } : { file });
  const server = await serve({ profiles, dist, port });
  if (port !== 0 && server.port !== port) terminal.log(`port ${port} is taken, using ${server.port}`);
  terminal.out(
    `NKI Scope serves ${profiles.length === 1 ? profiles[0].name : `${profiles.length} profiles`} at ${server.url} (Ctrl-C ends)\n`,
  );
  if (!signal.aborted) await once(signal, 'abort');
  await server.close();
  return EXIT.done;
}
