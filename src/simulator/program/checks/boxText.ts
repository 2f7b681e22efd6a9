/** Elements of a tensor as the user would slice them: `x[0:128, 512:1024]`, the smallest box around them. */
import { tensorShape } from '../program';
import type { CheckedProgram } from './checkedProgram';

export class BoxText {
  private readonly low: number[];
  private readonly high: number[];
  private readonly shape: readonly number[];

  constructor(
    private readonly checked: CheckedProgram,
    private readonly tensor: number,
  ) {
    this.shape = [...tensorShape(checked.p, tensor)];
    this.low = this.shape.slice();
    this.high = this.shape.map(() => -1);
  }

  /** @param element counted row-major from the tensor's first. */
  readonly add = (element: number) => {
    let rest = element;
    for (let axis = this.shape.length - 1; axis >= 0; axis--) {
      const at = axis === 0 ? rest : rest % this.shape[axis];
      rest = Math.floor(rest / this.shape[axis]);
      if (at < this.low[axis]) this.low[axis] = at;
      if (at > this.high[axis]) this.high[axis] = at;
    }
  };

  text(): string {
    const ranges = this.shape.map((_, axis) => `${this.low[axis]}:${this.high[axis] + 1}`);
    return `${this.checked.name(this.tensor)}[${ranges.join(', ')}]`;
  }
}
