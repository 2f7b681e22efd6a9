/** Released arrays of tensors, for reuse: a kernel allocates its tiles again in every iteration. */

type Elements = Float32Array | Int32Array | Uint32Array;
export type ElementsClass = new (length: number) => Elements;

export class Spares {
  /** By class and length. */
  private readonly arrays = new Map<string, Elements[]>();

  constructor(private readonly make: (elements: ElementsClass, length: number) => Elements) {}

  /** Its content is undefined. */
  take(elements: ElementsClass, length: number): Elements {
    return this.arrays.get(`${elements.name} ${length}`)?.pop() ?? this.make(elements, length);
  }

  give(array: Elements): void {
    const key = `${array.constructor.name} ${array.length}`;
    const spares = this.arrays.get(key);
    if (spares) spares.push(array);
    else this.arrays.set(key, [array]);
  }
}
