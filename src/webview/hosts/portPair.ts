/** Two connected ports, for a host in the same page. Messages arrive asynchronously, as from other hosts. */
import type { Port } from '../protocol/channel';

export function portPair(): [Port, Port] {
  const [a, b] = [new Set<(message: unknown) => void>(), new Set<(message: unknown) => void>()];
  const port = (own: typeof a, other: typeof a): Port => ({
    post: message =>
      queueMicrotask(() => {
        for (const handler of [...other]) handler(message);
      }),
    listen(handler) {
      own.add(handler);
      return () => own.delete(handler);
    },
  });
  return [port(a, b), port(b, a)];
}
