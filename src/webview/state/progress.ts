/** The progress of a long operation. */

export interface Progress {
  text: string;
  /** 0..1; null while the total is not known. */
  share: number | null;
}

/** Before any of it has come. */
export const WAITING: Progress = { text: 'Waiting for the profile', share: null };
