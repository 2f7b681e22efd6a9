/** A capture of neuron-profile in the page: nothing of it is ours, much of what we know of our own runs is missing. */
import assert from 'node:assert/strict';
import { readCaptureJson } from '../../src/simulator/formats/capture/legacyJson';
import { explorerJson, HLO_NAMES } from '../support/explorerCapture';
import { usingTimeline } from './harness';

const ENGINES = ['Tensor', 'Vector', 'Scalar', 'GpSimd', 'Sync'];
const OPCODES = ['MATMUL', 'TENSOR_REDUCE', 'ACTIVATE', 'COPY', 'EVENT_SEMAPHORE'];
const QUEUE = 'qSyncSpillReload0';

/** Two cores, no sources, DMAs that do not say where they go, metrics that our table does not have. */
function capture() {
  const instruction = Array.from({ length: 60 }, (_, i) => ({
    ...{
      id: i,
      subgroup: ENGINES[i % 5],
      label: i % 10 === 0 ? 'TensorMatrix' : ENGINES[i % 5],
      opcode: OPCODES[i % 5],
      operands: 'channels=64',
    },
    ...{ timestamp: 1000 + 150 * i, duration: 120, evt_wait_time: 20, subgraph: i % 4 === 3 ? 'sg01' : 'sg00' },
  }));
  const dma = Array.from({ length: 40 }, (_, i) => ({
    ...{ id: 1000 + i, packet_aggregation_id: i >> 3, aggregated: 'no', variable: 'unknown', dma_queue: '3', dma_engine: 64 + (i % 8) },
    ...{ timestamp: 2000 + 100 * i, duration: 90, transfer_size: 512, subgraph: 'sg00', source: [['unknown']], dest: ['unknown'] },
  }));
  const sections = {
    instruction,
    dma,
    dma_queues_info: [{ q_name: QUEUE, q_idx: 3, subgraph: 'sg00' }],
    summary: [
      { total_time: 11e-6, throttle_avg_util_limit_nc0_percent: 0.2, weight_queue_bytes: 4096, spill_reload_bytes: 20480, nd_idx: 0 },
    ],
    warnings: [{ category: 'Missing Data', message: 'a very long sentence of the profiler '.repeat(8) }],
    error: [{ timestamp: 4000, type: 'OOB', description: 'out of bounds' }],
    metadata: [{ num_physical_cores: 2 }],
  };
  return readCaptureJson([new TextEncoder().encode(JSON.stringify(sections))], { name: 'a_measured_kernel_with_a_long_name' });
}

describe('captures in Chromium', () => {
  const profile = capture();
  const t = usingTimeline(profile);

  it('fill every tab without an error, at any width', async () => {
    for (const width of [1300, 360]) {
      await t.open({ viewport: { width, height: 900 } });
      for (const id of await t.tabs()) {
        await t.tab(id);
        assert.notEqual((await t.text('.detailsBody')).trim(), '', `${id} is empty`);
      }
      if (width === 1300) await t.finish();
    }
  });

  it('say what they do not know instead of zeros', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    await t.tab('summary');
    assert.match(await t.text('.metrics'), /recorded.*throttle_avg_util_limit_nc0_percent20 %.*weight_queue_bytes4 KiB/s);
    assert.doesNotMatch(await t.text('.blocks'), /HBM traffic|0 B\/s/);
    await t.tab('memory');
    assert.match(await t.text('.detailsBody'), /does not say what lies in SBUF/);
    await t.tab('flame');
    assert.match(await t.text('.flame'), /no source recorded/);
    await t.tab('values');
    assert.match(await t.text('.detailsBody'), /no simulator|measured or imported|Select an instruction/);
    await t.tab('warnings');
    const text = await t.text('.warnings');
    assert.match(text, /error OOB out of bounds/);
    assert.match(text, /Tensors spilled/);
    assert.doesNotMatch(text, /no source recorded/);
  });

  it('show what is recorded of the compiled program, as it is', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    await t.tab('program');
    assert.equal(await t.find('.tab[aria-selected="true"]').textContent(), 'NEFF');
    const cells = await t.find('table[aria-label="DMA queues info"] tbody td').allTextContents();
    assert.deepEqual(cells, [QUEUE, '3', 'sg00']);
  });

  it('have whole names in front of their rows, with the core', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    const cut = await t
      .find('.labels .label .name')
      .evaluateAll(names => names.filter(n => n.scrollWidth > n.clientWidth).map(n => n.textContent));
    assert.deepEqual(cut, []);
    assert.ok((await t.rowNames()).includes('TensorMatrix (nc0)'));
  });

  it('have a row of errors: hover, press, and the way back from the list', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    await t.press('0');
    assert.equal((await t.rowNames())[0], 'Errors');
    const row = await t.rowBox('Errors');
    const area = await t.area();
    const x = area.x + (4000 / (await t.span()).widthNs) * area.width;
    await t.page.mouse.move(x, row.y + row.height / 2);
    await t.settle();
    assert.match(await t.text('.tooltip'), /error OOB: out of bounds/);
    await t.page.mouse.down();
    await t.page.mouse.up();
    assert.notEqual(await t.selected(), null);
    await t.tab('details');
    assert.match(await t.text('.detailsBody'), /error OOB: out of bounds/);
    await t.tab('warnings');
    await t.find('.warnings .link').filter({ hasText: '4' }).first().click();
    const { startNs, endNs } = await t.span();
    assert.ok(startNs < 4000 && endNs > 4000 && endNs - startNs < 1000, `${startNs} to ${endNs}`);
  });

  it('show single packets of a queue as rows', async () => {
    await t.open({ viewport: { width: 1300, height: 900 } });
    await t.press('0', 't');
    await t.find('select[aria-label="DMA rows"]').selectOption('packets');
    await t.page.keyboard.press('Escape');
    await t.settle();
    const names = await t.rowNames();
    const name = names.find(row => / packets$/.test(row))!;
    assert.equal(name, `${QUEUE} (nc0) packets`);
    const label = await t.rowBox(name);
    const area = await t.area();
    const from = profile.dmaSlices.startNs[10];
    await t.page.mouse.move(area.x + ((from + 45) / (await t.span()).widthNs) * area.width, label.y + label.height / 2);
    await t.settle();
    assert.match(await t.text('.tooltip'), /DMA unknown.*this packet, 512 B: 90 ns · 3\u202f000 ns → 3\u202f090 ns/);
    assert.match((await t.find(`.label[data-row="${name}"] .fold`).getAttribute('title')) ?? '', /40 events/);
  });
});

describe('a captured model in Chromium', () => {
  const t = usingTimeline(readCaptureJson([explorerJson()], { name: 'model' }));
  const open = () => t.open({ viewport: { width: 1500, height: 950 } });

  it('has a row for the barriers of an engine, and layers down to the operations of the graph', async () => {
    await open();
    const names = await t.rowNames();
    assert.ok(names.includes('GpSimd barriers (nc0)') && names.includes('GpSimd barriers (nc1)'), names.join());
    await t.tab('layers');
    assert.match(await t.text('.detailsBody'), new RegExp(`Decoder\\[1\\]|${HLO_NAMES[0]}`));
  });

  it('says what lay in SBUF at each partition that it knows, and nothing of PSUM', async () => {
    await open();
    await t.tab('memory');
    const rows = t.find('table[aria-label="Who holds SBUF"] tbody tr');
    await rows.first().waitFor();
    assert.match((await rows.allTextContents()).join(), /^weights/);
    assert.match(await t.text('.detailsBody'), /PSUM.*does not say what lies in it/s);
    assert.doesNotMatch(await t.text('.detailsBody'), /Idle/);
    if (process.env.SHOT) await t.page.screenshot({ path: process.env.SHOT.replace('.png', '-memory.png') });
    await t.find('select[aria-label="Partition"]').selectOption({ label: 'partition 64 (nc0)' });
    await t.settle();
    assert.equal(await rows.count(), 0);
    await t.find('select[aria-label="Partition"]').selectOption({ label: 'partition 0 (nc1)' });
    await rows.first().waitFor();
    assert.match((await rows.allTextContents()).join(), /^dot\.1/);
  });

  it('shows the calls of the model around an instruction of a kernel', async () => {
    await open();
    await t.press('.');
    await t.tab('details');
    const text = await t.text('.stack');
    assert.match(text, /kernel\.py:5.*layers\.py:44.*Mlp\.forward.*layers\.py:30.*Decoder\.forward.*model\.py:90.*main/s);
    if (process.env.SHOT) await t.page.screenshot({ path: process.env.SHOT });
  });
});
