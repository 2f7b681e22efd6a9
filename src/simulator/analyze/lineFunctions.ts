/** In which function each line with events is written. */
import type { Profile } from '../profile/profile';
import { framePosition, type Position } from './places';

export function fileFunctions(p: Profile): (position: Position) => string {
  const known = new Map<string, string>();
  for (let frame = 0; frame < p.frames.line.length; frame++) {
    const { file, line } = framePosition(p, frame);
    known.set(`${file}:${line}`, p.strings[p.frames.function[frame]]);
  }
  return ({ file, line }) => known.get(`${file}:${line}`) ?? '';
}
