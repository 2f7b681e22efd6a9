/** The page of a sweep: its script makes what is in it. Pure. */
import { escapeHtml, htmlHead, policyText } from '../../webview/protocol/html';

interface SweepHtmlParts {
  title: string;
  scriptUri: string;
  styleUri: string;
  /** `webview.cspSource`. */
  cspSource: string;
  /** Of the page's only script. */
  nonce: string;
}

export function sweepHtml({ title, scriptUri, styleUri, cspSource, nonce }: SweepHtmlParts): string {
  const policy = policyText([`script-src 'nonce-${nonce}'`, `style-src ${cspSource}`]);
  return `${htmlHead({ title, policy, elements: [`<link rel="stylesheet" href="${escapeHtml(styleUri)}">`] })}
<body>
<main></main>
<script nonce="${nonce}" src="${escapeHtml(scriptUri)}"></script>
</body>
</html>
`;
}
