/** Replays of small recordings made here: a load, an activation, a store, with known times. */
import assert from 'node:assert/strict';
import { FormatError } from '../../../src/simulator/columns/container';
import type { Question } from '../../../src/simulator/experiments/whatIf';
import { buildFromCapture } from '../../../src/simulator/formats/capture/build';
import { captureOfJson, readCaptureJson } from '../../../src/simulator/formats/capture/legacyJson';
import { captureOfParquet } from '../../../src/simulator/formats/capture/parquetTables';
import { parquetFiles } from '../../../src/simulator/formats/parquet/parquet';
import { whileRecorded } from '../../../src/simulator/hardware/recorded';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { captureQuestions } from '../../../src/simulator/replay/questions';
import { replayCapture, replayCode } from '../../../src/simulator/replay/replay';
import { recordingReport } from '../../../src/simulator/replay/report';
import { dmaOperands, PACKET, recording, row, STORE_NS } from '../../support/smallRecording';

const { dma, rules, clockGhz, activationTableLoadNs, registers, scaleRead } = machineFor('trn2');

const text = (value: unknown) => JSON.stringify(value);
const bytes = (json: string) => [new TextEncoder().encode(json)];
const replayTrace = (json: string) => replayCapture(captureOfJson(bytes(json), 'recording'));

describe('replay', () => {
  const result = replayTrace(text(recording));

  it('measures the recorded body from the first trigger to the last payload', () => {
    assert.equal(result.recordedBodyNs, STORE_NS + 150 + 8 * 80 - 1000);
  });

  it('times each instruction and transfer with the tables', () => {
    const kind = (engine: string, opcode: string) => {
      const found = result.kinds.find(k => k.engine === engine && k.opcode === opcode);
      assert.ok(found, `${engine} ${opcode}`);
      return found;
    };
    assert.equal(kind('Scalar', 'ACT_TABLE_LOAD').modelledNs, activationTableLoadNs.value);
    const exp = rules.activation.fixedNs.value + 512 / clockGhz.Scalar.value;
    assert.ok(Math.abs(kind('Scalar', 'ACTIVATE').modelledNs - exp) < 1e-6);
    assert.deepEqual([kind('Scalar', 'ACTIVATE').count, kind('Scalar', 'ACTIVATE').recordedNs], [1, 707]);
    const store = 8 * (dma.packetNs.value + PACKET / dma.engineBytesPerNs.value) + 15 * dma.engineSkewNs.value;
    assert.ok(Math.abs(kind('qScalarDynamicHW', 'DMA').modelledNs - store) < 20);
  });

  it('takes longer over an activation whose scale is in SBUF', () => {
    const instruction = recording.instruction.map(one =>
      one.opcode === 'ACTIVATE' ? { ...one, operands: `${one.operands} scale_ptr=fp32@0x7f00` } : one,
    );
    const [number, inSbuf] = [result, replayTrace(text({ ...recording, instruction }))].map(
      ({ kinds }) => kinds.find(({ opcode }) => opcode === 'ACTIVATE')!.modelledNs,
    );
    assert.ok(inSbuf - number >= scaleRead!.durationNs.value);
  });

  it('follows the semaphores: load, activation, store, one after another', () => {
    const starts = Object.fromEntries(result.events.map(e => [`${e.engine} ${e.opcode}`, e.modelledStartNs]));
    const load = dma.triggers.hardware!.latencyNs.value + dma.completionNs.value;
    assert.ok(starts['Scalar ACTIVATE'] > load);
    assert.ok(starts['Scalar DMA_DIRECT2D'] >= starts['Scalar ACTIVATE'] + 707 - 1);
    assert.ok(Math.abs(result.errorPercent) < 5, `${result.errorPercent} %`);
  });

  it('counts the semaphores that a program raised before its first DMA', () => {
    const before = row('Scalar', 2, 700, 100, 'ACTIVATE', 'S[4] (Scalar)++@complete EXP src=fp32@0x4000[1,1,1][1,1,1]');
    const instruction = recording.instruction.map(one => ({
      ...one,
      operands: one.operands.replace('S[4] (Scalar)>=1', 'S[4] (Scalar)>=2'),
    }));
    const counted = replayTrace(text({ ...recording, instruction: [before, ...instruction] }));
    assert.deepEqual(counted.events, result.events);
  });

  it('counts of an instruction on registers its own time, not that of the one before it, which ends later', () => {
    const { timestamp, pc } = recording.instruction.find(({ opcode }) => opcode === 'ACTIVATE')!;
    const instruction = recording.instruction.map(one => (one.pc > pc ? { ...one, pc: one.pc + 1 } : one));
    const added = row('Scalar', pc + 1, timestamp + 500, 80, 'ALU_OP', '');
    const { kinds } = replayTrace(text({ ...recording, instruction: [...instruction, added] }));
    const { count, recordedNs, modelledNs } = kinds.find(({ opcode }) => opcode === 'ALU_OP')!;
    assert.deepEqual([count, recordedNs, modelledNs], [1, 80, registers.operationNs.value]);
  });

  it('leaves out what only separates runs', () => {
    assert.ok(!result.kinds.some(k => k.opcode === 'DRAIN' || k.opcode === 'EVENT_SEMAPHORE'));
  });

  it('is the same every time', () => assert.deepEqual(replayTrace(text(recording)), result));

  it('is of a machine that is recorded', () => {
    const { machine } = replayCode(captureOfJson(bytes(text(recording)), 'recording'));
    assert.deepEqual(machine, whileRecorded(machineFor('trn2')));
  });

  it('replays both cores of a recording on two, each from where it begins, beside each other', () => {
    const later = 3000;
    const second = <R extends { subgraph: string }>(rows: R[]) => [...rows, ...rows.map(one => ({ ...one, subgraph: 'sg01' }))];
    const shifted = <R extends { subgraph: string; timestamp: number }>(rows: R[]) =>
      second(rows).map(one => (one.subgraph === 'sg01' ? { ...one, timestamp: one.timestamp + later } : one));
    const both = replayTrace(
      text({
        ...recording,
        dma_queues_info: second(recording.dma_queues_info),
        instruction: shifted(recording.instruction),
        dma: shifted(recording.dma),
      }),
    );
    assert.equal(both.recordedBodyNs, result.recordedBodyNs + later);
    assert.equal(both.kinds.length, 2 * result.kinds.length);
    const of = (core: number) => both.events.filter(e => e.engine.endsWith(`(nc${core})`)).map(e => e.recordedStartNs);
    assert.deepEqual(
      of(1),
      of(0).map(start => start + later),
    );
    assert.ok(both.modelledBodyNs >= result.modelledBodyNs + later);
    assert.ok(both.modelledBodyNs < result.modelledBodyNs + later + 100, 'what they share does not limit loads as short as these');
  });

  it('leaves out a core that only starts up', () => {
    const idle = { ...recording.instruction[0], subgraph: 'sg01' };
    const beside = { ...recording, instruction: [idle, ...recording.instruction, ...Array.from({ length: 20 }, () => idle)] };
    assert.deepEqual(replayTrace(text(beside)), result);
  });

  it('refuses what is no recorded profile', () => {
    for (const bad of ['', '[]', '{}', text({ instruction: [{ subgraph: 'sg00', timestamp: 'soon' }] })])
      assert.throws(() => replayTrace(bad), FormatError);
    assert.throws(() => replayTrace(text({ ...recording, instruction: recording.instruction.slice(0, 1) })), /no kernel body/);
  });

  it('refuses an instruction that waits for what comes after it', () => {
    const later = (operands: string) => operands.replace('S[8] (qSyncDynamicHW)', 'S[9] (qScalarDynamicHW)');
    const waits = recording.instruction.map(row => ({ ...row, operands: later(row.operands) }));
    assert.throws(() => replayTrace(text({ ...recording, instruction: waits })), {
      name: 'FormatError',
      message: /semaphores do not lead/,
    });
  });

  it('replays the same capture from Parquet tables, whether its packets end in writes of semaphores or say their transfer', async () => {
    const p = readCaptureJson(bytes(text(recording)), { name: 'recording' });
    const fromTables = replayCapture(await captureOfParquet(new Map(parquetFiles(p)), 'recording'));
    assert.deepEqual(fromTables, result);
    const capture = captureOfJson(bytes(text(recording)), 'recording');
    const packets = capture.dmas.filter(row => row.bytes > 4).map(row => ({ ...row, group: row.queue }));
    const wholes = packets
      .filter((row, k) => packets.findIndex(({ queue }) => queue === row.queue) === k)
      .map(row => ({ ...row, whole: true }));
    assert.deepEqual(replayCapture({ ...capture, dmas: [...wholes, ...packets] }), result);
    assert.throws(() => replayCapture({ ...capture, dmas: packets }), /neither end in a write of a semaphore nor say/);
  });

  it('replays static DMAs, whose transfers name their triggers', () => {
    const capture = captureOfJson(bytes(text(recording)), 'recording');
    const rings: Readonly<Record<string, string>> = { qSyncDynamicHW: 'qSPIO0', qScalarDynamicHW: 'qActIO0' };
    const triggers = capture.instructions.filter(row => row.opcode === 'DMA_DIRECT2D');
    const groups = capture.dmas.filter(row => row.bytes > 4).map(row => ({ ...row, queue: rings[row.queue], group: row.queue }));
    const wholes = Object.keys(rings).map((group, k) => {
      const [first] = groups.filter(row => row.group === group);
      return { ...first, whole: true, trigger: triggers[k].id, from: k === 0 ? 'hbm' : 'sbuf', to: k === 0 ? 'sbuf' : 'hbm' };
    });
    const instructions = capture.instructions.map(row =>
      row.opcode === 'DMA_DIRECT2D'
        ? { ...row, opcode: 'PSEUDO_DMA_TRIGGER', operands: row.operands.replace(/semaphore=(\d+).*/, 'semaphore=$1') }
        : row,
    );
    const replayed = replayCapture({ ...capture, instructions, dmas: [...wholes, ...groups] });
    assert.equal(replayed.recordedBodyNs, result.recordedBodyNs);
    const starts = Object.fromEntries(replayed.events.map(e => [`${e.engine} ${e.opcode}`, e.modelledStartNs]));
    const load = dma.triggers.static!.latencyNs.value + dma.completionNs.value;
    assert.ok(starts['Scalar ACTIVATE'] > load, 'it waits for the load by its semaphore');
    assert.ok(starts['Scalar PSEUDO_DMA_TRIGGER'] >= starts['Scalar ACTIVATE'] + 707 - 1);
    const moved = replayed.kinds.filter(kind => kind.opcode === 'DMA').map(({ engine, count }) => `${count} ${engine}`);
    assert.deepEqual(moved.sort(), ['1 qActIO0', '1 qSPIO0']);
  });

  it('lets semaphores and triggers begin while their engine computes, as recordings show', () => {
    const waiting = row('Scalar', 6.5, 4010, 40, 'EVENT_SEMAPHORE', 'S[8] (qSyncDynamicHW)>=16');
    const trigger = { ...recording.instruction[4], operands: dmaOperands(9, '0x8005c03b0000') };
    const instruction = [...recording.instruction.slice(0, 4), waiting, trigger, ...recording.instruction.slice(5)];
    const { events } = replayTrace(text({ ...recording, instruction }));
    const starts = Object.fromEntries(events.map(e => [`${e.engine} ${e.opcode}`, e.modelledStartNs]));
    const computing = starts['Scalar ACTIVATE'];
    assert.equal(starts['Scalar EVENT_SEMAPHORE'], computing);
    const { semaphoreInstruction } = machineFor('trn2');
    assert.ok(Math.abs(starts['Scalar DMA_DIRECT2D'] - computing - semaphoreInstruction.issueNs.value) < 1e-6);
  });

  it('takes as long for a packet of several runs as for a packet of each', () => {
    const capture = captureOfJson(bytes(text(recording)), 'recording');
    const triggers = capture.instructions.filter(row => row.opcode === 'DMA_DIRECT2D');
    const packets = capture.dmas.filter(row => row.bytes > 4).map(row => ({ ...row, group: row.queue }));
    const staticNs = (runsOfAPacket: number) => {
      const wholes = triggers.map(({ id }, k) => {
        const [first] = packets.filter(({ queue }) => queue === (k === 0 ? 'qSyncDynamicHW' : 'qScalarDynamicHW'));
        const [from, to] = k === 0 ? ['hbm', 'sbuf'] : ['sbuf', 'hbm'];
        return { ...first, whole: true, trigger: id, from, to, elements: 128 * runsOfAPacket };
      });
      const instructions = capture.instructions.map(row =>
        row.opcode === 'DMA_DIRECT2D'
          ? { ...row, opcode: 'PSEUDO_DMA_TRIGGER', operands: row.operands.replace(/semaphore=(\d+).*/, 'semaphore=$1') }
          : row,
      );
      const { kinds } = replayCapture({ ...capture, instructions, dmas: [...wholes, ...packets] });
      return kinds.filter(({ opcode }) => opcode === 'DMA').map(({ modelledNs }) => modelledNs);
    };
    const [one, many] = [staticNs(1), staticNs(24)];
    const more = 8 * 23;
    assert.ok(Math.abs(many[0] - one[0] - more * dma.packetNs.value) < 1e-6, `store: ${many[0]}, ${one[0]}`);
    assert.ok(many[1] > one[1] + more * dma.packetNs.value, `load: ${many[1]}, ${one[1]}`);
  });

  it('takes the order of starts for that of the programs where a file has no counters', () => {
    const uncounted = recording.instruction.map(({ pc: _, ...row }) => row);
    assert.deepEqual(replayTrace(text({ ...recording, instruction: uncounted })).modelledBodyNs, result.modelledBodyNs);
  });

  it('says why it does not replay what is simulated, does not tell its triggers, or has an instruction that nobody knows', () => {
    assert.throws(() => replayTrace(text({ ...recording, metadata: [{ is_simulation: true }] })), /simulated/);
    const as = (from: string, opcode: string) =>
      text({ ...recording, instruction: recording.instruction.map(row => (row.opcode === from ? { ...row, opcode } : row)) });
    assert.throws(
      () => replayTrace(as('DMA_DIRECT2D', 'WRITE')),
      /no trigger of a DMA: which of its instructions trigger DMAs, the NEFF says/,
    );
    assert.throws(() => replayTrace(as('DMA_DIRECT2D', 'PSEUDO_DMA_TRIGGER')), /does not say which packets each trigger moved/);
    assert.throws(() => replayTrace(as('ACTIVATE', 'OPCODE_5c')), /OPCODE_5c/);
  });
});

describe('the bounds of a recording', () => {
  it('are none above the recorded body, and say why there is no advice', () => {
    const capture = captureOfJson(bytes(text(recording)), 'recording');
    const profile = buildFromCapture(capture);
    const { ladder, advice, noAdvice, headline } = recordingReport(capture, profile);
    const timeOf = (name: string) => ladder.find(rung => rung.name === name)!.timeNs;
    const { recordedBodyNs } = replayCapture(capture);
    assert.equal(timeOf('as it ran'), profile.totalTimeNs);
    assert.equal(timeOf('without start-up'), recordedBodyNs);
    for (const { name, timeNs } of ladder) assert.ok(timeNs > 0 && (name === 'as it ran' || timeNs <= recordedBodyNs), name);
    const hidden = captureQuestions(capture, undefined, [{ resource: 'dma-starts', speed: 2 }])[0];
    assert.equal(timeOf('DMA starts hidden'), recordedBodyNs * (hidden.timeNs / hidden.baseNs));
    assert.ok(timeOf('DMA starts hidden') < recordedBodyNs);
    assert.deepEqual(
      ladder.map(({ name }) => name).filter(name => ['no buffer waits', 'longest dependence chain'].includes(name)),
      [],
    );
    assert.deepEqual(advice, []);
    assert.match(noAdvice!, /needs a program/);
    assert.match(headline.sentence, /what this algorithm can reach on Trn2/);
  });
});

describe('what if of a recording', () => {
  const capture = captureOfJson(bytes(text(recording)), 'recording');
  const { modelledBodyNs, recordedBodyNs } = replayCapture(capture);
  const ask = (resource: string, speed = 2) => captureQuestions(capture, undefined, [{ resource, speed }])[0];

  it('starts from what the replay takes, and says what was recorded', () => {
    for (const answer of captureQuestions(capture)) {
      assert.equal(answer.baseNs, modelledBodyNs);
      assert.equal(answer.recordedNs, recordedBodyNs);
      assert.ok(answer.timeNs > 0);
    }
    assert.ok(ask('Scalar', 1).timeNs === modelledBodyNs && ask('DMA', 1).timeNs === modelledBodyNs);
  });

  it('takes an engine, a queue, DMA and semaphores out of the time', () => {
    const exp = rules.activation.fixedNs.value + 512 / clockGhz.Scalar.value;
    assert.ok(Math.abs(modelledBodyNs - ask('Scalar', Infinity).timeNs - exp) < exp, 'the activation is on the way from load to store');
    assert.ok(ask('Scalar', Infinity).timeNs < modelledBodyNs);
    for (const name of ['DMA', 'qSyncDynamicHW', 'qScalarDynamicHW', 'semaphores', 'dma-starts'])
      assert.ok(ask(name).timeNs < modelledBodyNs, name);
    assert.ok(ask('DMA').timeNs < ask('qSyncDynamicHW').timeNs);
    const usual = captureQuestions(capture).map(({ timeNs }) => timeNs);
    assert.deepEqual(
      usual,
      [...usual].sort((a, b) => a - b),
    );
  });

  it('says what a recording cannot answer', () => {
    const refuses = (question: Question, why: RegExp) => assert.throws(() => captureQuestions(capture, undefined, [question]), why);
    refuses({ line: { file: 'k.py', line: 3 }, speed: 2 }, /NoExperiment: .* capture the kernel here to ask for a line/);
    refuses({ resource: 'twice-buffers', speed: 1 }, /does not say which waits are for buffers/);
    refuses({ resource: 'descriptors', speed: 1 }, /nor how descriptors would be made/);
    refuses({ resource: 'Abacus', speed: 2 }, /there is no resource Abacus/);
    refuses({ resource: 'DMA', speed: 0 }, /it must be above 0/);
  });
});
