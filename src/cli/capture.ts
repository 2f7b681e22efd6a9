/** `capture`: runs a kernel on the simulator, writes its profile, and says where the time went. */
import fs from 'node:fs/promises';
import path from 'node:path';
import {
  type CaptureListener,
  type CaptureResult,
  type CaptureRun,
  DEFAULT_TARGET,
  decodeProfile,
  fileStem,
  fileStems,
  NKIPROF_EXTENSION,
  PIPELINE_CHOICES,
  profileId,
  SimulatorClient,
  TARGETS,
  TOPOLOGY_NAMES,
} from '../simulator/index';
import { byCall, callText, captureJson, type WrittenRun } from './captureReport';
import { CAPTURE_OPTIONS, captureRequest, NKI_VERSION_HELP, onlyCase } from './captureRequest';
import { compileText } from './compileText';
import { sayIfOpen } from './confinement';
import type { CliCommand, CliContext } from './context';
import { EXIT, UsageError } from './errors';
import { CAPTURE_INAPPLICABLE } from './inapplicable';
import { jsonText } from './jsonText';
import { launchesJson, launchesText, type WrittenLaunches } from './launchesReport';
import { errorText, kernelsText } from './messages';
import { readOptions, text } from './options';
import { PHASES } from './phases';
import { precisionText } from './precisionText';
import { numbered, writeProfile } from './profileFile';
import { rememberProfiles } from './recentProfiles';
import { ROOT_HELP } from './rootOption';
import { statOf } from './stat';
import type { Terminal } from './terminal';

export const capture: CliCommand = {
  summary: 'run a kernel on the simulator and write its profile',
  help: `nki-scope capture FILE.py [options] [-- script arguments]

Runs the file as a script: every kernel call in it is a run. With --kernel, calls that kernel instead.

  --kernel NAME             the kernel to call
  --case NAME               its arguments from .vscode/nki-scope.json, searched upward from the file
  --arg a=bf16[128,512]     an argument: a tensor by dtype and shape, or a number, true, false, null, "text"
  --input a=x.npy           an argument from a file
  --fill zeros|random       what tensors of --arg hold (zeros)
  --grid N,N                launch grid
  -r, --ranks N             ranks that run it side by side, each with a profile; collectives move data between them
                            (one, or as many as its collectives name)
  --topology NAME           how ranks are connected: ${TOPOLOGY_NAMES.join(', ')}
                            (the first of the target)
  --jobs N                  threads that record long ranks, and compute their values, at the same time (as many as there are cores; 0: none)
  -m, --multi-input FILE    arguments of each rank from files: a line per rank, NAME x.npy NAME y.npy
  --target ${TARGETS.join('|')}   (NEURON_PLATFORM_TARGET_OVERRIDE, else ${DEFAULT_TARGET})
${NKI_VERSION_HELP}
  --numerics on|off|auto    compute values as well as times (auto: when it is cheap or the script looks at them)
  --pipeline ${PIPELINE_CHOICES.join('|')}
                            times of the kernel as written (standalone: compiled by nki.compiler, not in a graph; backend-off: so, and
                            without the backend's allocation and scheduling), or as the compiler rewrites it
  --dge auto|off            off: DMA descriptors are made before the kernel runs
  --precision-report        run in double precision, too, and print by line how far results are off (tensors of --arg are random then)
  --reference NAME|FILE.npy compare the outputs with what NAME, a function of FILE, makes of the same arguments, or with an array:
                            mean squared error, cosine, largest error. Of several outputs: an array for each
  --explain-compile         print which passes of the compiler ran, what each changed, and what was left out for lack of space
  --host-time               measure what Python takes between kernel calls, on this machine, and show it in the run of all calls
  --save-profiles DIR       a folder in which the kernel may have profiles saved, as nki.profile(working_directory=DIR) does
  --python PATH             run in this interpreter instead of the bundled one
${ROOT_HELP}
  -s, --session-file OUT    where to write the profile (KERNEL.nkiprof in the current folder)
  --json                    one JSON object on standard output

  nki-scope capture softmax.py
  nki-scope capture softmax.py --kernel softmax --arg x=fp32[512,1024] --target trn1 --json
  nki-scope capture bench.py -- --iterations 3
  nki-scope capture gather.py --kernel gather --arg x=bf16[128,512] --ranks 4
`,
  async run(argv, context) {
    const { terminal, dist, signal } = context;
    const parsed = readOptions('capture', argv, CAPTURE_OPTIONS, CAPTURE_INAPPLICABLE, terminal.log);
    const request = captureRequest(parsed);
    const json = parsed.values.json === true;
    const session = text(parsed.values, 'session-file');
    checkPlace(session);
    const client = new SimulatorClient({ dist, keepSpare: false, onSandbox: sayIfOpen(terminal.log) });
    try {
      const run = (what: typeof request) => client.capture(what, listener(terminal, json), signal);
      let result = await run(request);
      const known = callsNothing(result) ? onlyCase(request, result.kernels) : null;
      if (known) {
        terminal.log(`${known.kernel} runs with its case ${known.case}`);
        result = await run(known.request);
      }
      terminal.progress('');
      return await report(result, request.file, session, json, context);
    } finally {
      client.dispose();
    }
  },
};

/** What the script prints goes where it would go; with --json, standard output is ours alone. */
function listener(terminal: Terminal, json: boolean): CaptureListener {
  return {
    onProgress: ({ phase, instructions }) =>
      terminal.progress(`${PHASES[phase]}${instructions ? `: ${instructions.toLocaleString('en-US')} instructions` : ''} …`),
    onOutput: (output, stream) => (json || stream === 'stderr' ? terminal.err(output) : terminal.out(output)),
  };
}

async function report(
  result: CaptureResult,
  file: string,
  session: string | undefined,
  json: boolean,
  { terminal }: CliContext,
): Promise<number> {
  const runs = await writeRuns(result, session);
  const launches = result.launches ? await writeLaunches(result.launches, file, session) : null;
  rememberProfiles([...(launches ? [launches.file] : []), ...runs.map(({ file }) => file)]);
  const failed = result.error !== null || runs.length === 0 || runs.some(({ run }) => run.checks.some(c => c.severity === 'error'));
  if (json && runs.length > 0) terminal.out(jsonText(wholeJson(runs, result.timingsMs, launches)));
  if (!json)
    terminal.out(
      byCall(runs)
        .map(
          ranks =>
            `${callText(ranks)}${ranks.map(({ run }) => `${precisionText(run)}${(run.compile ?? []).map(compileText).join('')}`).join('')}`,
        )
        .join('\n') + (launches ? `\n${launchesText(launches)}` : ''),
    );
  if (result.error) terminal.log(errorText(result.error));
  else if (runs.length === 0) terminal.log(`${file}: NoKernel: no kernel was called`);
  if (callsNothing(result) && result.kernels.length > 0) terminal.log(`Call one of its kernels:\n${kernelsText(file, result.kernels)}`);
  return failed ? EXIT.failed : EXIT.done;
}

/** The last call's object, with the times of the whole run where there are several calls. */
function wholeJson(runs: WrittenRun[], timings: CaptureResult['timingsMs'], launches: WrittenLaunches | null): Record<string, unknown> {
  const last = captureJson(runs, timings);
  const files = new Map(runs.map(({ run, file }) => [profileId(run.profile), file]));
  return launches ? { ...last, ...launchesJson(launches, files) } : last;
}

/** Beside the profiles of the calls: named as -s says, else as the script is. */
async function writeLaunches(container: Uint8Array, script: string, session: string | undefined): Promise<WrittenLaunches> {
  const stem = session === undefined ? path.resolve(fileStem(path.parse(script).name)) : path.resolve(session).replace(/\.nkiprof$/, '');
  const file = `${stem}-launches${NKIPROF_EXTENSION}`;
  await writeProfile(file, container);
  return { profile: decodeProfile(container), file };
}

/** Errors that go away when the command line names kernel and inputs. */
const NEEDS_CALL = new Set(['NoKernel', 'NoInputs']);
const callsNothing = ({ runs, error }: CaptureResult) => runs.length === 0 && NEEDS_CALL.has(error?.kind ?? 'NoKernel');

async function writeRuns(result: CaptureResult, session: string | undefined): Promise<WrittenRun[]> {
  const files = profileNames(result.runs, session);
  const written: WrittenRun[] = [];
  for (const [i, run] of result.runs.entries()) {
    if (run.id.rank !== undefined) await fs.mkdir(path.dirname(files[i]), { recursive: true });
    await writeProfile(files[i], run.profile);
    written.push({ run, profile: decodeProfile(run.profile), file: files[i] });
  }
  return written;
}

/** Before the kernel runs: a place that cannot be written is not worth a run. @throws UsageError */
function checkPlace(session: string | undefined) {
  if (session === undefined) return;
  const [file, folder] = [path.resolve(session), path.dirname(path.resolve(session))];
  const isFolder = (place: string) => statOf(place, `-s ${session}`)?.isDirectory() === true;
  if (/[\\/]$/.test(session) || isFolder(file)) throw new UsageError(`-s ${session}: name a file, not a folder`);
  if (!isFolder(folder)) throw new UsageError(`-s ${session}: there is no folder ${folder}`);
}

/** Absolute. Named by -s, else by kernel; runs that would share a name are numbered. Ranks lie in a folder of their kernel unless -s names a place. */
export function profileNames(runs: readonly Pick<CaptureRun, 'kernel' | 'id'>[], session: string | undefined): string[] {
  const calls = runs.filter(({ id }) => !id.rank);
  const named =
    session === undefined
      ? fileStems(calls.map(({ kernel }) => kernel)).map(stem => path.resolve(`${stem}${NKIPROF_EXTENSION}`))
      : numbered(path.resolve(session), calls.length);
  let call = -1;
  return runs.map(({ id: { rank } }) => {
    if (!rank) call++;
    if (rank === undefined) return named[call];
    const { dir, name, ext } = path.parse(named[call]);
    return session === undefined
      ? path.join(dir, `${name}-ranks`, `profile_rank_${rank}${ext}`)
      : path.join(dir, `${name}_rank_${rank}${ext}`);
  });
}
