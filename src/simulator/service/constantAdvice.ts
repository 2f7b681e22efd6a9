/**
 * Advice on tile sizes: the kernel runs again with other values of the whole numbers that its file names, and of whole numbers that its
 * parameters are by default. What makes it faster is advice, with what became of the outputs.
 */
import { type Advice, type AdviceReport, LEAST_GAIN_SHARE } from '../advice/advise';
import { timeText } from '../analyze/format';
import { decodeProfile } from '../profile/codec';
import type { CaptureRequest, CaptureResult, CaptureRun, KernelCall } from '../session/capture';
import { moduleConstants } from '../variants/constants';

/** Names whose values are tried, those of the file first. */
const MOST_NAMES = 8;
const WHOLE_NUMBER = /^[1-9]\d{0,5}$/;

/** A value in the text, or a parameter of the kernel. */
interface NamedNumber {
  name: string;
  value: number;
  /** 1-based line of it, and its place in the text; null: the default of a parameter. */
  place: { line: number; from: number; to: number } | null;
}

/** @param text of `request.file` @returns the report with these changes among the others, by their gains @throws SimulatorFault */
export async function withConstantsTried(
  capture: (request: CaptureRequest) => Promise<CaptureResult>,
  request: CaptureRequest,
  { call }: KernelCall,
  text: string,
  report: AdviceReport,
): Promise<AdviceReport> {
  const base = { ...request, overlay: { ...request.overlay, [request.file]: text } };
  const { runs, kernels } = await capture(base);
  const before = runs[call];
  if (!before) return report;
  const parameters = kernels.find(({ name }) => name === request.kernel)?.params ?? [];
  const defaults = parameters
    .filter(({ name }) => !Object.hasOwn(request.args ?? {}, name))
    .map(({ name, default: value }) => ({ name, text: value ?? '', place: null }));
  const constants = moduleConstants(text).map(({ name, line, from, to }) => ({
    name,
    text: text.slice(from, to),
    place: { line, from, to },
  }));
  const names = [...constants, ...defaults]
    .filter(named => WHOLE_NUMBER.test(named.text.trim()))
    .map(({ name, text: value, place }): NamedNumber => ({ name, value: Number(value), place }))
    .slice(0, MOST_NAMES);
  const found: Advice[] = [];
  for (const named of names) {
    const tried: Advice[] = [];
    for (const value of [named.value / 2, named.value * 2]) {
      if (!Number.isInteger(value)) continue;
      const { runs: again, error } = await capture(withValue(base, text, named, value));
      if (!error && again[call] && sameShapes(before, again[call])) tried.push(adviceOf(request.file, named, value, before, again[call]));
    }
    tried.sort((a, b) => b.gainNs - a.gainNs);
    if (tried.length > 0) found.push({ ...tried[0], ways: tried.map(wayOf) });
  }
  const isGain = ({ gainShare }: Advice) => gainShare >= LEAST_GAIN_SHARE;
  return {
    ...report,
    advice: [...report.advice, ...found.filter(isGain)].sort((a, b) => b.gainNs - a.gainNs),
    rejected: [...report.rejected, ...found.filter(one => !isGain(one))],
  };
}

function withValue(base: CaptureRequest, text: string, { name, place }: NamedNumber, value: number): CaptureRequest {
  if (!place) return { ...base, args: { ...base.args, [name]: value } };
  return { ...base, overlay: { ...base.overlay, [base.file]: text.slice(0, place.from) + value + text.slice(place.to) } };
}

function adviceOf(file: string, { name, value: own, place }: NamedNumber, value: number, before: CaptureRun, after: CaptureRun): Advice {
  const [beforeNs, afterNs] = [before, after].map(({ profile }) => decodeProfile(profile).totalTimeNs);
  const gainNs = Math.max(0, beforeNs - afterNs);
  const line = place?.line ?? 1;
  return {
    rule: `constant-${name.toLowerCase().replaceAll('_', '-')}`,
    title: `Set ${name} to ${value}`,
    file,
    line,
    reason: `With ${name} = ${own} the kernel takes ${timeText(beforeNs)}, with ${value} ${timeText(afterNs)}. ${outputsText(before, after)}`,
    sketch: place ? `${name} = ${value}` : `call the kernel with ${name}=${value}`,
    tried: 'the file recorded and compiled again with half and with twice the value',
    source: 'NKI performance guide, tile sizes',
    gainNs,
    gainShare: gainNs / beforeNs,
    lines: [{ file, line, gainNs }],
    edits: place ? [{ file, ...place, text: String(value) }] : [],
    ways: [],
  };
}

const wayOf = ({ title, gainNs, gainShare, lines }: Advice) => ({ name: title, gainNs, gainShare, lines });

/** With others it solves another problem. */
const sameShapes = ({ outputs: before }: CaptureRun, { outputs: after }: CaptureRun) =>
  before.length === after.length && before.every(({ shape }, k) => shape.join() === after[k].shape.join());

function outputsText({ outputs: before }: CaptureRun, { outputs: after }: CaptureRun): string {
  if (before.some(({ checksum }) => checksum === null)) return 'Values were not computed.';
  return before.every(({ checksum }, k) => checksum === after[k].checksum)
    ? 'Its outputs are the same bit by bit.'
    : 'Its outputs are not the same bit by bit: compare them before you keep it.';
}
