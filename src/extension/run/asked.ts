/** The last request for each file, so that it can run again while the file is edited. */
import type { CaptureRequest, CaptureResult } from '../../simulator/index';

export interface Asked {
  /** The file that was run; edits in its helpers run it again, too. */
  file: string;
  /** The user's choices beside the settings: kernel, arguments, grid. */
  more: Partial<CaptureRequest>;
  /** The requested kernel, if there was one. */
  kernel: string | undefined;
  /** Name of the case, if one was run. */
  caseName?: string;
  /** Wall-clock time of its last run, once the interpreter was ready. */
  tookMs: number;
}

/** Without the start of the interpreter: the next run finds one that is warm. */
export const warmMs = ({ timingsMs: { trace, compile, execute, schedule } }: CaptureResult): number => trace + compile + execute + schedule;

export class AskedFiles {
  private readonly byFile = new Map<string, Asked>();

  put(asked: Asked): void {
    this.byFile.set(asked.file, asked);
  }

  of(file: string): Asked | undefined {
    return this.byFile.get(file);
  }
}
