/**
 * Tools for language models in the editor: profile a kernel; read the lines of its last run, the advice, what if. Plain text out; what a model runs
 * the user could run with one key, in the same fence.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import {
  type AdviceReport,
  CASE_FILE,
  type CaptureRequest,
  casesOf,
  ReadingError,
  type Wish,
  type WishAnswer,
} from '../../simulator/index';
import type { Diagnostics } from '../diagnostics';
import { readCases } from '../inputs/caseStore';
import { type AskedFiles, warmMs } from '../run/asked';
import { errorText } from '../run/reportError';
import { requestFor } from '../run/requests';
import type { Runs } from '../run/runs';
import type { Simulator } from '../run/simulator';
import { fullNames } from '../run/task';
import { toRuns } from '../run/toRuns';
import type { Experiments } from '../timeline/experiments';
import { adviceText, answersText } from './adviceText';
import { DEFAULT_ROWS, profileText } from './profileText';

interface Needs {
  runs: Runs;
  asked: AskedFiles;
  simulator: Simulator;
  diagnostics: Diagnostics;
  experiments: Experiments;
}

interface ProfileInput {
  file: string;
  kernel?: string;
  case?: string;
  target?: string;
}

interface LinesInput {
  file: string;
  top?: number;
}

interface WhatIfInput {
  file: string;
  line?: number;
  resource?: string;
  /** How many times as fast; absent: free. */
  speed?: number;
}

/** By the names of package.json. */
export type Tools = Readonly<Record<string, vscode.LanguageModelTool<never>>>;

export const tools = (parts: Needs): Tools => ({
  nki_scope_profile: {
    prepareInvocation: ({ input }: { input: ProfileInput }) => ({
      invocationMessage: `Profiling ${path.basename(input.file)}`,
      confirmationMessages: {
        title: 'Profile an NKI kernel',
        message: `Run ${path.basename(input.file)} on the simulator? It can read its workspace folder and nothing else.`,
      },
    }),
    invoke: async ({ input }: { input: ProfileInput }, token) => textResult(await profile(parts, input, token)),
  },
  nki_scope_advise: { invoke: async ({ input }: { input: { file: string } }) => textResult(await advised(parts, input)) },
  nki_scope_whatif: { invoke: async ({ input }: { input: WhatIfInput }) => textResult(await whatIf(parts, input)) },
  nki_scope_lines: { invoke: async ({ input }: { input: LinesInput }) => textResult(lastRun(parts, input)) },
});

const textResult = (text: string) => new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);

async function profile(parts: Needs, input: ProfileInput, token: vscode.CancellationToken): Promise<string> {
  if (!vscode.workspace.isTrusted) return 'The workspace is not trusted: no kernel is run in it.';
  const uri = fileOf(input.file);
  const more = await chosen(uri, input);
  const request = requestFor(uri, more);
  const controller = new AbortController();
  token.onCancellationRequested(() => controller.abort());
  const result = await parts.simulator.capture(request, {}, controller.signal);
  const runs = toRuns(request, result, { caseName: input.case });
  for (const run of runs) parts.runs.put(run);
  if (runs.length > 0) parts.asked.put({ file: request.file, more, kernel: input.kernel, tookMs: warmMs(result) });
  const checks = result.runs.flatMap(run => run.checks).map(check => `${check.severity}: line ${check.line}: ${check.message}`);
  parts.diagnostics.show(request.file, result.error, []);
  const kernels = result.kernels.map(({ name, params }) => `${name}(${params.map(p => p.name).join(', ')})`);
  return [
    ...runs.map(run => profileText(run.profile)),
    ...checks,
    ...(result.error ? [errorText(result.error)] : []),
    ...(runs.length === 0 && kernels.length > 0 ? [`Nothing was called. Kernels in the file: ${kernels.join('; ')}`] : []),
  ].join('\n\n');
}

/** @throws Error that names the cases there are */
async function chosen(uri: vscode.Uri, { kernel, case: name, target }: ProfileInput): Promise<Partial<CaptureRequest>> {
  if (!kernel) return target ? { target } : {};
  const cases = casesOf(await readCases(uri), kernel);
  const found = name === undefined ? cases[0] : cases.find(c => c.name === name);
  if (!found)
    throw new Error(`${kernel} has no case ${name ?? `in ${CASE_FILE}`}; there are: ${cases.map(c => c.name).join(', ') || 'none'}`);
  return { kernel, args: fullNames(found.args), grid: found.grid, ...((target ?? found.target) ? { target: target ?? found.target } : {}) };
}

async function advised({ runs, experiments }: Needs, { file }: { file: string }): Promise<string> {
  const run = runs.ofFile(fileOf(file).fsPath);
  if (!run) return notProfiled(file);
  return orReason(async () => adviceText((await experiments.of(run, { job: 'advise' })) as AdviceReport));
}

async function whatIf({ runs, experiments }: Needs, { file, line, resource, speed }: WhatIfInput): Promise<string> {
  const uri = fileOf(file);
  const run = runs.ofFile(uri.fsPath);
  if (!run) return notProfiled(file);
  const savedShare = speed === undefined ? 1 : 1 - 1 / speed;
  const wishes: Wish[] = [
    ...(line === undefined ? [] : [{ line: { file: uri.fsPath, line }, savedShare }]),
    ...(resource === undefined ? [] : [{ resource, savedShare }]),
  ];
  const asked = { job: 'whatIf' as const, wishes: wishes.length > 0 ? wishes : null };
  return orReason(async () => answersText((await experiments.of(run, asked)) as WishAnswer[]));
}

const notProfiled = (file: string) => `${file} has not been profiled in this window: use nki_scope_profile first.`;

/** Why a profile cannot be timed again is an answer, too. */
async function orReason(answer: () => Promise<string>): Promise<string> {
  try {
    return await answer();
  } catch (error) {
    if (error instanceof ReadingError) return error.message;
    throw error;
  }
}

function lastRun(parts: Needs, { file, top }: LinesInput): string {
  const run = parts.runs.ofFile(fileOf(file).fsPath);
  return run ? profileText(run.profile, top ?? DEFAULT_ROWS) : notProfiled(file);
}

/** Absolute, or under the first workspace folder. */
function fileOf(file: string): vscode.Uri {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri;
  return path.isAbsolute(file) || !root ? vscode.Uri.file(file) : vscode.Uri.joinPath(root, file);
}
