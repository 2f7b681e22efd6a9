/** How far something is that takes a while. */

export interface Progress {
  text: string;
  /** 0..1; null while it is not known how much there is to do. */
  share: number | null;
}
