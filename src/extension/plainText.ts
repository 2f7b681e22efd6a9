/**
 * Names and messages from elsewhere (profiles, files, kernels), as text where VS Code reads markup: Markdown in hovers, links in
 * notifications, icons in labels; and the address of a command, as a link. Pure.
 */

/** As Markdown that shows this text on one line. All ASCII signs are character references: no markup, link or icon begins with one. */
export const markdownText = (text: string): string => text.replace(BLANKS, ' ').replace(ASCII_SIGNS, reference);

/** As the message or title of a notification: `[text](command:id)` would be a link that runs the command. */
export const noticeText = (text: string): string => text.replace(/\](?=\()/g, '] ');

/** As the label of a list or of the status bar: `$(name)` would be an icon. */
export const labelText = (text: string): string => text.replace(/\$\([\w-]+(?:~\w+)?\)/g, '\\$&');

/** For a link in Markdown or HTML. Brackets, which could end the one, and quotes, which could end the other, are encoded too. */
export function commandUri(id: string, ...args: unknown[]): string {
  return `command:${id}?${encodeURIComponent(JSON.stringify(args)).replace(/[!'()*~]/g, percent)}`;
}

const BLANKS = /[\s\p{Cc}]+/gu;
const ASCII_SIGNS = /[!-/:-@[-`{-~]/g;
const reference = (sign: string) => `&#${sign.charCodeAt(0)};`;
const percent = (sign: string) => `%${sign.charCodeAt(0).toString(16)}`;
