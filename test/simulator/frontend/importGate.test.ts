/** The first wall: which of the modules that are instantiated while the interpreter starts is guarded, and what it can call then. */
import assert from 'node:assert/strict';
import { ImportGate, ImportRefused } from '../../../src/simulator/frontend/sandbox/imports';

/** An empty module, and one that imports `env.connect` and exports a call of it. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
const IMPORTING = Uint8Array.from([
  ...EMPTY,
  ...[1, 4, 1, 0x60, 0, 0],
  ...[2, 15, 1, 3, ...Buffer.from('env'), 7, ...Buffer.from('connect'), 0, 0],
  ...[3, 2, 1, 0],
  ...[7, 8, 1, 4, ...Buffer.from('call'), 0, 1],
  ...[10, 6, 1, 4, 0, 0x10, 0, 0x0b],
]);

interface Calling {
  call(): void;
}

async function interpreter(connect: () => void): Promise<Calling> {
  const imports = { env: { connect }, 'GOT.mem': {} };
  const { instance } = await WebAssembly.instantiate(IMPORTING, imports);
  return instance.exports as unknown as Calling;
}

describe('the gate of the imports', () => {
  it('guards the interpreter, also where a module without imports is instantiated before it', async () => {
    const { instantiate } = WebAssembly;
    const gate = new ImportGate();
    let connected = 0;
    const { call } = await gate.around(async () => {
      // as Pyodide does when it has been compiled late
      await WebAssembly.compile(EMPTY).then(module => WebAssembly.instantiate(module));
      return interpreter(() => connected++);
    });
    assert.equal(WebAssembly.instantiate, instantiate);
    call();
    assert.equal(connected, 1, 'open until it is closed');
    gate.close();
    assert.throws(call, ImportRefused);
    assert.equal(connected, 1);
  });

  it('refuses a start that does not go through it', async () => {
    const { instantiate } = WebAssembly;
    await assert.rejects(
      new ImportGate().around(() => WebAssembly.instantiate(EMPTY)),
      /without its imports being guarded/,
    );
    assert.equal(WebAssembly.instantiate, instantiate);
  });
});
