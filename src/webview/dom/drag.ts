/** Pointer dragging: press, move, release, cancel, with capture. */

export interface Drag {
  /** Called for each move with the pointer's offset from where it was pressed. */
  move(event: PointerEvent, dxPx: number, dyPx: number): void;
  /** `moved`: farther than a click does. */
  end(event: PointerEvent, moved: boolean): void;
  cancel?(): void;
}

/** A press that moves less is a click. */
export const CLICK_PX = 4;

export function onDrag(target: HTMLElement, begin: (event: PointerEvent) => Drag | null): void {
  target.addEventListener('pointerdown', down => {
    if (down.button !== 0) return;
    const drag = begin(down);
    if (!drag) return;
    target.setPointerCapture(down.pointerId);
    const stop = new AbortController();
    let moved = false;
    const listen = (type: 'pointermove' | 'pointerup' | 'pointercancel', handler: (event: PointerEvent) => void) =>
      target.addEventListener(type, event => event.pointerId === down.pointerId && handler(event), { signal: stop.signal });
    listen('pointermove', event => {
      const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
      moved ||= Math.hypot(dx, dy) >= CLICK_PX;
      if (moved) drag.move(event, dx, dy);
    });
    listen('pointerup', event => {
      stop.abort();
      drag.end(event, moved);
    });
    listen('pointercancel', () => {
      stop.abort();
      drag.cancel?.();
    });
  });
}
