/** A text as a downloaded file, in a page of its own. */

export function download({ name, text }: { name: string; text: string }): boolean {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const anchor = document.createElement('a');
  Object.assign(anchor, { href: url, download: name });
  anchor.click();
  URL.revokeObjectURL(url);
  return true;
}
