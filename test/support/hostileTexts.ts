/** Names as an attacker would write them into a profile: markup of HTML, of Markdown, of VS Code's labels; and a profile full of them. */
import type { Profile } from '../../src/simulator/profile/profile';
import { syntheticProfile } from './syntheticProfile';

export const HOSTILE_TEXTS: readonly string[] = [
  '<img src=x onerror="globalThis.hostile=1">',
  '</script><script>globalThis.hostile=1</script>',
  '"><svg onload=globalThis.hostile=1>',
  "' onmouseover='globalThis.hostile=1",
  '](command:workbench.action.terminal.new) [x](command:workbench.action.quit)',
  'a`b``c [x](command:evil) `',
  '| a | b |\n|---|---|\n| c | d |',
  'x\n\n# heading\r\n- [ ] item\n\n    code',
  'https://evil.example www.evil.example a@evil.example',
  '$(bell) $(sync~spin) ![x](https://evil.example/x.png)',
  '&lt;b&gt; &#60; \\* **bold** ~~gone~~ _x_',
  '--><!-- {{x}} javascript:alert(1)',
];

/** On one line, as every one of our one-line places shows a text. */
export const asShown = (text: string) => text.replace(/\s+/g, ' ');

/** Written out on its own: each ASCII sign that is no letter, digit or blank, as a character reference. */
export const referenced = (text: string) =>
  [...text].map(c => (c >= '!' && c <= '~' && !/[a-z0-9]/i.test(c) ? `&#${c.charCodeAt(0)};` : c)).join('');

/** Every name in it that may be any text is hostile (targets and dtypes are of closed lists); its numbers are `syntheticProfile`'s. */
export function hostileProfile(instructions = 300): Profile {
  const base = syntheticProfile(instructions);
  let used = 0;
  const next = () => HOSTILE_TEXTS[used++ % HOSTILE_TEXTS.length];
  /** Names that must differ from each other. */
  const numbered = (i: number) => `${HOSTILE_TEXTS[i % HOSTILE_TEXTS.length]} ${i}`;
  const source = [...base.files[0].text.split('\n').keys()].map(i => numbered(i).replace(/\s+/g, ' ')).join('\n');
  return {
    ...base,
    kernel: next(),
    accuracy: next(),
    tracks: base.tracks.map(({ kind }, i) => ({ kind, name: numbered(i), engine: numbered(i) })),
    strings: base.strings.map((_, i) => numbered(i)),
    opcodes: base.opcodes.map((_, i) => numbered(i)),
    operandWords: base.operandWords.map((_, i) => numbered(i)),
    semaphores: base.semaphores.map(({ id }, i) => ({ id, name: numbered(i) })),
    files: [{ ...base.files[0], path: `/kernels/${HOSTILE_TEXTS[0]}.py`, text: source }],
    inputs: base.inputs.map(input => ({ ...input, name: next() })),
    outputs: base.outputs.map(output => ({ ...output, name: next() })),
    machine: { ...base.machine, instanceType: next() },
  };
}
