/** Writes the table of a sweep to a file that the user names: CSV, Parquet or JSON, by its extension. */
import * as vscode from 'vscode';
import { rowJson, sweepCsv, sweepParquet, type VariantRow } from '../../simulator/index';

const WRITERS: Readonly<Record<string, (rows: readonly VariantRow[]) => Uint8Array>> = {
  csv: rows => new TextEncoder().encode(sweepCsv(rows)),
  parquet: rows => sweepParquet(rows),
  json: rows => new TextEncoder().encode(`${JSON.stringify(rows.map(rowJson), null, 2)}\n`),
};

export async function exportSweep(name: string, rows: readonly VariantRow[]): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = folder && vscode.Uri.joinPath(folder, `${name.replace(/[^\w-]/g, '_')}.csv`);
  const place = await vscode.window.showSaveDialog({ defaultUri, filters: { CSV: ['csv'], Parquet: ['parquet'], JSON: ['json'] } });
  if (!place) return;
  const extension = place.path.split('.').at(-1)!;
  const write = Object.hasOwn(WRITERS, extension) ? WRITERS[extension] : WRITERS.csv;
  await vscode.workspace.fs.writeFile(place, write(rows));
}
