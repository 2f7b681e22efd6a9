import assert from 'node:assert/strict';
import path from 'node:path';
import { profileNames } from '../../src/cli/capture';
import { CAPTURE_OPTIONS, captureRequest, onlyCase } from '../../src/cli/captureRequest';
import { UsageError } from '../../src/cli/errors';
import { CAPTURE_INAPPLICABLE, VIEW_INAPPLICABLE } from '../../src/cli/inapplicable';
import { readOptions } from '../../src/cli/options';
import { splitAtScript } from '../../src/cli/run';
import { PIPELINE_CHOICES } from '../../src/simulator/index';
import { temporaryFolder } from '../support/temporary';

const CASES = {
  cases: {
    softmax: [{ name: 'small', args: { x: 'bf16[128,512]', n: 4 }, grid: [2], target: 'trn1' }],
    other: [{ name: 'both', args: {} }],
    third: [{ name: 'both', args: {} }],
  },
};

describe('capture arguments', () => {
  const folder = temporaryFolder();
  const notes: string[] = [];
  const request = (...argv: string[]) =>
    captureRequest(readOptions('capture', argv, CAPTURE_OPTIONS, CAPTURE_INAPPLICABLE, note => notes.push(note)));
  const refused = (argv: string[], message: RegExp) =>
    assert.throws(
      () => request(...argv),
      error => error instanceof UsageError && message.test(error.message),
    );
  let file = '';
  let input = '';

  before(() => {
    file = folder.write('project/kernels/softmax.py', 'pass\n');
    input = folder.write('x.npy', 'x');
    folder.write('project/.vscode/nki-scope.json', JSON.stringify(CASES));
    folder.write('project/pyproject.toml', '');
  });
  beforeEach(() => notes.splice(0));

  it('takes everything the contract names', () => {
    const r = request(
      file,
      '--kernel',
      'softmax',
      '--arg',
      'x=bf16[128,512]',
      '--arg',
      'n=4',
      '--input',
      `a=${input}`,
      '--grid',
      '2,1',
      '--target',
      'trn3',
      '--numerics',
      'off',
      '--pipeline',
      'literal',
      '--dge',
      'off',
      '--',
      '-s',
      '--rows=5',
    );
    assert.deepEqual(r.args, { x: 'bfloat16[128,512]', n: 4 });
    assert.deepEqual(r.inputs, { a: input });
    assert.deepEqual([r.file, r.kernel, r.target, r.numerics, r.pipeline, r.dge], [file, 'softmax', 'trn3', 'off', 'literal', 'off']);
    assert.deepEqual(
      [r.grid, r.argv],
      [
        [2, 1],
        ['-s', '--rows=5'],
      ],
    );
    assert.equal(r.root, folder.path('project'), 'the nearest project');
  });

  it('takes each pipeline, and names them where it takes none', () => {
    for (const pipeline of PIPELINE_CHOICES) assert.equal(request(file, '--pipeline', pipeline).pipeline, pipeline);
    refused([file, '--pipeline', 'fast'], /auto.*literal.*standalone.*backend-off.*rewriting/);
  });

  it('runs the file as a script when no kernel is named', () => {
    const r = request(file);
    assert.ok(!('kernel' in r) && !('args' in r));
  });

  it('takes a case from the nearest case file, and lets options override it', () => {
    const r = request(file, '--case', 'small');
    assert.deepEqual([r.kernel, r.args, r.grid, r.target], ['softmax', { x: 'bf16[128,512]', n: 4 }, [2], 'trn1']);
    const over = request(file, '--case', 'small', '--arg', 'n=8', '--input', `x=${input}`, '--target', 'trn2');
    assert.deepEqual([over.args, over.inputs, over.target], [{ n: 8 }, { x: input }, 'trn2']);
    refused([file, '--case', 'gone'], /which has softmax: small, other: both, third: both/);
    refused([file, '--case', 'both'], /a case of other and third: add --kernel/);
    refused([file, '--kernel', 'other', '--case', 'small'], /not in/);
    refused([input, '--case', 'small'], /no \.vscode\/nki-scope\.json in or above/);
  });

  it('takes a kernel’s only case without being asked to, and says when the case file is broken', () => {
    const only = request(file, '--kernel', 'softmax');
    assert.deepEqual([only.kernel, only.args, only.grid], ['softmax', { x: 'bf16[128,512]', n: 4 }, [2]]);
    assert.deepEqual(request(file, '--kernel', 'softmax', '--arg', 'x=fp32[4,4]').args, { x: 'float32[4,4]' }, 'arguments of one’s own');
    const script = request(file);
    const found = onlyCase(script, [{ name: 'softmax' }, { name: 'unknown' }])!;
    assert.deepEqual([found.kernel, found.case, found.request.args], ['softmax', 'small', { x: 'bf16[128,512]', n: 4 }]);
    assert.equal(onlyCase(script, [{ name: 'softmax' }, { name: 'other' }]), null, 'two cases are a choice');
    const broken = folder.write('broken/kernel.py', '');
    folder.write('broken/.vscode/nki-scope.json', '{"cases": [');
    refused([broken, '--kernel', 'softmax'], /nki-scope\.json: .*is not JSON/);
    assert.throws(() => onlyCase(request(broken), [{ name: 'softmax' }]), UsageError);
  });

  it('takes the ranks of a case, and their topology; options come first', () => {
    const kernel = folder.write('ranked/kernel.py', '');
    const ranked = { name: 'ring', args: { x: 'bf16[2,2]' }, ranks: 4, topology: 'trn2.48xlarge' };
    folder.write('ranked/.vscode/nki-scope.json', JSON.stringify({ cases: { k: [ranked] } }));
    const r = request(kernel, '--kernel', 'k');
    assert.deepEqual([r.ranks, r.topology, r.grid], [4, 'trn2.48xlarge', undefined]);
    assert.equal(request(kernel, '--case', 'ring', '--ranks', '8').ranks, 8);
    assert.equal(request(kernel, '--case', 'ring', '--ranks', '1').ranks, 1);
    assert.equal(request(folder.write('ranked/other.py', '')).ranks, undefined);
    assert.deepEqual(onlyCase(request(kernel), [{ name: 'k' }])!.request.ranks, 4);
    assert.equal(onlyCase(request(kernel, '--ranks', '2'), [{ name: 'k' }])!.request.ranks, 2);
    const inputs = folder.write('ranked/inputs.txt', `x ${kernel}\nx ${kernel}\n`);
    const own = request(kernel, '--kernel', 'k', '--ranks', '2', '--multi-input', inputs);
    assert.deepEqual([own.ranks, own.topology, own.args], [2, undefined, {}], 'inputs of each rank leave the case out, as --input does');
  });

  it('refuses wrong usage in one line that shows a right one', () => {
    refused([], /name a Python file/);
    refused([file, 'again.py'], /one Python file at a time; arguments of the script come after --/);
    refused([folder.path('gone.py')], /no such file$/);
    refused([`${file}:double`], /no such file; a kernel is named by --kernel: .*\.py --kernel double$/);
    refused([folder.path('project')], /is a folder/);
    refused([file, '--arg', 'x=bf16[128,512]'], /need --kernel NAME/);
    refused([file, '--kernel', 'k', '--arg', 'x'], /write it as --arg a=bf16\[128,512\]/);
    refused([file, '--kernel', 'k', '--arg', 'x=bf17[3]'], /--arg x: unknown dtype bf17/);
    refused([file, '--kernel', 'k', '--input', 'x=gone.npy'], /--input x: gone.npy is not a file/);
    refused([file, '--grid', '2,x'], /--grid 2,x: write it as --grid 2,1/);
    refused([file, '--grid', '0'], /--grid 0/);
    refused([file, '--target', 'trn9'], /--target trn9: one of trn1, trn2, trn3/);
    refused([file, '--numerics', 'maybe'], /one of on, off, auto/);
    refused([file, '--python', './gone/python'], /--python .*: no such file/);
    refused([file, '--frobnicate'], /capture: Unknown option '--frobnicate'$/);
    refused([file, '--kernel'], /capture: .*--kernel/);
  });

  it('answers the flags of AWS’s profilers in one line each and goes on', () => {
    const r = request('-n', 'file.neff', file, '--num-exec=3', '--profile-nth-exec', '2', '--ignore-exec-errors', '-r', '32', '-i', '3');
    assert.equal(r.file, file);
    assert.equal(r.ranks, 32);
    assert.equal(notes.length, 5);
    assert.equal(request(file, '--systrace-get-event-types', '--systrace-event-filter', 'nrt_execute').file, file);
    assert.match(notes[6], /^--systrace-event-filter does not apply here: the host and the runtime are not simulated/);
    assert.match(notes[0], /^-n does not apply here: the kernel runs from its Python source/);
    for (const table of [CAPTURE_INAPPLICABLE, VIEW_INAPPLICABLE])
      for (const [flag, { why }] of Object.entries(table)) assert.match(`${flag} ${why}`, /^--?[a-zA-Z][\w-]* [^\n]+[^.]$/);
  });

  it('names profiles by kernel, numbered when several share a name, or as -s says', () => {
    const runs = (kernels: string[]) => kernels.map((kernel, call) => ({ kernel, id: { kernel, call } }));
    const names = (kernels: string[], session?: string) => profileNames(runs(kernels), session).map(name => path.basename(name));
    assert.deepEqual(names(['add']), ['add.nkiprof']);
    assert.deepEqual(names(['add', 'mul', 'add']), ['add-1.nkiprof', 'mul.nkiprof', 'add-2.nkiprof']);
    assert.deepEqual(names(['add'], 'out.ntff'), ['out.ntff']);
    assert.deepEqual(names(['add', 'mul'], 'out.nkiprof'), ['out-1.nkiprof', 'out-2.nkiprof']);
    assert.deepEqual(names(['../evil<k>']), ['__evil_k_.nkiprof']);
    const ranks = [0, 1].map(rank => ({ kernel: 'add', id: { kernel: 'add', call: 0, rank } }));
    const placed = (session?: string) => profileNames(ranks, session).map(name => path.relative('.', name));
    assert.deepEqual(placed(), [path.join('add-ranks', 'profile_rank_0.nkiprof'), path.join('add-ranks', 'profile_rank_1.nkiprof')]);
    assert.deepEqual(placed('out.nkiprof'), ['out_rank_0.nkiprof', 'out_rank_1.nkiprof']);
    assert.deepEqual(names(['核', '心', 'Add', 'add']), ['核.nkiprof', '心.nkiprof', 'Add-1.nkiprof', 'add-2.nkiprof']);
  });
});

describe('run arguments', () => {
  it('end at the script: the rest is the script’s', () => {
    assert.deepEqual(splitAtScript(['--python', 'p', 's.py', '--python', 'q', '--', 'x']), {
      own: ['--python', 'p'],
      script: 's.py',
      rest: ['--python', 'q', '--', 'x'],
    });
    assert.deepEqual(splitAtScript(['--', '-odd.py', 'a']), { own: [], script: '-odd.py', rest: ['a'] });
    assert.deepEqual(splitAtScript(['--python']), { own: ['--python'], rest: [] });
    assert.deepEqual(splitAtScript(['--root', 'd', 's.py']), { own: ['--root', 'd'], script: 's.py', rest: [] });
  });
});
