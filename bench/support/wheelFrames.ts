/** Times of the page's frames while wheel events zoom and pan the timeline. */

export interface FrameSamples {
  panMs: number[];
  zoomMs: number[];
}

/** Runs in the page: real wheel events, one per frame, and the time of each frame's work. Zooms, zooms in, pans: `count` frames each. */
export async function wheelFrames(count: number): Promise<FrameSamples> {
  const area = document.querySelector('.tracks')!;
  const box = area.getBoundingClientRect();
  const wheel = (init: WheelEventInit) =>
    area.dispatchEvent(
      new WheelEvent('wheel', { bubbles: true, cancelable: true, clientX: box.left + box.width / 3, clientY: box.top + 30, ...init }),
    );
  const run = async (init: (i: number) => WheelEventInit) => {
    const workMs: number[] = [];
    const observer = new PerformanceObserver(list => {
      for (const entry of list.getEntriesByName('nki-scope:frame')) workMs.push(entry.duration);
    });
    observer.observe({ entryTypes: ['measure'] });
    for (let i = 0; i < count; i++) {
      wheel(init(i));
      await new Promise(requestAnimationFrame);
    }
    await new Promise(done => setTimeout(done, 100));
    observer.disconnect();
    return workMs;
  };
  const zoomMs = await run(i => ({ ctrlKey: true, deltaY: i % 40 < 20 ? -60 : 60 }));
  await run(i => ({ ctrlKey: true, deltaY: i < 8 ? -100 : 0 }));
  const panMs = await run(i => ({ shiftKey: true, deltaY: i % 60 < 30 ? 24 : -24 }));
  return { panMs, zoomMs };
}
