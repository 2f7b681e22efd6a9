/** Text inside bars: fitted with an ellipsis, widths measured once per text and font. */

const ELLIPSIS = '…';
/** A text that is cut to fewer characters is not drawn. */
const LEAST = 3;

export class TextFitter {
  private readonly widths = new Map<string, number>();
  private font = '';

  constructor(private readonly measure: (text: string) => number) {}

  /** Forgets the widths when the font is another. */
  useFont(font: string): void {
    if (font === this.font) return;
    this.font = font;
    this.widths.clear();
  }

  /** The text, a shortened text, or '' when neither fits. */
  fit(text: string, spacePx: number): string {
    if (this.width(text) <= spacePx) return text;
    // the fonts here are even enough that the average width of this text's characters decides how many fit
    const room = Math.floor(((spacePx - this.width(ELLIPSIS)) * text.length) / this.width(text));
    return room >= LEAST ? text.slice(0, room) + ELLIPSIS : '';
  }

  private width(text: string): number {
    let known = this.widths.get(text);
    if (known === undefined) {
      known = this.measure(text);
      this.widths.set(text, known);
    }
    return known;
  }
}
