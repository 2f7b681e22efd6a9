/** Chooses the renderer of the bars: WebGL2 with a GPU, else the 2D canvas, or the user's choice. */
import { CanvasRenderer } from './canvasRenderer';
import type { Renderer } from './renderer';
import { WebglRenderer } from './webglRenderer';

export type RendererChoice = 'auto' | 'canvas' | 'webgl';

/** Names of software renderers in browsers. With these the 2D canvas is faster (measured: bench/timeline). */
const SOFTWARE = /swiftshader|llvmpipe|software|basic render/i;

export function chooseRenderer(canvas: HTMLCanvasElement, wanted: RendererChoice): Renderer {
  if (wanted !== 'canvas') {
    const made = tryWebgl(canvas, wanted === 'auto');
    if (made) return made;
  }
  // a canvas that once gave a WebGL context gives no other: this one has not
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('this browser gives no 2D canvas');
  return new CanvasRenderer(canvas, context, sizePx => {
    const tile = document.createElement('canvas');
    tile.width = sizePx;
    tile.height = sizePx;
    return tile;
  });
}

function tryWebgl(canvas: HTMLCanvasElement, onlyOnGpu: boolean): Renderer | null {
  if (onlyOnGpu && !hasGpu()) return null;
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
  return gl && new WebglRenderer(canvas, gl);
}

/** Tests it with a separate canvas. */
function hasGpu(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true });
  if (!gl) return false;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const name = String(info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : gl.getParameter(gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return !SOFTWARE.test(name);
}
