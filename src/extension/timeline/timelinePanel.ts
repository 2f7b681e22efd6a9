/** One timeline beside the code: the webview, its channel, and the requests it makes. What it draws is src/webview's. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Channel, type Handlers, type Port } from '../../webview/protocol/channel';
import type { HostEvents, HostMethods, SourcePosition, ViewEvents, ViewState } from '../../webview/protocol/messages';
import { pageHtml } from '../../webview/protocol/page';
import type { Run } from '../run/run';

/** Methods that the view answers: none yet. */
type ViewMethods = Record<never, never>;

/** What a panel asks of its owner. */
export interface PanelOwner {
  openSource(position: SourcePosition, panel: TimelinePanel): Promise<void>;
  painted(panel: TimelinePanel, event: HostEvents['painted']): void;
  failed(event: HostEvents['failed']): void;
}

export class TimelinePanel implements vscode.Disposable {
  private readonly channel: Channel<ViewMethods, ViewEvents, HostMethods, HostEvents>;
  private readonly subscriptions: vscode.Disposable[] = [];
  /** Until the view has drawn a profile: what it shall show then. */
  private waiting: (() => void)[] | null = [];

  /** @param state of an earlier view, when one is restored */
  constructor(
    readonly panel: vscode.WebviewPanel,
    extensionUri: vscode.Uri,
    private run: Run,
    private readonly owner: PanelOwner,
    private state: ViewState | null,
  ) {
    this.channel = new Channel(port(panel.webview), this.methods(), {
      state: value => {
        this.state = value;
      },
      painted: event => {
        this.release();
        owner.painted(this, event);
      },
      failed: event => owner.failed(event),
    });
    // A hidden view is thrown away; when it is shown again it asks for everything anew.
    this.subscriptions.push(panel.onDidChangeViewState(() => panel.visible || this.expectView()));
    const assets = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
    panel.webview.options = { enableScripts: true, localResourceRoots: [assets] };
    panel.webview.html = pageHtml({
      scriptUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(assets, 'main.js')).toString(),
      styleUri: panel.webview.asWebviewUri(vscode.Uri.joinPath(assets, 'main.css')).toString(),
      cspSource: panel.webview.cspSource,
      nonce: randomBytes(16).toString('base64url'),
      title: run.title,
    });
  }

  get current(): Run {
    return this.run;
  }

  /** A newer run takes the place of the one shown. */
  replace(run: Run): void {
    this.run = run;
    this.panel.title = run.title;
    this.whenDrawn(() => this.channel.send('profileChanged', { title: run.title }));
  }

  selectLines(positions: SourcePosition[]): void {
    this.whenDrawn(() => this.channel.send('selectLines', { positions, zoom: true }));
  }

  command(name: ViewEvents['command']['name']): void {
    this.whenDrawn(() => this.channel.send('command', { name }));
  }

  dispose() {
    this.channel.dispose();
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private methods(): Handlers<HostMethods> {
    return {
      ready: () => ({ title: this.run.title, state: this.state, canOpenSource: true }),
      loadProfile: () => this.run.bytes,
      openSource: async position => {
        await this.owner.openSource(position, this);
        return null;
      },
    };
  }

  private whenDrawn(act: () => void) {
    if (this.waiting) this.waiting.push(act);
    else act();
  }

  private expectView() {
    this.waiting ??= [];
  }

  private release() {
    const acts = this.waiting ?? [];
    this.waiting = null;
    for (const act of acts) act();
  }
}

function port(webview: vscode.Webview): Port {
  return {
    post: message => void webview.postMessage(message),
    listen: handler => {
      const subscription = webview.onDidReceiveMessage(handler);
      return () => subscription.dispose();
    },
  };
}
