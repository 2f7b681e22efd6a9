/** Operands as columns and as text: what is printed and parsed has the same columns, and any text comes back as it was. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  ACCESS,
  CHANNELS,
  countsOf,
  NO_CHANNELS,
  NO_DTYPE,
  NO_TENSOR,
  type OperandTable,
  OperandTableBuilder,
  operandName,
  operandsOf,
  stepsOf,
  templateOf,
  UNKNOWN_SPACE,
} from '../../../src/simulator/compile/operands/table';
import { operandListText, operandTableOf } from '../../../src/simulator/compile/operands/text';
import { machineFor } from '../../../src/simulator/hardware/targets';
import { simulate } from '../../../src/simulator/simulate';
import { SPACES } from '../../../src/simulator/vocabulary/spaces';
import { randomProgram } from '../../support/randomPrograms';

const machine = machineFor('trn2');
const parsed = (texts: readonly string[]) => operandTableOf(texts, machine);
const printed = (t: OperandTable) => Array.from(t.operandLists.end, (_, list) => operandListText(t, list));

/** A list with its indices looked up: equal lists of two tables are equal. */
function said(t: OperandTable, list: number) {
  const operands = Array.from(operandsOf(t, list), operand => ({
    name: operandName(t, operand),
    dtype: t.operands.dtype[operand] === NO_DTYPE ? null : t.operandWords[t.operands.dtype[operand]],
    space: SPACES[t.operands.space[operand]] ?? null,
    addressBytes: t.operands.addressBytes[operand],
    steps: [...stepsOf(t, operand)],
    counts: [...countsOf(t, operand)],
  }));
  const words = Array.from(templateOf(t, t.operandLists.template[list]), word => (word < 0 ? word : t.operandWords[word]));
  return { words, channels: t.operandLists.channels[list], operands };
}

const dimension = fc.record({ step: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), count: fc.integer({ min: 0, max: 2 ** 32 - 1 }) });
const word = fc.constantFrom('op=ADD', 'EXP', 'transpose_mode=ENABLED', '128*96', 'bias_ptr=fp32@0x4810', 'S[5]', '', 'imm=0x8040,0');
const access = fc.record({
  name: fc.constantFrom('src', 'src0', 'src12', 'dst', 'addr', 'src_b'),
  dtype: fc.constantFrom('fp32', 'bfloat16', 'uint8', 'dtype5', null),
  space: fc.constantFrom('sbuf', 'psum', null),
  offset: fc.nat(0x1ffffff),
  dimensions: fc.array(dimension, { minLength: 1, maxLength: 5 }),
});
const lists = fc.array(
  fc.record({
    parts: fc.array(fc.oneof(word, access), { maxLength: 8 }),
    channels: fc.option(fc.nat(999_999_999)),
  }),
  { minLength: 1, maxLength: 12 },
);

/** Where `space` is in the memory map; beyond it where there is none. */
const base = (space: string | null) => (space === 'sbuf' ? 0 : space === 'psum' ? 0x2000000 : 0x8000_0000_0000);

function built(given: typeof lists extends fc.Arbitrary<infer T> ? T : never): OperandTable {
  const builder = new OperandTableBuilder();
  for (const { parts, channels } of given) {
    const operands: number[] = [];
    const template = parts.map(part => {
      if (typeof part === 'string') return builder.word(part);
      const { name, dtype, space, offset, dimensions } = part;
      const pattern = builder.pattern(
        dimensions.map(({ step }) => step),
        dimensions.map(({ count }) => count),
      );
      operands.push(
        builder.operand({
          name: builder.word(name),
          dtype: dtype === null ? NO_DTYPE : builder.word(dtype),
          space: space === null ? UNKNOWN_SPACE : SPACES.indexOf(space as 'sbuf'),
          addressBytes: base(space) + offset,
          pattern,
          tensor: NO_TENSOR,
        }),
      );
      return ACCESS;
    });
    builder.list([...template, ...(channels === null ? [] : [CHANNELS])], operands, channels ?? NO_CHANNELS);
  }
  return builder.finish();
}

describe('operands', () => {
  it('have the same columns when they are printed and parsed', () => {
    fc.assert(
      fc.property(lists, given => {
        const table = built(given);
        const texts = printed(table);
        const { table: back, lists: index } = parsed(texts);
        // a list of one empty word prints as a list of none does
        for (const [list, text] of texts.entries()) if (text !== '') assert.deepEqual(said(back, index[list]), said(table, list), text);
        assert.deepEqual(parsed(printed(back)).table, back);
      }),
      { seed: 31, numRuns: 500 },
    );
  });

  it('of compiled programs have the columns that their texts say, but for tensors and the memories of DMAs', () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const p = simulate(randomProgram(seed, 80));
      const texts = printed(p);
      const { table: back, lists: index } = parsed(texts);
      for (const [list, text] of texts.entries()) {
        const own = said(p, list);
        if (text.includes('sem_increment=')) for (const operand of own.operands) operand.space = null as never;
        assert.deepEqual(said(back, index[list]), own, text);
      }
      assert.ok(p.operands.tensor.every(tensor => tensor !== NO_TENSOR));
    }
  });

  it('come back as they were whatever the text is', () => {
    const near = fc
      .tuple(
        fc.constantFrom('src=fp32@0x10[1,-2][3,4]', 'channels=12', 'dst=0x2000000[1][8]', 'a  b ', ''),
        fc.nat(30),
        fc.string({ maxLength: 3 }),
      )
      .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at));
    const text = fc.array(fc.oneof(near, fc.string({ maxLength: 30 })), { maxLength: 4 }).map(words => words.join(' '));
    fc.assert(
      fc.property(fc.array(text), texts => {
        const { table, lists: index } = parsed(texts);
        assert.deepEqual(
          texts.map((_, k) => operandListText(table, index[k])),
          texts,
        );
        assert.equal(table.operandLists.end.length, new Set(texts).size);
      }),
      { seed: 32, numRuns: 2000 },
    );
  });

  it('stay words where a column could not hold them', () => {
    const odd = [
      'src=fp32@0x020[1][8]', 'src=fp32@0xFF[1][8]', 'src=fp32@0x20[1,2][8]', 'src=fp32@0x20[-0][8]', 'src=fp32@0x20[01][8]',
      'src=fp32@0x20[2147483648][8]', 'src=fp32@0x20[1][4294967296]', 'src=fp32@0x3fffffffffffff[1][8]', 'src=fp32@0x[1][8]',
      `src=fp32@0x20[${Array(17).fill(1)}][${Array(17).fill(1)}]`, 'channels=012', 'channels=9999999999',
    ]; // biome-ignore format: a table
    const { table } = parsed(odd);
    assert.equal(table.operands.name.length, 0);
    assert.ok(table.operandLists.channels.every(channels => channels === NO_CHANNELS));
    assert.deepEqual(printed(table), odd);
  });

  it('are held once each', () => {
    const { table } = parsed(['src=fp32@0x0[1][8] dst=fp32@0x40[1][8]', 'src=fp32@0x0[1][8] dst=fp32@0x80[1][8]', 'src=fp32@0x0[1][8]']);
    const { operandLists, operandTemplates, operands, accessPatterns } = table;
    assert.deepEqual(
      [operandLists.end, operandTemplates.end, operands.name, accessPatterns.end].map(column => column.length),
      [3, 2, 3, 1],
    );
  });
});
