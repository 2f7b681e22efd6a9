/** Making elements: a tag with classes, attributes and children. Text is always text, never markup. */

type Attributes = Record<string, string | number | boolean | null>;
type Child = Node | string | null;

/** `element('button.link', { title }, 'text')`; false and null attributes are left out. */
export function element<K extends keyof HTMLElementTagNameMap>(
  selector: K | `${K}.${string}`,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const [tag, ...classes] = selector.split('.');
  const made = document.createElement(tag) as HTMLElementTagNameMap[K];
  if (classes.length > 0) made.className = classes.join(' ');
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  made.append(...children.filter(child => child !== null));
  return made;
}

/** A canvas with its 2D context, sized in CSS pixels. */
export function context2d(canvas: HTMLCanvasElement, alpha = true): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { alpha });
  if (!context) throw new Error('this browser gives no 2D canvas');
  return context;
}

/** @param ratio device pixels in a CSS pixel */
export function sizeCanvas(
  canvas: HTMLCanvasElement,
  context: CanvasRenderingContext2D,
  widthPx: number,
  heightPx: number,
  ratio = window.devicePixelRatio || 1,
): void {
  const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}
