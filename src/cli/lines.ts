/** `lines`: a profile's time per source line, as a table or as the contract's JSON. */
import { lineJson } from '../simulator/index';
import type { CliCommand } from './context';
import { EXIT, UsageError } from './errors';
import { jsonText } from './jsonText';
import { linesTable } from './linesTable';
import { readOptions, text } from './options';
import { readIn } from './reading';

export const lines: CliCommand = {
  summary: 'time, engines, stalls and bytes per source line',
  help: `nki-scope lines -s FILE.nkiprof [--json] [--callers]

Each moment of the kernel's body counts for the one line it waited for; lines that only overlap with something longer have
no time of their own, but busy time on their engine ("busy"). Hottest first.

  -s, --session-file FILE   the profile
  -n, --neff-path FILE      the NEFF that an .ntff is of (default: the one of the same name beside it)
  --core N                  of a run on two cores, only what this one did (0 or 1)
  --callers                 count for the call sites above a line, too (a caller includes what it calls)
  --json                    [{file, line, text, instructions, time_ns, share, engines, stalls, dma_bytes}]

  nki-scope lines -s softmax.nkiprof
`,
  async run(argv, context) {
    const { terminal } = context;
    const { values, positionals } = readOptions('lines', argv, {
      'session-file': { type: 'string', short: 's' },
      'neff-path': { type: 'string', short: 'n' },
      core: { type: 'string' },
      callers: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const file = text(values, 'session-file') ?? positionals[0];
    if (file === undefined) throw new UsageError('lines: name a profile with -s FILE');
    const table = await readIn(context, 'lines', {
      sources: [{ path: file, neff: text(values, 'neff-path') }],
      attribute: values.callers ? 'callers' : 'leaf',
      core: coreOption(text(values, 'core')),
    });
    terminal.out(values.json ? jsonText(table.map(lineJson)) : `${linesTable(table, true)}\n`);
    return EXIT.done;
  },
};

/** @throws UsageError */
function coreOption(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (!/^\d+$/.test(given)) throw new UsageError(`--core ${given}: name a core by its number`);
  return Number(given);
}
