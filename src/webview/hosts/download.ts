/** A text, or bytes, as a downloaded file, in a page of its own. */

export function download({ name, text }: { name: string; text: string | Uint8Array }): boolean {
  const url = URL.createObjectURL(
    new Blob([text as BlobPart], { type: typeof text === 'string' ? 'text/plain' : 'application/octet-stream' }),
  );
  const anchor = document.createElement('a');
  Object.assign(anchor, { href: url, download: name });
  anchor.click();
  URL.revokeObjectURL(url);
  return true;
}
