/** Between the page and its workers. Buffers are given away. */

export interface UnpackRequest {
  id: number;
  packed: Uint8Array<ArrayBuffer>;
  sizeBytes: number;
}

export type UnpackAnswer = { id: number } & ({ bytes: Uint8Array<ArrayBuffer> } | { problem: string });
