/** The theme of the page, and when it changes: VS Code changes the body's class and the variables on <html>. */
import { buildTheme, type Theme } from './render/theme';

export function readTheme(): Theme {
  const style = getComputedStyle(document.body);
  const highContrast = /vscode-high-contrast/.test(document.body.className);
  return buildTheme(name => style.getPropertyValue(name).trim(), highContrast);
}

export function followTheme(onChange: (theme: Theme) => void): void {
  const observer = new MutationObserver(() => onChange(readTheme()));
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'class'] });
}
