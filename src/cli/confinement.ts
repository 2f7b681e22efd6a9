/** Says when the system does not confine the process in which kernels run: there are fewer walls around them then. */
export const sayIfOpen = (log: (line: string) => void) => (confinedBy: readonly string[]) => {
  if (confinedBy.length === 0)
    log('nki-scope: neither Node’s permission model nor bubblewrap works here: run only kernels that you trust (docs/security.md)');
};
