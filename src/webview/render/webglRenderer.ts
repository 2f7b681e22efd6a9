/**
 * Renderer on WebGL2: one instanced draw call for a batch. The columns go to the GPU as they are; the shader cuts rectangles
 * to whole device pixels and hatches and outlines them. Colours are a small texture, so a new theme uploads nothing else.
 */
import { parseAlpha, parseColour } from './colour';
import { linkProgram } from './glProgram';
import type { Clip, RectBatch, RectStyle, Renderer } from './renderer';

const VERTEX = `#version 300 es
in vec2 corner;
in float x; in float y; in float w; in float h;
in uint style;
uniform vec2 viewPx;
uniform float ratio;
flat out uint vStyle;
flat out vec4 vRect;
void main() {
  vec2 from = floor(vec2(x, y) * ratio + 0.5);
  vec2 to = max(floor(vec2(x + w, y + h) * ratio + 0.5), from + vec2(w > 0.0 ? 1.0 : 0.0, h > 0.0 ? 1.0 : 0.0));
  vec2 at = mix(from, to, corner);
  vStyle = style;
  vRect = vec4(from, to);
  gl_Position = vec4(at / viewPx * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
flat in uint vStyle;
flat in vec4 vRect;
uniform sampler2D styles;
uniform float ratio;
uniform float heightPx;
out vec4 colour;
void main() {
  vec2 at = vec2(gl_FragCoord.x, heightPx - gl_FragCoord.y);
  vec4 fill = texelFetch(styles, ivec2(int(vStyle), 0), 0);
  vec4 outline = texelFetch(styles, ivec2(int(vStyle), 1), 0);
  vec4 flags = texelFetch(styles, ivec2(int(vStyle), 2), 0);
  vec2 edge = min(at - vRect.xy, vRect.zw - at);
  if (flags.g > 0.5 && vRect.z - vRect.x >= 3.0 * ratio && min(edge.x, edge.y) < ratio) { colour = vec4(outline.rgb * outline.a, outline.a); return; }
  if (flags.r > 0.5 && mod(at.x + at.y, 6.0 * ratio) > 1.77 * ratio) discard;
  colour = vec4(fill.rgb * fill.a, fill.a);
}`;

const COLUMNS = ['xPx', 'yPx', 'widthPx', 'heightPx'] as const;
const ATTRIBUTES = ['x', 'y', 'w', 'h'] as const;

export class WebglRenderer implements Renderer {
  readonly name = 'webgl';
  private readonly program: WebGLProgram;
  private readonly buffers: WebGLBuffer[];
  private readonly styleBuffer: WebGLBuffer;
  private readonly uniforms: Record<'viewPx' | 'ratio' | 'heightPx', WebGLUniformLocation | null>;
  private ratio = 1;
  private order = new Uint32Array(0);
  private columns = ATTRIBUTES.map(() => new Float32Array(0));
  private sortedStyle = new Uint8Array(0);
  private shown: readonly RectStyle[] = [];

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly gl: WebGL2RenderingContext,
  ) {
    this.program = linkProgram(gl, VERTEX, FRAGMENT);
    gl.useProgram(this.program);
    const uniform = (name: string) => gl.getUniformLocation(this.program, name);
    this.uniforms = { viewPx: uniform('viewPx'), ratio: uniform('ratio'), heightPx: uniform('heightPx') };
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.attribute('corner', gl.FLOAT, 2, 0);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1), gl.STATIC_DRAW);
    this.buffers = ATTRIBUTES.map(name => this.attribute(name, gl.FLOAT, 1, 1));
    this.styleBuffer = this.attribute('style', gl.UNSIGNED_BYTE, 1, 1);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
  }

  resize(widthPx: number, heightPx: number, ratio: number): void {
    this.ratio = ratio;
    this.canvas.width = Math.max(1, Math.round(widthPx * ratio));
    this.canvas.height = Math.max(1, Math.round(heightPx * ratio));
    this.gl.viewport(0, 0, this.canvas.width, this.canvas.height);
  }

  clear(background: string): void {
    const [r, g, b] = parseColour(background) ?? [0, 0, 0];
    this.gl.disable(this.gl.SCISSOR_TEST);
    this.gl.clearColor(r / 255, g / 255, b / 255, 1);
    this.gl.clear(this.gl.COLOR_BUFFER_BIT);
  }

  rects(batch: RectBatch, styles: readonly RectStyle[], clip: Clip): void {
    const { gl, canvas, ratio } = this;
    if (styles !== this.shown) this.uploadStyles(styles);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(
      0,
      canvas.height - Math.round((clip.topPx + clip.heightPx) * ratio),
      canvas.width,
      Math.max(0, Math.round(clip.heightPx * ratio)),
    );
    gl.uniform2f(this.uniforms.viewPx, canvas.width, canvas.height);
    gl.uniform1f(this.uniforms.ratio, ratio);
    gl.uniform1f(this.uniforms.heightPx, canvas.height);
    this.uploadRects(batch, styles.length);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, batch.length);
  }

  finish(): void {
    this.gl.flush();
  }

  dispose(): void {
    this.gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  private attribute(name: string, type: number, size: number, divisor: number): WebGLBuffer {
    const { gl } = this;
    const buffer = gl.createBuffer()!;
    const at = gl.getAttribLocation(this.program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(at);
    if (type === gl.UNSIGNED_BYTE) gl.vertexAttribIPointer(at, size, type, 0, 0);
    else gl.vertexAttribPointer(at, size, type, false, 0, 0);
    gl.vertexAttribDivisor(at, divisor);
    return buffer;
  }

  /** In order of style, as the 2D canvas draws them: lower styles lie below. */
  private uploadRects(batch: RectBatch, styles: number) {
    const { gl } = this;
    this.sort(batch, styles);
    for (const [k, name] of COLUMNS.entries()) {
      const [from, to] = [batch[name], this.columns[k]];
      for (let i = 0; i < batch.length; i++) to[i] = from[this.order[i]];
      gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[k]);
      gl.bufferData(gl.ARRAY_BUFFER, to.subarray(0, batch.length), gl.STREAM_DRAW);
    }
    for (let i = 0; i < batch.length; i++) this.sortedStyle[i] = batch.style[this.order[i]];
    gl.bindBuffer(gl.ARRAY_BUFFER, this.styleBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.sortedStyle.subarray(0, batch.length), gl.STREAM_DRAW);
  }

  private sort({ style, length }: RectBatch, styles: number) {
    if (this.order.length < length) {
      this.order = new Uint32Array(length * 2);
      this.columns = ATTRIBUTES.map(() => new Float32Array(length * 2));
      this.sortedStyle = new Uint8Array(length * 2);
    }
    const next = new Uint32Array(styles + 1);
    for (let i = 0; i < length; i++) next[style[i] + 1]++;
    for (let s = 0; s < styles; s++) next[s + 1] += next[s];
    for (let i = 0; i < length; i++) this.order[next[style[i]]++] = i;
  }

  /** Three rows of a texture: fills, outlines, and whether there is a hatch and an outline. */
  private uploadStyles(styles: readonly RectStyle[]) {
    const texels = new Uint8Array(styles.length * 4 * 3);
    const put = (row: number, s: number, rgba: readonly number[]) => texels.set(rgba, (row * styles.length + s) * 4);
    const rgba = (text: string) => [...(parseColour(text) ?? [0, 0, 0]), Math.round(parseAlpha(text) * 255)];
    for (const [s, { fill, outline, hatched }] of styles.entries()) {
      put(0, s, rgba(fill));
      put(1, s, rgba(outline ?? fill));
      put(2, s, [hatched ? 255 : 0, outline === null ? 0 : 255, 0, 255]);
    }
    const { gl } = this;
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, styles.length, 3, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    this.shown = styles;
  }
}
