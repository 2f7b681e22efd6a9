/** Which files of a folder import which, type-only imports too, and the circles among them. */
import fs from 'node:fs';
import path from 'node:path';

/** A file of TypeScript: neither a package nor a style sheet. */
const SOURCE = /^\.(?!.*\.(?:css|json)$)/;

export interface Import {
  /** Path from the folder, `/` between its parts. */
  file: string;
  specifier: string;
  /** The file that is meant, likewise; null: a package or a style sheet. */
  target: string | null;
}

export function importsIn(folder: string): Import[] {
  const files = sourcesIn(folder);
  const known = new Set(files);
  return files.flatMap(file => {
    const text = fs.readFileSync(path.join(folder, file), 'utf8');
    return specifiersIn(text).map(specifier => {
      return { file, specifier, target: SOURCE.test(specifier) ? targetOf(known, file, specifier) : null };
    });
  });
}

/** Statements as the formatter leaves them, and `import('…')` as a type or a call. */
export function specifiersIn(text: string): string[] {
  const statement = /^(?:import|export)\s+(?:type\s+)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;
  return [...text.matchAll(statement)].map(([, named, called]) => named ?? called);
}

export function sourcesIn(folder: string): string[] {
  const names = fs.readdirSync(folder, { recursive: true }).map(String);
  return names
    .filter(name => name.endsWith('.ts'))
    .map(name => name.replaceAll('\\', '/'))
    .sort();
}

/** @throws Error where there is no such file. */
function targetOf(known: ReadonlySet<string>, file: string, specifier: string): string {
  // a bundle that is loaded at run time is named as it is built
  const base = path.posix.join(path.posix.dirname(file), specifier.replace(/\.js$/, ''));
  const found = [`${base}.ts`, `${base}/index.ts`].find(name => known.has(name));
  if (!found) throw new Error(`${file} imports ${specifier}, which is not there`);
  return found;
}

/** Files that import one another, directly or by way of others: each group sorted, and the groups by their first file. */
export function importCycles(imports: readonly Import[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { file, target } of imports) if (target !== null) next.set(file, [...(next.get(file) ?? []), target]);
  return stronglyConnected(next)
    .filter(group => group.length > 1 || next.get(group[0])?.includes(group[0]))
    .map(group => group.sort())
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Source: Tarjan, "Depth-first search and linear graph algorithms" (1972). */
function stronglyConnected(next: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string) => {
    index.set(node, index.size);
    low.set(node, index.get(node)!);
    stack.push(node);
    for (const other of next.get(node) ?? []) {
      if (!index.has(other)) visit(other);
      if (stack.includes(other)) low.set(node, Math.min(low.get(node)!, low.get(other)!));
    }
    if (low.get(node) === index.get(node)) groups.push(stack.splice(stack.indexOf(node)));
  };
  for (const node of next.keys()) if (!index.has(node)) visit(node);
  return groups;
}
