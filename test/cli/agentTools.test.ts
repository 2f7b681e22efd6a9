/** The tools for agents, from the built programs: as JSON lines, and over MCP by the SDK's own client. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { mcpCommand } from '../../src/extension/agents/mcpCommand';
import { AGENT_TOOLS } from '../../src/simulator/index';
import { CLI, DIST } from '../support/built';
import { DOUBLE_KERNEL } from '../support/doubleKernel';
import { temporaryFolder } from '../support/temporary';

declare const NKI_SCOPE_ROOT: string;

const KERNEL = `${DOUBLE_KERNEL}

def reference(a):
    return a + a


def wrong(a):
    return a
`;
const ASKED = { file: 'double.py', kernel: 'double', args: { a: 'fp32[128,64]' } };

/** What the tests look at of an answer or an error. */
interface Answered {
  id: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of another process
  answer?: any;
  error?: { kind: string; message: string; file: string | null; line: number | null; next: string | null };
}

class LinesClient {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting: ((answer: Answered) => void)[] = [];
  private readonly come: Answered[] = [];
  readonly code: Promise<number | null>;

  constructor(cwd: string, ...options: string[]) {
    this.child = spawn(process.execPath, [CLI, 'serve', '--json-lines', ...options], {
      cwd,
      env: { ...process.env, NEURON_PLATFORM_TARGET_OVERRIDE: '', XDG_CACHE_HOME: cwd },
    });
    this.code = new Promise(resolve => this.child.on('close', resolve));
    readline.createInterface(this.child.stdout).on('line', line => {
      const answer = JSON.parse(line) as Answered;
      const take = this.waiting.shift();
      if (take) take(answer);
      else this.come.push(answer);
    });
  }

  send(...lines: (object | string)[]): void {
    for (const line of lines) this.child.stdin.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  }

  next(): Promise<Answered> {
    const come = this.come.shift();
    return come ? Promise.resolve(come) : new Promise(resolve => this.waiting.push(resolve));
  }

  ask(tool: string, input: object): Promise<Answered> {
    this.send({ id: tool, tool, input });
    return this.next();
  }

  end(): Promise<number | null> {
    this.child.stdin.end();
    return this.code;
  }
}

describe('tools for agents', () => {
  const folder = temporaryFolder();
  before(() => {
    folder.write('double.py', KERNEL);
  });

  describe('as JSON lines', () => {
    let client: LinesClient;
    before(() => {
      client = new LinesClient(folder.path());
    });
    after(async () => {
      assert.equal(await client.end(), 0);
    });

    it('profile a kernel, and answer about the run by its id and by its file', async () => {
      const { answer } = await client.ask('profile', ASKED);
      const [run] = answer.runs;
      assert.deepEqual([run.kernel, run.target, answer.error], ['double', 'trn2', null]);
      assert.ok(run.total_time_ns > run.body_ns && run.body_ns > 0);
      assert.ok(run.lines.every((line: { file: string }) => line.file === folder.path('double.py')));
      const asked = { run: run.run, top: 1 };
      const byId = (await client.ask('lines', asked)).answer;
      assert.deepEqual(byId.lines, run.lines.slice(0, 1));
      assert.equal(byId.more_lines, run.lines.length - 1);
      assert.equal((await client.ask('lines', { file: 'double.py' })).answer.run, run.run);
      const { answer: advised } = await client.ask('advise', { run: run.run });
      assert.equal(advised.ladder[0].time_ns, run.total_time_ns);
      const free = await client.ask('whatif', { run: run.run, line: 11 });
      assert.equal(free.answer.answers[0].base_ns, run.total_time_ns);
      assert.ok(free.answer.answers[0].time_ns < run.total_time_ns);
    });

    it('try an edit that is not written: its time, its values, and the lines that changed', async () => {
      const text = KERNEL.replace('op=nl.add)', 'op=nl.add)\n    nisa.tensor_copy(dst=tile, src=tile)');
      const before = (await client.ask('profile', ASKED)).answer.runs[0];
      const after = (await client.ask('profile', { ...ASKED, text })).answer.runs[0];
      assert.ok(after.total_time_ns > before.total_time_ns);
      const { answer } = await client.ask('compare', { before: before.run, after: after.run });
      assert.equal(answer.total.b_ns, after.total_time_ns);
      assert.ok(
        answer.lines.some((line: { verdict: string; b: { text: string } }) => line.verdict === 'new' && /tensor_copy/.test(line.b.text)),
      );
      assert.equal((await client.ask('check_values', { ...ASKED, text })).answer.same, true);
      const other = KERNEL.replace('op=nl.add', 'op=nl.multiply');
      const checked = (await client.ask('check_values', { ...ASKED, text: other })).answer;
      assert.deepEqual([checked.same, checked.outputs.length, checked.outputs[0].same], [false, 1, false]);
      assert.equal(fs.readFileSync(folder.path('double.py'), 'utf8'), KERNEL);
    });

    it('sweep a kernel, and tell the fastest points first, also of those that do not run', async () => {
      const { answer } = await client.ask('sweep', {
        file: 'double.py',
        kernel: 'double',
        args: { a: 'fp32[{128,256},{64,512}]' },
        top: 3,
      });
      assert.deepEqual([answer.points, answer.failed, answer.rows.length], [4, 2, 3]);
      const [fast, slow, failed] = answer.rows;
      assert.ok(fast.total_time_ns < slow.total_time_ns);
      assert.equal(fast.total_time_ns, (await client.ask('profile', ASKED)).answer.runs[0].total_time_ns);
      assert.match(failed.error, /128/);
      const wrong = await client.ask('sweep', { file: 'double.py', kernel: 'double', where: 'a[0' });
      assert.equal(wrong.error!.kind, 'WrongInput');
    });

    it('check values against a function of the file', async () => {
      const right = (await client.ask('check_values', { ...ASKED, reference: 'reference' })).answer.outputs[0];
      const off = (await client.ask('check_values', { ...ASKED, reference: 'wrong' })).answer.outputs[0];
      assert.equal(right.relative, 0);
      assert.ok(Math.abs(off.relative - 1) < 1e-6, `2a against a is off by all of a: ${off.relative}`);
    });

    it('say what an instruction is, by any of its names', async () => {
      for (const name of ['nki.isa.dma_copy', 'nisa.dma_copy', 'dma_copy']) {
        const { instructions } = (await client.ask('instruction', { name })).answer;
        assert.equal(instructions[0].name, 'nki.isa.dma_copy');
        assert.match(instructions[0].signature.nki, /dge_mode/);
      }
      const { error } = await client.ask('instruction', { name: 'dma_cop' });
      assert.match(error!.next!, /nki\.isa\.dma_copy/);
    });

    it('say what is wrong, where, and what to do next', async () => {
      const text = KERNEL.replace('nisa.tensor_tensor', 'nisa.tensor_tensr');
      const { error: unknown } = await client.ask('profile', { ...ASKED, text });
      assert.deepEqual([unknown!.file, unknown!.line], [folder.path('double.py'), 12]);
      const { error: uncalled } = await client.ask('profile', { file: 'double.py' });
      assert.match(uncalled!.next!, /\{"kernel":"double","args":\{"a":"bf16\[128,512\]"\}\}/);
      assert.match((await client.ask('profile', { file: 'gone.py' })).error!.message, /gone\.py/);
      assert.match((await client.ask('profile', { ...ASKED, args: { a: 'bf17[1]' } })).error!.message, /bf17/);
      assert.match((await client.ask('lines', { run: 'r999' })).error!.next!, /profile/);
      assert.match((await client.ask('frobnicate', {})).error!.next!, /profile, lines, advise/);
      assert.match((await client.ask('profile', { file: 'double.py', colour: 'red' })).error!.message, /there is no colour/);
      client.send('{"id": 1', '[]', '{"id": 5}', '{"tool": "lines"}');
      for (let k = 0; k < 4; k++) {
        const { id, error } = await client.next();
        assert.deepEqual([id, error!.kind], [null, 'WrongRequest']);
      }
    });

    it('stop a request, and go on with the next', async () => {
      const endless = KERNEL.replace('    return out', '    while True:\n        pass');
      client.send({ id: 'endless', tool: 'profile', input: { ...ASKED, text: endless } }, { cancel: 'endless' });
      const { id, error } = await client.next();
      assert.deepEqual([id, error!.kind], ['endless', 'Cancelled']);
      assert.equal((await client.ask('profile', ASKED)).answer.runs.length, 1);
    });
  });

  it('run nothing outside of the folder that --root names', async () => {
    folder.write('inside/own.py', KERNEL);
    const client = new LinesClient(folder.path(), '--root', folder.path('inside'));
    assert.match((await client.ask('profile', { ...ASKED, file: folder.path('double.py') })).error!.message, /is not in/);
    assert.match((await client.ask('profile', { ...ASKED, file: '../double.py' })).error!.message, /is not in/);
    assert.equal((await client.ask('profile', { ...ASKED, file: 'own.py' })).answer.runs.length, 1);
    assert.equal(await client.end(), 0);
  });

  it('answer the requests of docs/agents.md', async () => {
    const page = fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'docs/agents.md'), 'utf8');
    const requests = /```jsonl\n([\s\S]*?)```/.exec(page)![1].trim().split('\n');
    const client = new LinesClient(NKI_SCOPE_ROOT);
    client.send(...requests);
    const answers = [await client.next(), await client.next(), await client.next()];
    assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2, 3]);
    for (const { answer, error } of answers) assert.ok(answer, JSON.stringify(error));
    const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    assert.deepEqual(
      named,
      AGENT_TOOLS.map(({ name }) => name),
    );
    assert.equal(await client.end(), 0);
  });

  describe('over MCP', () => {
    const client = new Client({ name: 'test', version: '1' });
    before(async () => {
      // as VS Code starts it
      await client.connect(new StdioClientTransport({ ...mcpCommand(path.dirname(DIST), folder.path()), stderr: 'ignore' }));
    });
    after(() => client.close());

    it('list themselves with the schemas of the table', async () => {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
        JSON.parse(JSON.stringify(AGENT_TOOLS.map(({ name, description, input }) => ({ name, description, inputSchema: input })))),
      );
      assert.match(client.getInstructions()!, /^NKI Scope times/);
    });

    it('answer with text for the model and the same as data', async () => {
      const { content, structuredContent, isError } = await client.callTool({ name: 'profile', arguments: ASKED });
      const [{ text }] = content as { text: string }[];
      const { runs } = structuredContent as { runs: { run: string; total_time_ns: number }[] };
      assert.ok(!isError);
      assert.match(text, new RegExp(`^run ${runs[0].run}: double on trn2, simulated: [\\d.]+ µs in all`));
      const advised = await client.callTool({ name: 'advise', arguments: { run: runs[0].run } });
      assert.match((advised.content as { text: string }[])[0].text, /^bound: as it ran: /m);
    });

    it('say what is wrong as a result, so that the model reads it', async () => {
      const { content, isError } = await client.callTool({ name: 'profile', arguments: { file: 'double.py' } });
      assert.equal(isError, true);
      assert.match((content as { text: string }[])[0].text, /\(.*double\.py.*\)\nCall one of the file's kernels/);
    });
  });
});
