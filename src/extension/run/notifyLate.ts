/** Work that the user waits for: a notification with Cancel, unless it is over at once. */
import * as vscode from 'vscode';

/** A shorter run is over before its notification could be read; drawing one delays the timeline. */
const NOTIFY_AFTER_MS = 400;

/** A notification with Cancel beside the work, once that has taken a while. */
export async function notifyLate<T>(
  title: string,
  controller: AbortController,
  work: (say: (text: string) => void) => Promise<T>,
): Promise<T> {
  let message = '';
  let report = (_: string) => {};
  const working = work(text => {
    message = text;
    report(text);
  });
  const notify = () =>
    vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (progress, token) => {
      token.onCancellationRequested(() => controller.abort());
      report = text => progress.report({ message: text });
      report(message);
      return working.then(
        () => {},
        () => {},
      );
    });
  const timer = setTimeout(notify, NOTIFY_AFTER_MS);
  return working.finally(() => clearTimeout(timer));
}
