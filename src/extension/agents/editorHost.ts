/** The editor as the host of tools for agents: runs with the settings of the file, shows what saved files did as any other run, and keeps all. */
import path from 'node:path';
import * as vscode from 'vscode';
import {
  type AskedCall,
  CASE_FILE,
  type CaptureRequest,
  casesOf,
  fullNames,
  type HostedResult,
  KeptRuns,
  NoWorkspace,
  placeOfCase,
  type ReadingClient,
  SpaceError,
  type SweepDescription,
  sweepFile,
  ToolError,
  type ToolHost,
  type ToolRun,
  type VariantRow,
  type WhichRun,
} from '../../simulator/index';
import type { Diagnostics } from '../diagnostics';
import { readCases } from '../inputs/caseStore';
import { type AskedFiles, warmMs } from '../run/asked';
import { requestFor } from '../run/requests';
import type { Runs } from '../run/runs';
import type { Simulator } from '../run/simulator';
import { toRuns } from '../run/toRuns';

export interface EditorHostNeeds {
  runs: Runs;
  asked: AskedFiles;
  simulator: Simulator;
  diagnostics: Diagnostics;
  reading: ReadingClient;
  /** Host path of the build. */
  dist: string;
}

export class EditorHost implements ToolHost {
  private readonly kept = new KeptRuns();

  constructor(private readonly parts: EditorHostNeeds) {}

  get reading(): ReadingClient {
    return this.parts.reading;
  }

  /** Absolute, or under the first workspace folder. */
  pathOf(file: string): string {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    return path.isAbsolute(file) || !root ? path.resolve(file) : vscode.Uri.joinPath(root, file).fsPath;
  }

  async capture(asked: AskedCall, signal: AbortSignal): Promise<HostedResult> {
    trusted();
    const uri = vscode.Uri.file(this.pathOf(asked.file));
    const more = await chosen(uri, asked);
    const request = requestOrError(uri, more);
    const result = await this.parts.simulator.capture(request, {}, signal);
    if (isOrdinary(asked)) {
      const runs = toRuns(request, result, { caseName: asked.case });
      for (const run of runs) this.parts.runs.put(run);
      if (runs.length > 0) this.parts.asked.put({ file: request.file, more, kernel: asked.kernel, tookMs: warmMs(result) });
      this.parts.diagnostics.show(request.file, result.error, []);
    }
    return { runs: result.runs.map(({ profile }) => this.kept.keep(profile, request.file)), result };
  }

  async sweep(asked: AskedCall, description: SweepDescription, signal: AbortSignal): Promise<VariantRow[]> {
    trusted();
    const uri = vscode.Uri.file(this.pathOf(asked.file));
    const base = requestOrError(uri, { kernel: asked.kernel, numerics: asked.kernel === undefined ? undefined : 'off' });
    try {
      return await sweepFile(description, base, { dist: this.parts.dist }, signal);
    } catch (error) {
      if (error instanceof SpaceError) throw new ToolError('WrongInput', error.message);
      throw error;
    }
  }

  /** By id, one of a tool's own; of a file, the last run in this window. */
  find({ run, file }: WhichRun): ToolRun | undefined {
    if (run !== undefined || file === undefined) return this.kept.find({ run });
    const shown = this.parts.runs.ofFile(file);
    return shown && { id: shown.key, name: shown.title, profile: shown.profile, bytes: shown.bytes };
  }
}

/** What the user could have run, too: its result belongs into the editor. */
const isOrdinary = ({ text, values, reference }: AskedCall) => text === undefined && !values && reference === undefined;

/** @throws ToolError */
function trusted(): void {
  if (!vscode.workspace.isTrusted) throw new ToolError('Untrusted', 'The workspace is not trusted: no kernel is run in it.');
}

function requestOrError(uri: vscode.Uri, more: Partial<CaptureRequest>): CaptureRequest {
  try {
    return requestFor(uri, more);
  } catch (error) {
    if (error instanceof NoWorkspace) throw new ToolError('NoWorkspace', error.message);
    throw error;
  }
}

/** @throws ToolError that names the cases there are */
async function chosen(uri: vscode.Uri, asked: AskedCall): Promise<Partial<CaptureRequest>> {
  const { kernel, case: name, args, grid, target, text, values, fill, reference } = asked;
  const more: Partial<CaptureRequest> = {
    ...(target && { target }),
    ...(text !== undefined && { overlay: { ...requestFor(uri, {}).overlay, [uri.fsPath]: text } }),
    ...(values && { numerics: 'on' }),
    ...(fill && { fill }),
    ...(reference && { referenceFunction: reference }),
  };
  if (kernel === undefined) return more;
  if (args) return { ...more, kernel, args: fullNames(args), grid };
  const cases = casesOf(await readCases(uri), kernel);
  const found = name === undefined ? cases[0] : cases.find(known => known.name === name);
  if (!found)
    throw new ToolError(
      'NoCase',
      `${kernel} has no case ${name ?? `in ${CASE_FILE}`}; there are: ${cases.map(known => known.name).join(', ') || 'none'}`,
      { next: 'Give args, for example {"a": "bf16[128,512]"}.' },
    );
  return { ...placeOfCase(found), ...more, kernel, args: fullNames(found.args), ...(grid && { grid }) };
}
