/** `replay`: a recorded profile's instructions timed again by the model, beside what was recorded. */
import { DEFAULT_TARGET, type Replay, TARGETS } from '../simulator/index';
import { alignedTable, signedPercent } from './alignedTable';
import type { CliCommand } from './context';
import { EXIT, UsageError } from './errors';
import { choice, readOptions } from './options';
import { fileSources, readIn } from './reading';

export const replay: CliCommand = {
  summary: 'time a recorded profile with the model, beside the recorded times',
  help: `nki-scope replay RECORDING [--target ${TARGETS.join('|')}] [--events] [--json]

RECORDING is a JSON of neuron-profile, a folder of Neuron Explorer's Parquet tables, or an NTFF (where its DMAs are dynamic).
Takes its instructions, DMAs and semaphores, gives every instruction the time our tables say, and runs them through our
scheduler. What differs is the timing model's error, apart from anything the compiler decides. The PE clock's windows start
where the recording shows them: JSON alone does.

  --target T   the machine that was recorded (default: by the profile's instance type, else ${DEFAULT_TARGET})
  --events     also every instruction: its start in the recording and in the model
  --json       {recorded_body_ns, modelled_body_ns, error_percent, kinds: [{engine, opcode, count, recorded_ns, modelled_ns}], warnings}

  nki-scope replay profile_full.json
  nki-scope replay profile@latest
`,
  async run(argv, context) {
    const { terminal } = context;
    const { values, positionals } = readOptions('replay', argv, {
      target: { type: 'string' },
      events: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    if (positionals.length !== 1) throw new UsageError('replay: name one recorded profile');
    const target = choice(values, 'target', TARGETS);
    const result = await readIn(context, 'replay', { ...fileSources(positionals[0]), target });
    terminal.out(values.json ? `${JSON.stringify(replayJson(result), null, 2)}\n` : table(result));
    if (values.events && !values.json) terminal.out(eventTable(result));
    return EXIT.done;
  },
};

function replayJson({ recordedBodyNs, modelledBodyNs, errorPercent, kinds, warnings }: Replay): Record<string, unknown> {
  return {
    recorded_body_ns: recordedBodyNs,
    modelled_body_ns: modelledBodyNs,
    error_percent: errorPercent,
    kinds: kinds.map(k => ({
      engine: k.engine,
      opcode: k.opcode,
      count: k.count,
      recorded_ns: k.recordedNs,
      modelled_ns: k.modelledNs,
    })),
    warnings,
  };
}

const ns = (value: number) => Math.round(value).toLocaleString('en');

function table({ recordedBodyNs, modelledBodyNs, errorPercent, kinds, warnings }: Replay): string {
  const rows = kinds.map(k => [
    k.engine,
    k.opcode,
    String(k.count),
    ns(k.recordedNs),
    ns(k.modelledNs),
    k.recordedNs > 0 ? signedPercent(100 * (k.modelledNs / k.recordedNs - 1)) : '',
  ]);
  const body = ['body', '', '', ns(recordedBodyNs), ns(modelledBodyNs), signedPercent(errorPercent)];
  const compared = alignedTable([['engine', 'opcode', 'count', 'recorded ns', 'modelled ns', 'difference'], ...rows, body], 2);
  return `${compared}${warnings.map(warning => `warning: ${warning}\n`).join('')}`;
}

function eventTable({ events }: Replay): string {
  const rows = [...events]
    .sort((a, b) => a.recordedStartNs - b.recordedStartNs)
    .map(e => [e.engine, e.opcode, ns(e.recordedStartNs), ns(e.modelledStartNs), ns(e.modelledStartNs - e.recordedStartNs)]);
  return alignedTable([['engine', 'opcode', 'recorded start ns', 'modelled start ns', 'later by ns'], ...rows], 2);
}
