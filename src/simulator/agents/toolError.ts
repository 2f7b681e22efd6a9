/** Errors of tools: what is wrong, where, and what to do next. */
import type { KernelInfo, UserError } from '../frontend/protocol';
import { exampleArgument } from '../service/arguments';

/** What is wrong with the user's code or request, and what to do about it. */
export class ToolError extends Error {
  override name = 'ToolError';

  constructor(
    /** Python's exception, or a kind of ours such as `NoRun`. */
    readonly kind: string,
    message: string,
    readonly more: { file?: string | null; line?: number | null /** What to do next, as a sentence. */; next?: string } = {},
  ) {
    super(message);
  }
}

export const errorJson = ({ kind, message, more: { file = null, line = null, next } }: ToolErrorFields) => ({
  kind,
  message,
  file,
  line,
  next: next ?? null,
});

export function errorLine({ kind, message, more: { file, line, next } }: ToolErrorFields): string {
  const place = file ? ` (${file}${line ? `:${line}` : ''})` : '';
  return `${kind}: ${message}${place}${next ? `\n${next}` : ''}`;
}

type ToolErrorFields = Pick<ToolError, 'kind' | 'message' | 'more'>;

/** @throws ToolError that says how to call the file's kernels, where there are some that were not called */
export function failed({ kind, message, file, line }: UserError, kernels: readonly KernelInfo[]): never {
  const isUncalled = kind === 'NoKernel' || kind === 'NoInputs';
  throw new ToolError(kind, message, { file, line, next: isUncalled && kernels.length > 0 ? howToCall(kernels) : undefined });
}

function howToCall(kernels: readonly KernelInfo[]): string {
  const calls = kernels.map(({ name, params }) => {
    const open = params.filter(param => param.default === null).map(({ name, annotation }) => [name, exampleArgument(annotation)]);
    return JSON.stringify({ kernel: name, args: Object.fromEntries(open) });
  });
  return `Call one of the file's kernels with arguments of your own, for example ${calls.join(' or ')}.`;
}
