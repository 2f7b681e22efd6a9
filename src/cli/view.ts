/** `view`: writes a profile in another format, or serves the viewer. */

import { once } from 'node:events';
import fs from 'node:fs';
import { jsonChunks, type Profile, summaryJson, summaryText, terminologyText } from '../simulator/index';
import type { Command, Context } from './context';
import { EXIT, UsageError } from './errors';
import { VIEW_INAPPLICABLE } from './inapplicable';
import { type Parsed, readOptions, text } from './options';
import { readProfile } from './profileFile';
import { profilesIn, serve } from './serve';

type Writer = (profile: Profile) => Iterable<string>;

const FORMATS: Readonly<Record<string, Writer>> = {
  'summary-text': p => [summaryText(p)],
  'summary-json': p => [summaryJson(p)],
  json: jsonChunks,
};
const LATER = ['parquet', 'perfetto', 'csv', 'html'];
const DEFAULT_PORT = 3001;

export const view: Command = {
  summary: 'show a profile in the browser, or write it in another format',
  help: `nki-scope view -s FILE.nkiprof [--output-format FORMAT] [--output-file F]
nki-scope view -d FOLDER [--port ${DEFAULT_PORT}]

Without a format: serves the viewer on 127.0.0.1 until Ctrl-C.

  -s, --session-file FILE   one profile
  -d, --session-dir FOLDER  every .nkiprof in the folder
  --output-format FORMAT    ${Object.keys(FORMATS).join(', ')}
  --output-file FILE        write there instead of to standard output
  --port N                  (${DEFAULT_PORT}; the next free one when it is taken)
  --terminology             what each summary metric means

  nki-scope view -s softmax.nkiprof
  nki-scope view -s softmax.nkiprof --output-format summary-json
`,
  async run(argv, context) {
    const { terminal } = context;
    const { values } = readOptions(
      'view',
      argv,
      {
        'session-file': { type: 'string', short: 's' },
        'session-dir': { type: 'string', short: 'd' },
        'output-format': { type: 'string' },
        'output-file': { type: 'string' },
        port: { type: 'string' },
        terminology: { type: 'boolean' },
        'show-perfetto-flows': { type: 'boolean' },
      },
      VIEW_INAPPLICABLE,
      terminal.log,
    );
    if (values.terminology) {
      terminal.out(terminologyText());
      return EXIT.done;
    }
    const format = text(values, 'output-format');
    return format === undefined ? serveProfiles(values, context) : write(values, format, context);
  },
};

async function write(values: Parsed['values'], format: string, { terminal }: Context): Promise<number> {
  if (LATER.includes(format))
    throw new UsageError(`view: ${format} comes in a later version; now there are ${Object.keys(FORMATS).join(', ')}`);
  if (format === 'db') throw new UsageError('view: db does not apply here: profiles are files, there is no database');
  if (!Object.hasOwn(FORMATS, format)) throw new UsageError(`view: no format ${format}; there are ${Object.keys(FORMATS).join(', ')}`);
  const file = text(values, 'session-file');
  if (file === undefined) throw new UsageError('view: name a profile with -s FILE.nkiprof');
  const chunks = FORMATS[format](readProfile(file));
  const target = text(values, 'output-file');
  if (target === undefined) for (const chunk of chunks) terminal.out(chunk);
  else {
    await writeChunks(target, chunks);
    terminal.log(`${target} written`);
  }
  return EXIT.done;
}

async function writeChunks(file: string, chunks: Iterable<string>) {
  const stream = fs.createWriteStream(file);
  try {
    await once(stream, 'open');
    for (const chunk of chunks) if (!stream.write(chunk)) await once(stream, 'drain');
    stream.end();
    await once(stream, 'close');
  } catch (error) {
    throw new UsageError(`cannot write ${file}: ${(error as Error).message}`);
  }
}

async function serveProfiles(values: Parsed['values'], { terminal, dist, signal }: Context): Promise<number> {
  const port = Number(text(values, 'port') ?? DEFAULT_PORT);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`--port ${values.port}: a number from 0 to 65535`);
  const [file, folder] = [text(values, 'session-file'), text(values, 'session-dir')];
  if ((file === undefined) === (folder === undefined))
    throw new UsageError('view: name a profile with -s FILE.nkiprof or a folder with -d FOLDER');
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
