/**
 * A typed channel over any pair of post/listen functions: requests with one reply (or error), and events without.
 * Used from both ends with the types swapped. It does not depend on vscode or the DOM.
 */

type Methods<T> = { [K in keyof T]: (...args: never[]) => unknown };
type Params<F> = F extends (...args: infer A) => unknown ? A : never;
type Result<F> = F extends (...args: never[]) => infer R ? R : never;

type Wire =
  | { type: 'request'; id: number; method: string; params: unknown[] }
  | { type: 'reply'; id: number; value: unknown }
  | { type: 'error'; id: number; message: string }
  | { type: 'event'; name: string; value: unknown };

/** What `Channel.send` posts: for a port that has something to tell. */
export const eventMessage = <E, K extends keyof E & string>(name: K, value: E[K]): unknown =>
  ({ type: 'event', name, value }) satisfies Wire;

export interface Port {
  post(message: unknown): void;
  /** Returns a function that stops listening. */
  listen(handler: (message: unknown) => void): () => void;
}

export type Handlers<M extends Methods<M>> = { [K in keyof M]: (...params: Params<M[K]>) => Result<M[K]> | Promise<Result<M[K]>> };
export type EventHandlers<E> = { [K in keyof E]?: (value: E[K]) => void };

/**
 * @typeParam Remote methods the other side answers; @typeParam RemoteEvents events the other side takes
 * @typeParam Local methods this side answers; @typeParam LocalEvents events this side takes
 */
export class Channel<Remote extends Methods<Remote>, RemoteEvents, Local extends Methods<Local>, LocalEvents> {
  private nextId = 1;
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private readonly stop: () => void;

  constructor(
    private readonly port: Port,
    private readonly methods: Handlers<Local>,
    private readonly events: EventHandlers<LocalEvents>,
  ) {
    this.stop = port.listen(message => this.receive(message as Wire));
  }

  /** Rejects with the other side's error, or when the channel is closed. */
  request<K extends keyof Remote & string>(method: K, ...params: Params<Remote[K]>): Promise<Result<Remote[K]>> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.port.post({ type: 'request', id, method, params } satisfies Wire);
    });
  }

  send<K extends keyof RemoteEvents & string>(name: K, value: RemoteEvents[K]): void {
    this.port.post(eventMessage<RemoteEvents, K>(name, value));
  }

  dispose(): void {
    this.stop();
    for (const { reject } of this.waiting.values()) reject(new Error('the channel was closed'));
    this.waiting.clear();
  }

  private receive(message: Wire) {
    switch (message?.type) {
      case 'request':
        return void this.answer(message.id, message.method, message.params);
      case 'reply':
        return this.settle(message.id, w => w.resolve(message.value));
      case 'error':
        return this.settle(message.id, w => w.reject(new Error(message.message)));
      case 'event':
        return (this.events as Record<string, ((value: unknown) => void) | undefined>)[message.name]?.(message.value);
      default:
        return; // other users of the same port (VS Code posts its own messages)
    }
  }

  private async answer(id: number, method: string, params: unknown[]) {
    const handler = Object.hasOwn(this.methods, method)
      ? (this.methods as Record<string, (...p: unknown[]) => unknown>)[method]
      : undefined;
    try {
      if (!handler) throw new Error(`no method ${method}`);
      this.port.post({ type: 'reply', id, value: await handler(...params) } satisfies Wire);
    } catch (error) {
      this.port.post({ type: 'error', id, message: error instanceof Error ? error.message : String(error) } satisfies Wire);
    }
  }

  private settle(id: number, act: (waiting: { resolve(value: unknown): void; reject(error: Error): void }) => void) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (waiting) act(waiting);
  }
}
