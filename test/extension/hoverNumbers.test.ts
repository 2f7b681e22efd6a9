/** Every number of a hover is a link, and what it leads to is what it counts: events of the line, a warning, an experiment. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { linesTable } from '../../src/cli/linesTable';
import { type HoverLinks, hoverText } from '../../src/extension/hints/hintText';
import { commandUri } from '../../src/extension/plainText';
import { timeText } from '../../src/simulator/analyze/format';
import { lengthNs, union } from '../../src/simulator/analyze/intervals';
import { type Line, lines } from '../../src/simulator/analyze/lines';
import { warnings } from '../../src/simulator/analyze/warnings';
import { decodeProfile } from '../../src/simulator/profile/codec';
import type { Profile } from '../../src/simulator/profile/profile';
import { SimulatorClient } from '../../src/simulator/service/client';
import { eventsOfPart } from '../../src/webview/actions/lineParts';
import { buildModel, eventSpan, type Model } from '../../src/webview/data/model';
import type { LinePart } from '../../src/webview/protocol/linePart';
import { testDist } from '../support/dist';
import { EXAMPLES } from '../support/examples';

const KERNELS = ['nki/softmax.py', 'nki/matmul_tiled.py', 'nki/transpose_2d.py'];

const LINKS: HoverLinks = { timeline: 'command:line', part: of => commandUri('part', of), compare: 'command:compare' };
const LINK = /\[([^\]]*)\]\(command:(\w+)(?:\?([^)]*))?\)/g;

const whatIf = { freeShare: -0.18, twiceShare: -0.04 };

function hoverOf(profile: Profile, line: Line): string {
  const ofLine = warnings(profile).filter(({ lines: places }) =>
    places.some(place => place.file === line.file && place.line === line.line),
  );
  const change = { a: line, b: line, deltaNs: -1500, verdict: 'better' as const };
  return hoverText(line, { kernel: 'k', target: 'trn2', stale: true, links: LINKS, change, warnings: ofLine, whatIf });
}

/** Texts of links with the part of the line that each leads to. */
function partsIn(markdown: string): { text: string; of: LinePart }[] {
  const found = [...markdown.matchAll(LINK)].filter(([, , command]) => command === 'part');
  return found.map(([, text, , argument]) => ({ text, of: (JSON.parse(decodeURIComponent(argument)) as [LinePart])[0] }));
}

/** Time in which one of these events runs, or waits. */
function timeOf(model: Model, ids: Uint32Array): string {
  const spans = [...ids].map(id => eventSpan(model, id));
  const covered = union({ startNs: Float64Array.from(spans, s => s.startNs), endNs: Float64Array.from(spans, s => s.endNs) });
  return timeText(lengthNs(covered));
}

describe('numbers of a hover', () => {
  const profiles: Profile[] = [];

  before(async () => {
    const client = new SimulatorClient({ dist: await testDist(), keepSpare: false });
    for (const name of KERNELS) {
      const file = path.join(EXAMPLES, name);
      const { runs, error } = await client.capture({ file, root: path.dirname(file) });
      assert.equal(error, null);
      profiles.push(decodeProfile(runs[0].profile));
    }
    client.dispose();
  });

  it('are all links', () => {
    for (const profile of profiles)
      for (const line of lines(profile)) {
        const rest = hoverOf(profile, line)
          .replace(LINK, '')
          .replace(/&#\d+;/g, ' ');
        assert.doesNotMatch(rest, /(?<!\w)\d/, `${line.file}:${line.line}`);
      }
  });

  it('lead to the events that they count and time', () => {
    const seen = new Set<string>();
    for (const profile of profiles) {
      const model = buildModel(profile);
      for (const line of lines(profile))
        for (const { text, of } of partsIn(hoverOf(profile, line))) {
          seen.add(of.part);
          if (of.part === 'whatIf') continue;
          if (of.part === 'warning') {
            assert.ok(warnings(profile).some(({ rule, title }) => rule === of.rule && title === of.title));
            continue;
          }
          const ids = eventsOfPart(model, line, of);
          const what = `${line.file}:${line.line} ${text} ${JSON.stringify(of)}`;
          if (of.part !== 'path' || line.timeNs > 0) assert.ok(ids.length > 0, what);
          if (/^\d+$/.test(text)) assert.equal(ids.length, Number(text), what);
          if (of.part === 'engine') assert.equal(timeOf(model, ids), text, what);
        }
    }
    assert.deepEqual([...seen].sort(), ['engine', 'instructions', 'path', 'transfers', 'waits', 'warning', 'whatIf']);
  });

  it('say first how long the line kept its busiest row, as the tab Lines and `lines` do', () => {
    for (const profile of profiles)
      for (const line of lines(profile)) {
        const first = partsIn(hoverOf(profile, line)).find(({ of }) => of.part === 'engine');
        const printed = linesTable([{ ...line, text: '' }]).match(/ % +\S+ \S+ +(\S+ \S+) /)![1];
        assert.equal(first?.text ?? timeText(0), printed, `${line.file}:${line.line}`);
      }
  });

  it('of what if lead to the experiment that they are of', () => {
    const [profile] = profiles;
    const parts = partsIn(hoverOf(profile, lines(profile)[0])).filter(({ of }) => of.part === 'whatIf');
    assert.deepEqual(parts, [
      { text: '−18 %', of: { part: 'whatIf', savedShare: 1 } },
      { text: '−4.0 %', of: { part: 'whatIf', savedShare: 0.5 } },
    ]);
  });
});
