/** Semaphores in the grammar that Neuron profiles print: waits `S[5] (Tensor)>=4`, updates `S[4] (Scalar)++@complete`. */

export interface Semaphore {
  id: number;
  /** The engine whose stream, or the queue whose transfers, raise it. */
  name: string;
}

/** In columns of semaphores: none. */
export const NO_SEMAPHORE = 255;

export const semaphoreText = ({ id, name }: Semaphore) => `S[${id}] (${name})`;
export const waitText = (semaphore: Semaphore, value: number) => `${semaphoreText(semaphore)}>=${value}`;
export const signalText = (semaphore: Semaphore) => `${semaphoreText(semaphore)}++@complete`;
