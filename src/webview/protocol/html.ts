/** Common parts of all HTML pages: the head, the parts of a Content-Security-Policy, and escaping of text. */

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, c => ENTITIES[c]);

/** A policy that refuses everything except what the directives allow. */
export const policyText = (directives: readonly string[]) =>
  [`default-src 'none'`, ...directives, `base-uri 'none'`, `form-action 'none'`].join('; ');

interface HtmlHead {
  title: string;
  /** Content-Security-Policy. Absent: the server sends it. */
  policy?: string;
  /** Further elements of the head, as HTML, one per line. */
  elements: readonly string[];
}

/** The page up to its body. */
export function htmlHead({ title, policy, elements }: HtmlHead): string {
  const lines = [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    ...(policy === undefined ? [] : [`<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`]),
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    ...elements,
    '</head>',
  ];
  return lines.join('\n');
}
