/** The figures of a summary are the same in the terminal, as JSON and in the tab Summary, and those of the events: of two cores, and with collectives. */
import assert from 'node:assert/strict';
import { metricInfo } from '../../src/simulator/analyze/metricInfo';
import { readCaptureJson } from '../../src/simulator/formats/capture/legacyJson';
import { jsonChunks } from '../../src/simulator/formats/json';
import { summaryJson } from '../../src/simulator/formats/summaryJson';
import { summaryText } from '../../src/simulator/formats/summaryText';
import type { Profile } from '../../src/simulator/profile/profile';
import { simulateRanks } from '../../src/simulator/simulateRanks';
import { metricText } from '../../src/webview/drawer/metricText';
import { rankProgram } from '../support/ranks';
import { runOnTwoCores } from '../support/twoCores';
import { usingTimeline } from './harness';

type Values = Record<string, number | string>;

/** As `summary-json` has them: of the run, and of each core. */
function ofJson(p: Profile): Values[] {
  const [all] = Object.values(JSON.parse(summaryJson(p))) as [Values & { cores?: Values[] }];
  return [all, ...(all.cores ?? [])].map(
    values => Object.fromEntries(Object.entries(values).filter(([name, value]) => isMetric(name, value))) as Values,
  );
}

/** What stands beside the metrics: which core, lists, and that it is simulated. */
const isMetric = (name: string, value: unknown) => typeof value !== 'object' && typeof value !== 'boolean' && name !== 'core';

/** As `summary-text` has them, in the same order of columns. */
function ofText(p: Profile): Record<string, string>[] {
  const columns: Record<string, string>[] = [];
  for (const [, name, cells] of summaryText(p).matchAll(/^ {2}([a-z0-9_]+) {2,}(\S.*)$/gm))
    for (const [k, cell] of cells.split(/ {2,}/).entries()) {
      columns[k] ??= {};
      columns[k][name] = cell;
    }
  return columns;
}

/** Numbers of a text, without what groups their digits: both count, one groups. */
const plain = (text: string) => text.replaceAll('\u202f', '');

/** A capture that its profiler wrote for two cores: our own sections are gone, so it counts as measured. */
function measured(p: Profile): Profile {
  const sections = JSON.parse([...jsonChunks(p)].join(''));
  for (const name of Object.keys(sections)) if (name.startsWith('nki_scope')) delete sections[name];
  return readCaptureJson([new TextEncoder().encode(JSON.stringify(sections))], { name: 'measured' });
}

const ranks = () => {
  const whole = rankProgram(['work', ['all_reduce', 0, 1], 'work', ['all_reduce', 0, 1], ['all_reduce', 0, 1]]);
  return simulateRanks([0, 1].map(() => ({ whole, cores: [whole] })))[1];
};

const PROFILES: [string, () => Profile][] = [
  ['two cores', runOnTwoCores],
  ['a capture of two cores', () => measured(runOnTwoCores())],
  ['a rank', ranks],
];

for (const [name, make] of PROFILES)
  describe(`the figures of ${name} in Chromium`, () => {
    const profile = make();
    const t = usingTimeline(profile);

    it('are the same in every summary', async () => {
      const json = ofJson(profile);
      const text = ofText(profile);
      assert.equal(text.length, json.length);
      await t.open({ viewport: { width: 1600, height: 1000 } });
      await t.tab('summary');
      for (const [k, values] of json.entries()) {
        if (json.length > 1) await t.find('.detailsBody select[aria-label="Core"]').selectOption(k === 0 ? '' : String(k - 1));
        const fields = await t
          .find('.metrics .field')
          .evaluateAll(found =>
            found.map(field => [field.querySelector('dt')!.firstChild!.textContent!, field.querySelector('dd')!.textContent!]),
          );
        const shown = Object.fromEntries(fields);
        assert.deepEqual(Object.keys(shown).sort(), Object.keys(values).sort());
        assert.deepEqual(Object.keys(text[k]).sort(), Object.keys(values).sort());
        for (const [metric, value] of Object.entries(values)) {
          const { unit } = metricInfo(metric);
          assert.equal(shown[metric], metricText(value, unit), metric);
          if (unit === 'seconds' || unit === 'fraction') assert.equal(text[k][metric], shown[metric], metric);
          if (unit === 'count') assert.equal(text[k][metric], plain(shown[metric]), metric);
        }
      }
    });

    it('are those of the events', () => {
      const [values] = ofJson(profile);
      const { instructions, transfers, opcodes, tracks, rank } = profile;
      const ends = [...instructions.endNs, ...transfers.doneNs];
      assert.ok(Math.max(...ends) <= Number(values.total_time) * 1e9 + 1);
      const collectives = rank?.collectives.length ?? 0;
      if (profile.simulated) assert.equal(values.cc_op_count, collectives);
      assert.equal(values.dma_transfer_count, transfers.startNs.length - collectives);
      const activates = instructions.opcode.filter(code => opcodes[code] === 'ACTIVATE').length;
      assert.equal(values.activate_instruction_count, activates);
      const vector = instructions.track.filter((track, i) => {
        const { engine, kind } = tracks[track];
        return kind === 'engine' && engine === 'Vector' && opcodes[instructions.opcode[i]] !== 'EVENT_SEMAPHORE';
      }).length;
      assert.equal(values.vector_engine_instruction_count, vector);
    });
  });
