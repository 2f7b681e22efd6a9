/** Small formats: the values of an instruction as they cross to the page, NumPy's arrays, the file of a workspace's cases. */
import { type Columns, decodeContainer, encodeContainer, FormatError } from '../../../src/simulator/columns/container';
import { decodeValues, encodeValues } from '../../../src/simulator/profile/instructionValues';
import { CASE_FILE, formatCaseFile, parseCaseFile } from '../../../src/simulator/service/cases';
import { NpyError, readNpy } from '../../../src/simulator/session/npy';
import { joined, mutateBytes, mutateColumn, mutateJson } from './mutations';
import { type FuzzTarget, pick, type Random, readOrRefuse } from './target';

const values = encodeValues({
  instruction: 3,
  operation: 'nki.isa.activation',
  operands: [
    { name: 'dst', written: true, partitions: 2, shape: [2, 4], dtype: 'float32', values: Float64Array.from({ length: 8 }, Math.sqrt) },
  ] as never,
});

export const valuesTarget: FuzzTarget = next => {
  const container = decodeContainer(values.slice(), 'values');
  if (next() < 0.5) mutateJson(container.meta as Record<string, unknown>, next);
  else mutateColumn(pick(next, Object.values(container.columns as Columns)), next);
  const mutant = next() < 0.3 ? mutateBytes(values, next) : encodeContainer(container);
  return readOrRefuse(() => decodeValues(mutant), [FormatError]);
};

function npy(header: string, data: Uint8Array, major: number): Uint8Array {
  const length = new Uint8Array(major >= 2 ? 4 : 2);
  length[0] = header.length & 255;
  length[1] = header.length >> 8;
  return joined([Uint8Array.of(0x93, ...Buffer.from('NUMPY'), major, 0), length, Buffer.from(header, 'latin1'), data]);
}

function npyHeader(next: Random): string {
  const descr = pick(next, ['<f4', '>f4', '|u1', '<V2', '<f99', '|O', '<constructor1']);
  const sizes = Array.from({ length: pick(next, [0, 1, 2, 3, 40]) }, () =>
    pick(next, ['0', '1', '2', '4', '99999999999', '1e9', '-1', '']),
  );
  return `{'descr': '${descr}', 'fortran_order': ${pick(next, ['True', 'False'])}, 'shape': (${sizes.join(', ')}${pick(next, ['', ','])}), }`;
}

export const npyTarget: FuzzTarget = next => {
  const file = npy(npyHeader(next), new Uint8Array(pick(next, [0, 4, 8, 16, 32, 33])), pick(next, [1, 2, 3, 255]));
  return readOrRefuse(() => readNpy(next() < 0.3 ? mutateBytes(file, next) : file), [NpyError]);
};

const cases = formatCaseFile({
  cases: { softmax: [{ name: 'small', args: { a: 'bf16[128,512]', n: 4 }, grid: [2], target: 'trn2' }], other: [{ name: 'b', args: {} }] },
});

class CaseFault extends Error {}

export const casesTarget: FuzzTarget = next => {
  const file = JSON.parse(cases);
  mutateJson(file, next);
  const bytes = new TextEncoder().encode(JSON.stringify(file));
  const text = new TextDecoder().decode(next() < 0.3 ? mutateBytes(bytes, next) : bytes);
  return readOrRefuse(() => parsedCases(text), [CaseFault]);
};

/** The reader promises an Error that names the file. */
function parsedCases(text: string) {
  try {
    return formatCaseFile(parseCaseFile(text));
  } catch (error) {
    const { message } = error as Error;
    throw message.startsWith(CASE_FILE) ? new CaseFault(message.split('\n', 1)[0].slice(0, 300)) : error;
  }
}
