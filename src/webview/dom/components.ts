/**
 * The only file that knows @vscode/webview-ui-toolkit (no longer developed: to replace it, replace this file).
 * Gives buttons, a text field and a drop-down as plain elements with callbacks.
 */
import {
  provideVSCodeDesignSystem,
  type TextField,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextField,
} from '@vscode/webview-ui-toolkit';
import { element } from './element';
import { type IconName, icon } from './icons';

export function registerComponents(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeTextField(), vsCodeDropdown(), vsCodeOption());
}

export function iconButton(name: IconName, label: string, onClick: () => void): HTMLElement {
  const button = element('vscode-button' as 'button', { appearance: 'icon', 'aria-label': label, title: label });
  button.append(icon(name));
  button.addEventListener('click', onClick);
  return button;
}

export function textButton(text: string, onClick: () => void): HTMLElement {
  const button = element('vscode-button' as 'button', { appearance: 'primary' }, text);
  button.addEventListener('click', onClick);
  return button;
}

export interface SearchField {
  element: HTMLElement;
  get text(): string;
  set text(value: string);
  focus(): void;
}

/** @param label its name for screen readers */
export function searchField(label: string, placeholder: string, onInput: (text: string) => void): SearchField {
  const made = element('vscode-text-field' as 'div', { placeholder }) as unknown as TextField;
  // the toolkit calls the field "Text field" when it is put into the page, whatever its name was
  queueMicrotask(() => made.setAttribute('aria-label', label));
  made.addEventListener('input', () => onInput(made.value));
  return {
    element: made,
    get text() {
      return made.value;
    },
    set text(value: string) {
      if (made.value !== value) made.value = value;
    },
    focus: () => made.focus(),
  };
}

export function dropdown<T extends string>(label: string, options: Record<T, string>, onChange: (value: T) => void): HTMLElement {
  const made = element('vscode-dropdown' as 'select', { 'aria-label': label, title: label });
  for (const [value, text] of Object.entries<string>(options)) made.append(element('vscode-option' as 'option', { value }, text));
  made.addEventListener('change', () => onChange(made.value as T));
  return made;
}

/** What a drop-down shows. */
export function setChoice(made: HTMLElement, value: string): void {
  const choice = made as unknown as { value: string };
  if (choice.value !== value) choice.value = value;
}

/** A plain checkbox with its label: the toolkit's own is no better. */
export function checkbox(label: string, checked: boolean, onChange: (on: boolean) => void): HTMLElement {
  const box = element('input', { type: 'checkbox', checked });
  box.addEventListener('change', () => onChange(box.checked));
  return element('label.check', {}, box, label);
}
