/** `serve`: the tools over standard input and output, a JSON object per line, for programs of any language. */
import { AGENT_TOOLS, callTool, errorJson, ToolError, type ToolHost } from '../simulator/index';
import { sayIfOpen } from './confinement';
import type { CliCommand, CliContext } from './context';
import { EXIT, UsageError } from './errors';
import { LineSplitter } from './lineSplitter';
import { readOptions } from './options';
import { EngineHost } from './toolHost';
import { hostOptions, ROOT_OPTION, TOOLS_ROOT_HELP } from './toolOptions';

export const serveTools: CliCommand = {
  summary: 'answer requests on standard input, for programs: a JSON object per line',
  help: `nki-scope serve --json-lines [--root DIR]

One engine that stays warm. Each line of standard input is a request, each line of standard output an answer; answers come in the order in
which they are ready. Ends with its input.

  {"id": 1, "tool": "profile", "input": {"file": "softmax.py"}}    {"id": 1, "answer": {...}}, or {"id": 1, "error": {kind, message, file, line, next}}
  {"id": 2, "tool": "tools"}                                       the tools, each with the schema of its input
  {"cancel": 1}                                                    stops request 1

Tools: ${AGENT_TOOLS.map(({ name }) => name).join(', ')}.

${TOOLS_ROOT_HELP}

  echo '{"id": 1, "tool": "profile", "input": {"file": "softmax.py"}}' | nki-scope serve --json-lines
`,
  async run(argv, context) {
    const { values, positionals } = readOptions('serve', argv, { 'json-lines': { type: 'boolean' }, ...ROOT_OPTION });
    if (positionals.length > 0) throw new UsageError(`serve: ${positionals[0]}? Requests come on standard input`);
    if (values['json-lines'] !== true) throw new UsageError('serve: say --json-lines; `view` serves profiles to the browser');
    const { terminal, signal } = context;
    const host = new EngineHost({ ...hostOptions(values, context), onSandbox: sayIfOpen(terminal.log), onOutput: terminal.err });
    const requests = new Requests(host, answer => terminal.out(`${JSON.stringify(answer)}\n`));
    try {
      for await (const line of linesOf(process.stdin, signal)) requests.take(line);
      await requests.done();
    } finally {
      host.close();
    }
    return EXIT.done;
  },
};

/** Until the end of the input, or Ctrl-C. A line that is too long is null. */
async function* linesOf(input: NodeJS.ReadStream, signal: CliContext['signal']): AsyncGenerator<string | null> {
  const splitter = new LineSplitter();
  signal.addEventListener('abort', () => input.destroy(), { once: true });
  try {
    for await (const piece of input) yield* splitter.push(piece as Buffer);
    yield* splitter.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

type RequestId = string | number | null;

/** Requests under way. */
class Requests {
  private readonly running = new Map<RequestId, { stop: AbortController; ended: Promise<void> }>();

  constructor(
    private readonly host: ToolHost,
    private readonly send: (answer: object) => void,
  ) {}

  take(line: string | null): void {
    if (line?.trim() === '') return;
    try {
      const asked = parsed(line);
      const { id, tool, input = {}, cancel } = asked;
      if (cancel !== undefined) {
        this.running.get(cancel as RequestId)?.stop.abort();
        return;
      }
      if (typeof id !== 'number' && typeof id !== 'string') throw new ToolError('WrongRequest', 'id is missing', NEXT);
      if (typeof tool !== 'string') throw new ToolError('WrongRequest', 'tool is missing', NEXT);
      if (this.running.has(id)) throw new ToolError('WrongRequest', `request ${id} is still under way`, NEXT);
      const stop = new AbortController();
      const ended = this.answer(id, tool, input, stop.signal).finally(() => this.running.delete(id));
      this.running.set(id, { stop, ended });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      this.send({ id: null, error: errorJson(error) });
    }
  }

  async done(): Promise<void> {
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private async answer(id: RequestId, tool: string, input: unknown, signal: AbortSignal): Promise<void> {
    try {
      this.send({ id, answer: tool === 'tools' ? listed() : (await callTool(tool, input, this.host, signal)).data });
    } catch (error) {
      this.send({ id, error: errorJson(error instanceof ToolError ? error : faultOf(error)) });
    }
  }
}

const NEXT = { next: 'Write one object per line: {"id": 1, "tool": "profile", "input": {"file": "kernel.py"}}.' };

const listed = () => ({ tools: AGENT_TOOLS.map(({ name, title, description, input }) => ({ name, title, description, input })) });

/** Our own: the caller goes on with its other requests. */
function faultOf(error: unknown): ToolError {
  const { message } = error as Error;
  return new ToolError('SimulatorFault', `a fault of NKI Scope itself: ${message}`, { next: 'Please report it.' });
}

/** @throws ToolError */
function parsed(line: string | null): Record<string, unknown> {
  if (line === null) throw new ToolError('WrongRequest', 'the line is too long', NEXT);
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // said below
  }
  throw new ToolError('WrongRequest', 'the line is not a JSON object', NEXT);
}
