/** Annotations: times of a profile that a person named, each with its place in the code. Where that place is in a profile: `analyze/anchors.ts`. */

/** A named time of a profile. */
export interface Annotation {
  name: string;
  /** On the profile's clock, ns. */
  timeNs: number;
  /** Series colour, from 0. */
  series: number;
  note?: string;
  /** The event that it belongs to; absent: it belongs to a time only. */
  anchor?: EventAnchor;
}

/** An event by its place in the code, so that it is found again in the profile of a changed kernel. */
export interface EventAnchor {
  /** The calls that led to the event, outermost first; the last is its own line. */
  stack: AnchorLine[];
  /** The passes of the loops around it, such as `i=3, j=1`; empty outside loops. */
  iteration: string;
  /** Name of its row. */
  track: string;
  /** Its opcode; of a transfer, the tensor. */
  label: string;
  /** Its number among the events that are equal in all of the above, from 0. */
  nth: number;
  /** The annotation's time counts from this end of the event. */
  edge: 'start' | 'end';
  offsetNs: number;
}

export interface AnchorLine {
  function: string;
  /** 1-based. */
  line: number;
  /** Trimmed; empty if the profile does not have the source. */
  text: string;
  /** The text of the line of code above it, trimmed. */
  above: string;
  /** Lines with this text above it in the file. */
  repeat: number;
}
