/** Python that the NKI compiler refuses is reported on its line, in functions that record something, and only there. */
import assert from 'node:assert/strict';
import { ProgramBuilder } from '../../../support/programs';
import { verify } from '../../../support/stages';

const SOURCE = `import nki

def host(*, options={1: 2}):
    return options is True

class Helper:
    def fill(self, tile):
        nisa.memset(dst=tile, value={1: 2.0, True: 3.0, "a": 4.0}[1])

class Good(nl.NKIObject):
    def fill(self, tile):
        nisa.memset(dst=tile, value=0)

@nki.jit
def kernel(a, *, stride=[1, 1], flag=(1, 2), scale=None):
    if flag is True and scale is not None and None is scale and a is not flag:
        pass
    names = {"a": 1}
    named = nl.ndarray((4, 4), nl.float32, buffer="sbuf", name="a")
    nisa.dma_copy(dst=named, src=a, dge_mode=2, oob_mode=nisa.oob_mode.skip)
    Helper().fill(a)
    Good().fill(a)
    for i in nl.affine_range(4):
        affine_range = model.affine_range
    for i in nl.dynamic_range(4):
        pages = nl.tile_size.total_available_sbuf_size
`;

/** The kernel calls both helpers. */
function checks(dialect: 'nki' | 'neuronxcc', source = SOURCE, nkiVersion?: string) {
  const b = new ProgramBuilder({ dialect, nkiVersion }).source(source);
  const a = b.hbm('a', [4], 'float32', 'output');
  const x = b.hbm('x', [4], 'float32', 'input');
  const record = (line: number) => b.record('nki.isa.dma_copy', { dst: a, src: x }, {}, { line });
  b.call('fill', 21, () => record(8));
  b.call('fill', 22, () => record(12));
  return verify(b.finish()).map(({ line, message }) => `${line} ${message.replace('the NKI compiler ', '')}`);
}

describe('Python that the compiler refuses', () => {
  it('is named with its line', () => {
    assert.deepEqual(checks('nki'), [
      '15 does not take keyword-only parameters (*) of a kernel',
      '15 does not take a list as an argument of a kernel: make [1, 1] a tuple',
      '19 does not take names of memories: write nl.sbuf',
      '20 does not take numbers for dge_mode: write a member of nki.isa.dge_mode',
      '23 nl.affine_range is deprecated since NKI 0.7: write range, which is the same',
      '26 tile_size.total_available_sbuf_size is deprecated since NKI 0.4: write sbuf_fmax_bytes, which is the same',
    ]);
  });

  it('depends on the version of NKI that the kernel is for', () => {
    assert.deepEqual(checks('nki', SOURCE, '0.6'), [
      '6 takes classes that inherit from nl.NKIObject only: Helper does not',
      '8 takes dictionaries whose keys are strings only, not 1',
      '8 takes dictionaries whose keys are strings only, not True',
      '15 does not take keyword-only parameters (*) of a kernel',
      '15 does not take a list as an argument of a kernel: make [1, 1] a tuple',
      '16 does not take "is" of anything but None: use ==',
      '16 does not take "is not" of anything but None: use !=',
      '19 does not take names of memories: write nl.sbuf',
      '20 does not take numbers for dge_mode: write a member of nki.isa.dge_mode',
      '25 nl.dynamic_range is deprecated since NKI 0.6, and NKI 0.7 has it no longer: write the body as a function and use nl.fori_loop(lower, upper, body, step)',
      '26 tile_size.total_available_sbuf_size is deprecated since NKI 0.4: write sbuf_fmax_bytes, which is the same',
    ]);
    const before = checks('nki', SOURCE, '0.3').filter(text => text.includes('deprecated'));
    assert.deepEqual(before, []);
  });

  it('is nothing in the legacy dialect, nor in text that is no Python', () => {
    assert.deepEqual(checks('neuronxcc'), []);
    assert.deepEqual(checks('nki', 'def ((('), []);
  });
});
