/** `capture --explain-compile`: the report comes out of the process in which kernels run, and is printed pass by pass. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { compileJson, compileText } from '../../src/cli/compileText';
import { type CompileReport, decodeProfile, SimulatorClient } from '../../src/simulator/index';
import { testDist } from '../support/dist';

declare const NKI_SCOPE_ROOT: string;

const root = path.join(NKI_SCOPE_ROOT, 'examples');
const counts = (instructions: number, transfers: number) => ({ instructions, transfers });
const pass = (name: string, before = counts(0, 0), after = before, moved = 0) => ({ name, evidence: `why ${name}`, before, after, moved });

describe('--explain-compile', () => {
  it('is answered for each run that asks for it, and for no other', async () => {
    const client = new SimulatorClient({ dist: await testDist() });
    try {
      const request = { file: path.join(root, 'neuronxcc', 'rmsnorm.py'), root, target: 'trn2' };
      const [asked, plain] = [await client.capture({ ...request, explainCompile: true }), await client.capture(request)];
      const [{ compile, profile }] = asked.runs;
      assert.deepEqual(
        compile?.map(report => report.pipeline),
        ['rewriting'],
      );
      const [{ passes, dropped }] = compile![0].attempts;
      assert.equal(dropped, null);
      assert.equal(passes.at(-1)!.after.instructions, decodeProfile(profile).instructions.startNs.length);
      assert.equal(plain.runs[0].compile, undefined);
      // A report is no part of a profile.
      assert.deepEqual(profile, plain.runs[0].profile);
    } finally {
      client.dispose();
    }
  });

  it('prints what each pass changed, and why an attempt was dropped', () => {
    const report: CompileReport = {
      pipeline: 'rewriting',
      attempts: [
        {
          passes: [pass('lowering', counts(1, 0), counts(2000, 3))],
          without: [],
          dropped: { message: 'tile does not fit', missingBytes: 64 },
        },
        {
          passes: [
            pass('lowering', counts(1, 0), counts(2000, 3)),
            pass('DMA coalescing', counts(2000, 3), counts(1999, 2)),
            pass('copy propagation', counts(1999, 2)),
            pass('list scheduling', counts(1999, 2), counts(1999, 2), 12),
          ],
          without: ['common subexpressions'],
          dropped: null,
        },
      ],
    };
    const lines = compileText(report)
      .split('\n')
      .map(line => line.replace(/ {2,}/g, ' ').trim());
    assert.deepEqual(
      lines.filter(line => line !== '' && !line.startsWith('why ')),
      [
        'Compiled as the Neuron compiler rewrites legacy kernels:',
        'attempt 1: dropped, tile does not fit',
        'lowering 1 program instruction to 2,000 instructions, 3 transfers',
        'attempt 2, without common subexpressions: taken',
        'lowering 1 program instruction to 2,000 instructions, 3 transfers',
        'DMA coalescing 2,000 instructions, 3 transfers to 1,999 instructions, 2 transfers',
        'copy propagation 1,999 instructions, 2 transfers, as before',
        'list scheduling 1,999 instructions, 2 transfers, at 12 places in another order',
      ],
    );
    assert.ok(lines.includes('why DMA coalescing'));
    const { attempts } = compileJson(report) as { attempts: { dropped: unknown }[] };
    assert.deepEqual(attempts[0].dropped, { message: 'tile does not fit', missing_bytes: 64 });
  });
});
