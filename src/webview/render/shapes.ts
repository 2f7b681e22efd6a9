/** Types of the shapes that the overlay draws, in view pixels. */

export interface Box {
  xPx: number;
  yPx: number;
  widthPx: number;
  heightPx: number;
}

/** Bars wide enough for text, to be labelled by the overlay. */
export interface Labels {
  length: number;
  event: Uint32Array;
  xPx: Float32Array;
  yPx: Float32Array;
  widthPx: Float32Array;
  heightPx: Float32Array;
  series: Uint8Array;
  /** Number of its profile. */
  profile: Uint8Array;
  /** Of a layer: its row in the profile's spans of layers; -1 for events. */
  span: Int32Array;
}
