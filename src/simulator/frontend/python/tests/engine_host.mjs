// The host's array engine alone, on standard input and output: what the tests of the Python stand-ins talk to outside the bundled
// interpreter. Same framing and messages as frontend/protocol.ts, `array.*` only.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const frontend = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const { outputFiles } = await esbuild.build({
  stdin: {
    contents: `export { ArrayEngine } from '../execute/arrays'; export { encodeMessage, MessageReader } from './wire';`,
    resolveDir: frontend,
    loader: 'ts',
  },
  bundle: true,
  format: 'esm',
  write: false,
});
const { ArrayEngine, encodeMessage, MessageReader } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
);

const arrays = new ArrayEngine();
const answers = {
  'array.put': ({ dtype, shape }, payload) => [{ array: arrays.put(dtype, shape, payload) }],
  'array.op': ({ op, operands, attributes, dtype, shape }) => [{ array: arrays.op(op, operands, attributes, dtype, shape) }],
  'array.get': ({ array }) => [{}, arrays.bytes(array)],
  'array.free': ({ array }) => [{ freed: arrays.free(array) ?? null }],
  'test.stats': () => [arrays.stats()],
};

function answer({ header, payload }) {
  try {
    const [ok, bytes] = answers[header.call](header, payload);
    return encodeMessage({ ok }, bytes);
  } catch (error) {
    return encodeMessage({ error: { kind: error.name, message: error.message } });
  }
}

function writeAll(bytes) {
  for (let at = 0; at < bytes.length; ) at += fs.writeSync(1, bytes, at);
}

const reader = new MessageReader();
const piece = Buffer.alloc(1 << 16);
for (;;) {
  const count = fs.readSync(0, piece);
  if (count === 0) break;
  for (const message of reader.push(piece.subarray(0, count))) for (const part of answer(message)) writeAll(part);
}
