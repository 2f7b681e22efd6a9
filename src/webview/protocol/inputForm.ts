/** Messages between the page that asks for a kernel's inputs and the editor. */

/** Field texts by parameter. */
export type InputTexts = Record<string, string>;

export type FromForm = { kind: 'check' | 'run'; texts: InputTexts } | { kind: 'cancel' };

/** What is wrong, by parameter; none: all is well. */
export interface ToForm {
  problems: Record<string, string>;
}
