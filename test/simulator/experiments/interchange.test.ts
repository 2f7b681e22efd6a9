/** Loops that may change places: on random nests, what the direction vectors allow gives every instruction the same values. */
import assert from 'node:assert/strict';
import { type KnownDependence, type MemoryAccess, mayInterchange } from '../../../src/simulator/experiments/interchange';
import { random } from '../../support/syntheticProfile';

interface Step {
  outer: number;
  inner: number;
  reads: number[];
  writes: number[];
}

/** Of each step, the steps whose values it reads: what the values are made of. */
function sources(steps: readonly Step[], order: readonly number[], places: number): { read: number[][]; last: number[] } {
  const writer = new Array<number>(places).fill(-1);
  const read: number[][] = [];
  for (const step of order) {
    read[step] = steps[step].reads.map(place => writer[place]);
    for (const place of steps[step].writes) writer[place] = step;
  }
  return { read, last: writer };
}

describe('loops that change places', () => {
  it('give every instruction what it read before, and leave what is read later: 4,000 random nests against executing both', () => {
    const next = random(7);
    const upTo = (most: number) => Math.floor(next() * most);
    const seen = { allowed: 0, forbidden: 0, forbiddenRightly: 0, privateOnly: 0 };
    for (let nest = 0; nest < 4000; nest++) {
      const [outers, inners, body, places] = [2 + upTo(3), 2 + upTo(3), 1 + upTo(3), 2 + upTo(6)];
      // Subscripts a i + b j + c of each access, as of tiles in a list.
      const subscript = () => ({ a: upTo(3) - 1, b: upTo(3) - 1, c: upTo(places) });
      const statements = Array.from({ length: body }, () => ({
        reads: Array.from({ length: upTo(3) }, subscript),
        writes: Array.from({ length: upTo(2) + (next() < 0.5 ? 1 : 0) }, subscript),
      }));
      const steps: Step[] = [];
      for (let i = 0; i < outers; i++)
        for (let j = 0; j < inners; j++)
          for (const { reads, writes } of statements) {
            const at = ({ a, b, c }: { a: number; b: number; c: number }) => (((a * i + b * j + c) % places) + places) % places;
            steps.push({ outer: i, inner: j, reads: reads.map(at), writes: writes.map(at) });
          }
      const before = [...steps.keys()];
      const after = [...before].sort((x, y) => steps[x].inner - steps[y].inner || steps[x].outer - steps[y].outer || x - y);
      const [was, is] = [sources(steps, before, places), sources(steps, after, places)];
      const isReadLater = Array.from({ length: places }, () => next() < 0.3);
      const iteration = (step: number) => (step < 0 ? -1 : steps[step].outer * inners + steps[step].inner);
      const readElsewhere = new Set<string>();
      for (const [step, writers] of was.read.entries())
        for (const [k, writer] of writers.entries())
          if (iteration(writer) !== iteration(step)) readElsewhere.add(`${writer} ${steps[step].reads[k]}`);
      const accesses = steps.flatMap(({ reads, writes }, instruction): MemoryAccess[] => [
        ...reads.map((place, k) => ({
          ...range(place),
          instruction,
          writes: false,
          crosses: iteration(was.read[instruction][k]) !== iteration(instruction),
        })),
        ...writes.map(place => ({
          ...range(place),
          instruction,
          writes: true,
          crosses: readElsewhere.has(`${instruction} ${place}`) || (isReadLater[place] && was.last[place] === instruction),
        })),
      ]);
      const vectors = { outer: steps.map(({ outer }) => outer), inner: steps.map(({ inner }) => inner) };
      const isSame =
        was.read.every((writers, step) => writers.every((writer, k) => writer === is.read[step][k])) &&
        isReadLater.every((isRead, place) => !isRead || was.last[place] === is.last[place]);
      const isAllowed = mayInterchange(vectors, accesses, []);
      assert.ok(isSame || !isAllowed, `nest ${nest}: the swap changes what an instruction reads`);
      if (isAllowed) seen.allowed++;
      else seen.forbidden++;
      if (!isAllowed && !isSame) seen.forbiddenRightly++;
      if (isAllowed && places < outers * inners && !accesses.some(({ crosses }) => crosses)) seen.privateOnly++;
    }
    assert.ok(seen.allowed > 400 && seen.forbiddenRightly > 400 && seen.privateOnly > 20, JSON.stringify(seen));
    // What is forbidden though it would do no harm: the test of directions does not look at what a value is used for.
    assert.ok(seen.forbiddenRightly > 0.5 * seen.forbidden, JSON.stringify(seen));
  });

  it('do not turn a dependence around that is known otherwise', () => {
    const vectors = { outer: [0, 0, 1, 1], inner: [0, 1, 0, 1] };
    const known = (from: number, to: number): KnownDependence[] => [{ from, to }];
    assert.ok(
      mayInterchange(vectors, [], known(0, 3)) && mayInterchange(vectors, [], known(0, 1)) && mayInterchange(vectors, [], known(0, 2)),
    );
    assert.ok(!mayInterchange(vectors, [], known(1, 2)));
  });
});

const range = (place: number) => ({ memory: 0, startBytes: 4 * place, endBytes: 4 * place + 4 });
