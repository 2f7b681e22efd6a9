/** `advise --try`: an advice's edit shown, made in a copy of the text, and both run; with `--write` in the file, too. */
import fs from 'node:fs';
import path from 'node:path';
import {
  type Advice,
  type AdviceReport,
  decodeNkiprof,
  type EditedRun,
  EditFailed,
  editedTexts,
  modelledChangeText,
  type ProfileSource,
  percentText,
  runEdited,
  SimulatorClient,
  type TextEdit,
  timeText,
} from '../simulator/index';
import { captureRequest } from './captureRequest';
import { sayIfOpen } from './confinement';
import type { CliContext } from './context';
import { EXIT, InputError, UsageError } from './errors';
import { jsonText } from './jsonText';
import type { Parsed } from './options';

/** @throws UsageError, InputError */
export async function tryEdit(
  rule: string,
  report: AdviceReport,
  source: ProfileSource,
  parsed: Parsed,
  { dist, signal, terminal }: CliContext,
): Promise<number> {
  const all = [...report.advice, ...report.rejected];
  const advice = all.find(found => found.rule === rule);
  if (!advice || advice.edits.length === 0) throw new UsageError(noEdit(rule, all));
  const { files, rerun } = decodeNkiprof((source as { bytes: Uint8Array }).bytes);
  const texts = Object.fromEntries(files.map(file => [file.path, file.text]));
  const after = editedTexts(texts, advice.edits);
  const client = new SimulatorClient({ dist, keepSpare: false, onSandbox: sayIfOpen(terminal.log) });
  try {
    const capture = (request: Parameters<SimulatorClient['capture']>[0]) =>
      client.capture(request, { onOutput: output => terminal.err(output) }, signal);
    const ran = await runEdited(capture, { ...captureRequest(parsed), overlay: texts }, { call: rerun?.call ?? 0 }, advice.edits);
    if (parsed.values.write === true) for (const { file } of advice.edits) fs.writeFileSync(file, after[file]);
    terminal.out(parsed.values.json === true ? jsonText(ranJson(advice, ran)) : preview(advice.edits, texts, after) + ranText(advice, ran));
    return EXIT.done;
  } catch (error) {
    if (error instanceof EditFailed) throw new InputError(`${rule}: with the edit, the kernel does not run: ${error.message}`);
    throw error;
  } finally {
    client.dispose();
  }
}

function noEdit(rule: string, all: readonly Advice[]): string {
  const names = all.filter(({ edits }) => edits.length > 0).map(advice => advice.rule);
  return `advise: there is no edit for ${rule} here; there are edits for: ${names.join(', ') || 'nothing'}`;
}

/** Each call before and after, as its lines. */
function preview(edits: readonly TextEdit[], before: Record<string, string>, after: Record<string, string>): string {
  const lineOf = (text: string, line: number) => text.split('\n')[line - 1].trim();
  return [...edits]
    .sort((a, b) => a.line - b.line)
    .map(({ file, from, line }) => {
      // an argument may stand on a later line than its call; none of the edits adds lines
      const at = before[file].slice(0, from).split('\n').length;
      return `${path.basename(file)}:${line}\n- ${lineOf(before[file], at)}\n+ ${lineOf(after[file], at)}\n`;
    })
    .join('\n');
}

function ranText({ gainShare: told }: Advice, { beforeNs, afterNs, gainShare, differing }: EditedRun): string {
  const values = differing.length === 0 ? 'The values are the same.' : `Other values in ${differing.join(', ')}.`;
  const change = `${timeText(beforeNs)} → ${timeText(afterNs)} (${modelledChangeText(-gainShare)}; the advice says −${percentText(told)})`;
  return `\n${change}. ${values}\n`;
}

const ranJson = ({ rule, edits, gainShare: told }: Advice, { beforeNs, afterNs, gainShare, differing }: EditedRun) => ({
  rule,
  edit: edits,
  before_ns: beforeNs,
  after_ns: afterNs,
  gain_percent: 100 * gainShare,
  told_percent: 100 * told,
  differing,
});
