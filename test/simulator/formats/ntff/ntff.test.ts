/** Recordings of Neuron's runtime, on files that the test writes from the layout. Public recordings: `public.test.ts`. */
import assert from 'node:assert/strict';
import { summary } from '../../../../src/simulator/analyze/summary';
import { FormatError } from '../../../../src/simulator/columns/container';
import { profileContainer } from '../../../../src/simulator/formats/anyFile';
import { dmasById } from '../../../../src/simulator/formats/capture/neff/dmaList';
import { captureOfNtff, readNtff } from '../../../../src/simulator/formats/capture/ntff/read';
import { machineFor } from '../../../../src/simulator/hardware/targets';
import { decodeProfile } from '../../../../src/simulator/profile/codec';
import { DIRECTIONS, operandListText, type Profile } from '../../../../src/simulator/profile/profile';
import { replayCapture } from '../../../../src/simulator/replay/replay';
import { APART, type NtffParts, neffFile, ntffFile, POOL_6, TOTAL_PS } from '../../../support/ntffFile';

const read = (parts: NtffParts = {}) => readNtff(ntffFile(parts), { name: 'x' });
const withNeff = (neff: Uint8Array, required = true) => readNtff(ntffFile(), { name: 'x', neff: { bytes: neff, required } });

interface Shown {
  opcode: string;
  track: string;
  startNs: number;
  endNs: number;
  operands: string;
}

function instructions(p: Profile): Shown[] {
  const { startNs, endNs, opcode, track, operands } = p.instructions;
  return Array.from(startNs, (start, i) => ({
    opcode: p.opcodes[opcode[i]],
    track: p.tracks[track[i]].name,
    startNs: start,
    endNs: endNs[i],
    operands: operandListText(p, operands[i]),
  }));
}

function transfers(p: Profile) {
  const { startNs, endNs, doneNs, bytes, packets, variable, direction, trigger, track } = p.transfers;
  return Array.from(startNs, (start, t) => ({
    startNs: start,
    endNs: endNs[t],
    doneNs: doneNs[t],
    bytes: bytes[t],
    packets: packets[t],
    variable: p.strings[variable[t]],
    direction: DIRECTIONS[direction[t]],
    trigger: trigger[t],
    queue: p.tracks[track[t]].name,
  }));
}

describe('NTFF', () => {
  it('gives instructions of the run, to the picosecond, from clocks beyond what float64 holds', () => {
    const p = read();
    assert.equal(p.simulated, false);
    assert.equal(p.target, 'trn2');
    assert.equal(p.totalTimeNs, TOTAL_PS / 1000);
    const shown = instructions(p);
    assert.deepEqual(
      shown.map(({ opcode, track, startNs, endNs }) => [opcode, track, startNs, endNs]),
      [
        ['NOTIFY', 'Sync', 0, 5],
        ['WRITE', 'Sync', 1000, 1060],
        ['WRITE', 'Sync', 1100, 1160],
        ['MATMUL', 'TensorMatrix', 4000, 4250.5],
        ['TENSOR_TENSOR', 'Vector', 5000, 6200.001],
        ['NOTIFY', 'Sync', 20000.001, 20005.001],
      ],
    );
    assert.equal(p.instructions.flops[3], 2 * 128 * 128 * 512);
  });

  it('gives semaphores that an instruction waits for and raises', () => {
    const p = read();
    assert.deepEqual(Array.from(p.waits.instruction), [4]);
    const [{ id, name }] = [p.semaphores[p.waits.semaphore[0]]];
    assert.deepEqual([id, name, p.waits.value[0]], [9, 'unknown', 16]);
    assert.deepEqual(p.semaphores[p.instructions.signal[4]], { id: 6, name: 'Vector' });
  });

  it('gives what an instruction works on in the words of neuron-profile', () => {
    const p = read();
    const [{ operands }] = instructions(p).filter(({ opcode }) => opcode === 'MATMUL');
    assert.equal(operands, 'transpose_mode=ENABLED src=fp32@0x30000[1,0,0][512,1,1] dst=0x2000000[1,0,0][512,1,1] 128*128');
    const { psum_write_bytes } = summary(p);
    assert.equal(psum_write_bytes, 2048);
  });

  it('joins the packets of several DMA engines to transfers, whose completions are no payload', () => {
    const [first, second, runtime] = transfers(read());
    assert.deepEqual(first, {
      ...{ startNs: 2000, endNs: 2400, doneNs: 2900, bytes: 16000, packets: 3 },
      ...{ variable: '', direction: 'unknown->unknown', trigger: -1, queue: 'qSPIO0' },
    });
    assert.deepEqual([second.startNs, second.endNs, second.bytes, second.packets], [3000, 3500, 1600, 2]);
    assert.deepEqual([runtime.queue, runtime.bytes], ['Q14', 0]);
    assert.equal(transfers(read()).length, 3);
  });

  it('takes eight bytes more for a completion where a queue has transposes, which write two words, and nowhere else', () => {
    const at = (startPs: number, queue: number, bytes: number) => ({
      ...{ engine: 0, queue, bytes },
      ...{ startPs, endPs: startPs + 9, donePs: startPs + 9 },
    });
    const p = readNtff(ntffFile({ packets: [at(1, 1, 4104), at(21, 1, 4104), at(41, 2, 4104), at(61, 2, 4100)] }), { name: 'x' });
    assert.deepEqual(
      transfers(p).map(({ bytes, packets }) => [bytes, packets]),
      [
        [4096, 1],
        [4096, 1],
        [8200, 2],
      ],
    );
  });

  it('takes each packet of a ring for the end of a transfer where other rings have as many transfers: payloads may have any size', () => {
    const at = (engine: number, startPs: number, bytes: number) => ({
      ...{ engine, queue: 1, bytes },
      ...{ startPs, endPs: startPs + 9, donePs: startPs + 9 },
    });
    const packets = [at(0, 1, 8), at(1, 2, 4), at(0, 101, 36), at(1, 102, 4), at(0, 201, 8), at(1, 202, 4)];
    assert.deepEqual(
      transfers(readNtff(ntffFile({ packets }), { name: 'x' })).map(({ bytes, packets }) => [bytes, packets]),
      [
        [4, 2],
        [32, 2],
        [4, 2],
      ],
    );
  });

  it('sums DMA up as neuron-profile does', () => {
    const { summary } = read().recorded!;
    assert.deepEqual(
      Object.fromEntries(
        Object.entries(summary).filter(([name]) => name.includes('dma') || name.endsWith('_time') || name === 'event_count'),
      ),
      {
        total_time: 20.000001e-6,
        event_count: 3,
        dma_queue_count: 2,
        dma_active_time: 0.91e-6,
        dma_active_time_percent: 0.91e-6 / 20.000001e-6,
        dma_packet_time: 1.4e-6,
        dma_transfer_time: 0.9e-6,
        dma_transfer_count: 2,
        dma_transfer_total_bytes: 17600,
        dma_transfer_average_bytes: 8800,
        static_dma_packet_count: 6,
        static_dma_size: 17620,
      },
    );
    assert.equal('static_dma_size' in read({ queueName: 'qSyncDynamicHW' }).recorded!.summary, false, 'dynamic ones were not compared');
  });

  it('is told by its first bytes', () => {
    for (const version of [4, 5, 6])
      assert.equal(decodeProfile(profileContainer(ntffFile({ version }), 'x')).totalTimeNs, TOTAL_PS / 1000, `version ${version}`);
  });

  describe('of version 4', () => {
    it('puts engines and DMA on one clock, by the semaphores that two of them record, and says so', () => {
      const p = read(APART);
      const vector = instructions(p).filter(({ track }) => track === 'Vector');
      assert.deepEqual(
        vector.map(({ startNs, endNs }) => [startNs, endNs]),
        [[5000, 6200.001]],
      );
      for (const [t, { startNs, endNs, bytes }] of transfers(read()).entries()) {
        const aligned = transfers(p)[t];
        assert.equal(aligned.bytes, bytes);
        assert.ok(Math.abs(aligned.startNs - startNs) < 2 && Math.abs(aligned.endNs - endNs) < 2, `${aligned.startNs}, not ${startNs}`);
      }
      assert.match(p.checks[0].message, /^NTFF version 4: each engine is recorded on a clock of its own/);
      assert.match(p.checks[0].message, /of Tensor nothing says/, 'it waits for nothing and raises nothing');
    });

    it('finds the program behind all regions of the runtime before it', () => {
      const times = (parts: NtffParts) => instructions(read({ ...APART, ...parts })).map(({ track, startNs }) => [track, startNs]);
      assert.deepEqual(times({ regionsBefore: 3 }), times({}), 'runtime 2.25 has one more');
      assert.ok(times({}).length > 1);
    });

    it('takes names, triggers and tensors from the NEFF', () => {
      const p = readNtff(ntffFile(APART), { name: 'x', neff: { bytes: neffFile(), required: true } });
      assert.match(instructions(p).find(({ track }) => track === 'Vector')!.operands, / I-8-0 float32/);
      const [load] = transfers(p);
      assert.deepEqual([load.variable, load.direction, instructions(p)[load.trigger].startNs], ['a', 'hbm->sbuf', 1000]);
    });

    it('leaves out what nothing aligns', () => {
      const p = read({ version: 4 });
      assert.deepEqual([...new Set(instructions(p).map(({ track }) => track))], ['Sync']);
      assert.equal(p.transfers.startNs.length, 0);
      assert.equal(p.totalTimeNs, TOTAL_PS / 1000);
      assert.match(p.checks[0].message, /of Tensor, Vector, DMA nothing says where they lie, and they are left out$/);
      const known = Object.keys(summary(p)).filter(name => /dma_|^vector_engine|^total_/.test(name));
      assert.deepEqual(known.sort(), ['dma_queue_count', 'total_time'], 'what is not known is absent, not 0');
      assert.deepEqual(read().checks, []);
    });

    it('leaves out DMA whose packets and events do not agree', () => {
      const changes = APART.changes!.map(one => (one.semaphore === 10 ? { ...one, timePs: one.timePs + 400_000 } : one));
      assert.equal(read({ ...APART, changes }).transfers.startNs.length, 0);
    });
  });

  describe('semaphores that change late', () => {
    const TENSOR_TENSOR_ENDS_PS = 6_200_001;
    const changedAfter = (latePs: number): NtffParts => ({
      changes: [{ by: 4, semaphore: 6, value: 1, timePs: TENSOR_TENSOR_ENDS_PS + latePs }],
    });

    it('are warned of, with how late they were and of which engines', () => {
      const [{ message }] = read(changedAfter(3_512_000)).checks;
      assert.match(
        message,
        /^Semaphores changed up to 3\.5 µs after the instruction that raised them \(more than 1 µs: 1 of 1 of Vector\)\./,
      );
      const replayed = replayCapture(captureOfNtff(ntffFile({ version: 6, ...changedAfter(3_512_000) }), { name: 'x' }));
      assert.deepEqual(replayed.warnings, [message]);
    });

    it('are none when they change soon', () => {
      for (const latePs of [12_000, 900_000]) assert.deepEqual(read(changedAfter(latePs)).checks, []);
    });

    it('are none when their values count something else', () => {
      assert.deepEqual(read(changedAfter(-2_000_000)).checks, []);
      const [first] = changedAfter(3_000_000).changes!;
      assert.deepEqual(read({ changes: [{ ...first, value: 2 }] }).checks, [], 'one instruction raises it, not two');
      assert.deepEqual(read({ changes: [first, { ...first, timePs: first.timePs + 1 }] }).checks, [], 'it got the value twice');
    });
  });

  describe('of version 6', () => {
    const withPool = (files: Parameters<typeof neffFile>[0] = {}) =>
      readNtff(ntffFile({ version: 6 }), { name: 'x', neff: { bytes: neffFile({ ...POOL_6, ...files }), required: true } });
    const started = (p: Profile) => transfers(p).map(({ queue, trigger }) => [queue, instructions(p)[trigger]?.startNs]);

    it('finds instructions and records behind the description, and the program around what the runtime added', () => {
      const p = read({ version: 6 });
      assert.deepEqual(
        instructions(p).map(({ opcode, track, startNs }) => [opcode, track, startNs]),
        [
          ['NOTIFY', 'Sync', 0],
          ['WRITE', 'Sync', 1000],
          ['WRITE', 'Sync', 1070],
          ['WRITE', 'Sync', 1100],
          ['WRITE', 'Sync', 1170],
          ['MATMUL', 'TensorMatrix', 4000],
          ['TENSOR_TENSOR', 'Vector', 5000],
          ['MOVE', 'GpSimd', 7900],
          ['DMA_DIRECT2D', 'GpSimd', 8000],
          ['DMA_DIRECT2D', 'GpSimd', 8600],
          ['NOTIFY', 'Sync', 20000.001],
        ],
      );
    });

    it('links dynamic DMAs with their triggers in the order of both, without a NEFF, and says nothing where they are not as many', () => {
      const static5 = ['qSPIO0', undefined];
      assert.deepEqual(started(read({ version: 6 })), [
        static5,
        static5,
        ['Q14', undefined],
        ['qPoolDynamic', 8000],
        ['qPoolDynamic', 8600],
      ]);
      const one = (engine: number, index: number, startPs: number) => ({ engine, index, startPs, endPs: startPs + 5 });
      const fewer = [one(4, 1, 0), one(2, 3, 8_000_000), one(4, 6, TOTAL_PS)];
      const unlinked = started(read({ version: 6, instructions: fewer })).filter(([queue]) => queue === 'qPoolDynamic');
      assert.deepEqual(unlinked, Array(2).fill(['qPoolDynamic', undefined]));
    });

    it('says what a dynamic DMA moves in the words of neuron-profile', () => {
      const [{ operands }] = instructions(read({ version: 6 })).filter(({ opcode }) => opcode === 'DMA_DIRECT2D');
      assert.equal(
        operands,
        'semaphore=20 sem_increment=16 src_elem_size=2 dst_elem_size=2 src_pattern=[2,1][128,1] dst_pattern=[262144,1][128,1]' +
          ' src_table_offset_imm=0x0 src_table_index=1 dst_addr_imm=0x802000036f00',
      );
    });

    it('takes names, triggers and tensors from the NEFF, whose triggers became two words, the first of which starts the DMA', () => {
      const p = withPool();
      assert.deepEqual(
        started(p).map(([, startNs]) => startNs),
        [1000, 1100, undefined, 8000, 8600],
      );
      assert.deepEqual(
        instructions(p).flatMap(({ opcode, track }) => (track === 'Sync' ? opcode : [])),
        ['NOTIFY', 'PSEUDO_DMA_TRIGGER', 'WRITE', 'PSEUDO_DMA_TRIGGER', 'WRITE', 'NOTIFY'],
      );
      const names = instructions(p).flatMap(({ track, operands }) => (track === 'GpSimd' ? operands.split(' ').at(-1)! : []));
      assert.deepEqual(names, ['I-50', 'I-51', 'I-52']);
      const [load, , , dynamic] = transfers(p);
      assert.deepEqual([load.variable, load.direction], ['a', 'hbm->sbuf']);
      assert.deepEqual([dynamic.variable, dynamic.direction], ['', 'unknown->unknown']);
      assert.equal('hbm_read_bytes' in p.recorded!.summary, false, 'of dynamic ones it is not known');
    });

    it('refuses a NEFF of another program', () => {
      const other = { 'sg00/Pool.bin': new Uint8Array(64 * 5).fill(0x41) };
      assert.throws(() => withPool(other), /the NEFF is of another program/);
      assert.throws(() => withPool({ 'sg00/Pool.bin': new Uint8Array(64) }), /the NEFF is of another program/);
    });

    it('is replayed with both kinds of DMA', () => {
      const neff = { bytes: neffFile(POOL_6), required: true };
      const { recordedBodyNs, kinds } = replayCapture(captureOfNtff(ntffFile({ version: 6 }), { name: 'x', neff }));
      assert.equal(recordedBodyNs, 9380 - 1000);
      const counts = kinds.map(({ engine, opcode, count }) => `${count} ${engine} ${opcode}`);
      for (const expected of ['2 GpSimd DMA_DIRECT2D', '2 Sync PSEUDO_DMA_TRIGGER', '2 qPoolDynamic DMA', '2 qSPIO0 DMA'])
        assert.ok(counts.includes(expected), `${expected} in ${counts}`);
    });

    it('is refused where it describes parts that are not there, that overlap, or too many', () => {
      const refused = (parts: NtffParts, message: RegExp) => assert.throws(() => read({ version: 6, ...parts }), message);
      for (const wordsAt of [2 ** 30, 2 ** 60])
        refused({ wordsAt }, /^FormatError: the NTFF is damaged: it is cut off: records are missing$/);
      refused({ descriptions: 2 }, /^FormatError: the NTFF is damaged: its sections overlap$/);
      refused({ descriptions: 1500 }, /^FormatError: the NTFF is damaged: it describes 4501 sections$/);
    });
  });

  it('says what is wrong with another version, a damaged file and one that is cut off', () => {
    const whole = ntffFile();
    const refused = (bytes: Uint8Array, message: RegExp) =>
      assert.throws(
        () => readNtff(bytes, { name: 'x' }),
        (error: Error) => error instanceof FormatError && message.test(error.message),
      );
    refused(ntffFile({ version: 7 }), /version 7, whose layout is not known; versions 4, 5 and 6 are read/);
    refused(whole.subarray(0, 100), /cut off in its head/);
    refused(whole.subarray(0, 400), /its description is longer than the file/);
    refused(whole.subarray(0, whole.length - 16), /records are missing/);
    refused(ntffFile({ instructions: [] }), /marks no begin and end of a run/);
    refused(ntffFile({ packets: [{ engine: 0, queue: 1, startPs: 9, endPs: 9, donePs: 9, bytes: 4 }], totalPs: 2e18 }), /total time/);
    const backwards = { engine: 4, index: 1, startPs: 50, endPs: 20 };
    refused(ntffFile({ instructions: [backwards] }), /an instruction ends before it begins/);
  });

  it('never ends otherwise than with a profile or a sentence, wherever it is cut', () => {
    for (const whole of [ntffFile(), ntffFile({ version: 6 })])
      for (let length = 0; length < whole.length; length++)
        assert.throws(() => readNtff(whole.subarray(0, length), { name: 'x' }), FormatError, `${length} bytes`);
  });
});

describe('NEFF beside an NTFF', () => {
  it('names instructions, semaphores and tensors', () => {
    const p = withNeff(neffFile());
    assert.match(instructions(p)[4].operands, / I-8-0 float32<128 x 1000> \$8\[m\]$/);
    assert.deepEqual(p.semaphores[p.waits.semaphore[0]], { id: 9, name: 'qSPIO0' });
    assert.deepEqual(p.inputs, [{ name: 'a', shape: [128, 1000], dtype: 'float32' }]);
    assert.deepEqual(p.outputs, [{ name: 'out', shape: [400], dtype: 'float32' }]);
    assert.equal(p.recorded!.summary.compiler_version, '2.21');
  });

  it('says what each transfer moves, where to, and what triggered it', () => {
    const p = withNeff(neffFile());
    const [load, store] = transfers(p);
    assert.deepEqual([load.variable, load.direction, instructions(p)[load.trigger].startNs], ['a', 'hbm->sbuf', 1000]);
    assert.deepEqual([store.variable, store.direction, instructions(p)[store.trigger].startNs], ['out', 'sbuf->hbm', 1100]);
    assert.deepEqual([p.recorded!.summary.hbm_read_bytes, p.recorded!.summary.hbm_write_bytes], [16000, 1600]);
    assert.equal(instructions(p)[load.trigger].opcode, 'PSEUDO_DMA_TRIGGER');
  });

  it('says how many runs of bytes each transfer moves: the sizes after the first, of the side that has more', () => {
    const runs = (from: number[], to: number[]) => {
      const desc = [{ from: 'a', to: 'SB', from_sizes: from, to_sizes: to }];
      const list = { dma: [{ id: 0, queue: 'qSPIO0', semaphore: 9, desc }] };
      return dmasById(list, () => 'hbm').get('qSPIO0 0')!.elements;
    };
    assert.deepEqual([runs([4000, 4], [4000, 4]), runs([96, 128], [32, 3, 128]), runs([4000], [4000])], [4, 384, 1]);
  });

  it('says which runs are written one after another, and a replay lets those wait that share a burst of HBM', () => {
    const described = (from_sizes: number[], to_sizes: number[], to_steps: number[]) => ({
      dma: [0, 1].map(id => ({ id, queue: 'qSPIO0', semaphore: 9 + id, desc: [{ from: 'a', to: 'out', from_sizes, to_sizes, to_steps }] })),
    });
    const writes = (...of: Parameters<typeof described>) => dmasById(described(...of), () => 'hbm').get('qSPIO0 0')!.writes;
    assert.deepEqual(writes([2, 400], [2, 400], [1, 18]), { bytes: 2, stepBytes: 18, count: 400 });
    assert.deepEqual(writes([2, 400], [800], [1]), { bytes: 2, stepBytes: 2, count: 400 });
    assert.deepEqual(writes([800], [800], [1]), { bytes: 800, stepBytes: 0, count: 1 });

    const modelledNs = (list: object) => {
      const bytes = neffFile({ 'sg00/SP.json': JSON.stringify(list) });
      return replayCapture(captureOfNtff(ntffFile(), { name: 'x', neff: { bytes, required: true } })).modelledBodyNs;
    };
    const { sameBurstNs } = machineFor('trn2').dma;
    const [apart, together] = [32, 2].map(step => modelledNs(described([2, 800], [2, 800], [1, step])));
    // of 800 runs of the first DMA its busiest engine has 400 or more
    assert.ok(together - apart > 400 * (15 / 16) * sameBurstNs.value, `${apart} ${together}`);
  });

  it('of another program is refused when it was asked for, else left out with a warning', () => {
    const other = neffFile({ 'sg00/DVE.bin': new Uint8Array(256) });
    assert.throws(() => withNeff(other), /^FormatError: the NEFF is of another program than the NTFF$/);
    const p = withNeff(other, false);
    assert.equal(instructions(p).length, 6);
    assert.match(p.checks[0].message, /^Read without the NEFF beside it: the NEFF is of another program/);
  });

  it('that is damaged says how', () => {
    const whole = neffFile();
    assert.throws(() => withNeff(whole.subarray(0, 500)), /the NEFF is damaged: it is cut off in its head/);
    assert.throws(() => withNeff(whole.subarray(0, 1500)), /the NEFF is damaged: its archive/);
    assert.throws(() => withNeff(neffFile({ 'sg00/SP.json': '{' })), /the NEFF is damaged: sg00\/SP.json does not parse/);
    assert.throws(() => withNeff(new Uint8Array(4000)), /it holds no gzipped archive/);
  });
});
