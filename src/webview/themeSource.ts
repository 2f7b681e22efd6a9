/** Reads the theme off the page and tells when it changed: VS Code changes the body's class and the variables on <html>. */
import { buildTheme, type Theme } from './render/theme';

export class ThemeSource {
  theme: Theme = buildTheme(() => '', false);

  constructor(onChange: () => void) {
    const observer = new MutationObserver(onChange);
    observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
  }

  read(): void {
    const style = getComputedStyle(document.body);
    const highContrast = /vscode-high-contrast/.test(document.body.className);
    this.theme = buildTheme(name => style.getPropertyValue(name).trim(), highContrast);
  }
}
