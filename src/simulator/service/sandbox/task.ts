/** A capture's task as a payload: JSON, then the bytes of its inputs one after another. */
import type { CaptureTask } from '../messages';
import type { ToSandbox } from './messages';

type Parts = Pick<Extract<ToSandbox, { type: 'capture' }>, 'json' | 'inputs'>;

export function encodeTask({ inputs, ...rest }: CaptureTask): [parts: Parts, payload: Uint8Array] {
  const json = new TextEncoder().encode(JSON.stringify(rest));
  const list = [...inputs];
  const payload = new Uint8Array(list.reduce((sum, [, bytes]) => sum + bytes.length, json.length));
  payload.set(json);
  let at = json.length;
  for (const [, bytes] of list) {
    payload.set(bytes, at);
    at += bytes.length;
  }
  return [{ json: json.length, inputs: list.map(([path, bytes]) => [path, bytes.length]) }, payload];
}

export function decodeTask({ json, inputs }: Parts, payload: Uint8Array): CaptureTask {
  const rest = JSON.parse(new TextDecoder().decode(payload.subarray(0, json))) as Omit<CaptureTask, 'inputs'>;
  let at = json;
  const read = ([path, size]: [string, number]): [string, Uint8Array] => {
    // a copy, because sending a view to a thread sends its whole buffer
    const bytes = payload.slice(at, at + size);
    at += size;
    return [path, bytes];
  };
  return { ...rest, inputs: new Map(inputs.map(read)) };
}
