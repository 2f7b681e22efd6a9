/** A script's run of several kernel calls, as the page and the analyses get it: two kernels in a loop, with a product between them. */
import { decodeProfile } from '../../src/simulator/profile/codec';
import type { Profile } from '../../src/simulator/profile/profile';
import { encodeProgram } from '../../src/simulator/program/codec';
import { copyProgram, floats, session } from './hostSession';

export const SCRIPT = '/w/model.py';
const TEXT = 'def block(x):\n    y = x @ w\n    y = double(y)\n    return copy(y)\n\nfor i in range(2):\n    x = block(x)\n';

const source = { path: SCRIPT, text: TEXT, sha256: 'ab' };

/** A call on a line of `block`, from line 7. */
export const siteAt = (line: number, layer: string) => ({
  frames: [
    { file: SCRIPT, line: 7, function: '<module>' },
    { file: SCRIPT, line, function: 'block' },
  ],
  layer,
  sources: [source],
});

/** @param nowMs the clock of a session that measures the script's time */
export function launchesSession(repeats = 2, nowMs?: () => number) {
  const s = session(nowMs && { request: { file: SCRIPT, root: '/w', hostTime: true }, nowMs });
  const { ok } = s.call({ call: 'array.put', dtype: 'float32', shape: [2, 3] }, floats(1, 2, 3, 4, 5, 6));
  for (let i = 0; i < repeats; i++) {
    const dtype = 'float32';
    const weights = s.call({ call: 'array.op', op: 'fill', operands: [], attributes: { value: 1 }, dtype, shape: [3, 3] }).ok?.array;
    const product = { call: 'array.op', op: 'matmul', operands: [ok?.array, weights], attributes: {}, dtype, shape: [2, 3] };
    s.call({ ...product, site: siteAt(2, `block.${i}/mlp`) });
    s.call({ call: 'run', inputs: [ok?.array], site: siteAt(3, `block.${i}/mlp`) }, encodeProgram(copyProgram()));
    s.call({ call: 'run', inputs: [ok?.array], site: siteAt(4, `block.${i}`) }, encodeProgram({ ...copyProgram(), kernel: 'copy' }));
  }
  s.host.results();
  return s;
}

/** Each question about the time finds it a millisecond later. */
export function measuredRunOfLaunches(): Profile {
  let ms = 0;
  return decodeProfile(launchesSession(2, () => ms++).host.launches()!);
}

export const runOfLaunches = (repeats?: number): Profile => decodeProfile(launchesSession(repeats).host.launches()!);
