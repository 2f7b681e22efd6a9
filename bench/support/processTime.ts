import fs from 'node:fs';

/** Of the kernel's counters of processor time (USER_HZ of Linux). */
const TICK_MS = 10;

/** Processor time so far of all processes below this one, and of this one, ms. NaN where there is no /proc. */
export function processTimeMs(): number {
  if (!fs.existsSync('/proc/self/stat')) return Number.NaN;
  const times = new Map<string, { parent: string; ms: number }>();
  for (const pid of fs.readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    const stat = statOf(pid);
    if (!stat) continue;
    // behind the name, which may have blanks: state, parent, ..., user and system time as the 12th and 13th
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    times.set(pid, { parent: fields[1], ms: TICK_MS * (Number(fields[11]) + Number(fields[12])) });
  }
  const isOurs = (pid: string | undefined): boolean => pid === String(process.pid) || (!!pid && isOurs(times.get(pid)?.parent));
  return [...times].reduce((sum, [pid, { ms }]) => (isOurs(pid) ? sum + ms : sum), 0);
}

/** null: it has ended. */
function statOf(pid: string): string | null {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
}
