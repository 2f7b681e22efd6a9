/** package.json and the code say the same: settings, defaults, commands, targets, files. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { MCP_PROVIDER } from '../../src/extension/agents/mcpCommand';
import { readSettings, requestDefaults } from '../../src/extension/settings';
import { TASK_TYPE } from '../../src/extension/tasks/taskType';
import { EDITOR_TYPE, VIEW_TYPE } from '../../src/extension/timeline/viewTypes';
import {
  AGENT_TOOLS,
  DEFAULT_LIMITS,
  NKI_VERSIONS,
  NKIPROF_EXTENSION,
  PIPELINE_CHOICES,
  RELEASES,
  TARGETS,
} from '../../src/simulator/index';

declare const NKI_SCOPE_ROOT: string;

interface Property {
  type: string;
  default: unknown;
  enum?: string[];
  markdownDescription?: string;
  markdownEnumDescriptions?: string[];
}

const manifest = JSON.parse(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'package.json'), 'utf8'));
const properties: Record<string, Property> = manifest.contributes.configuration.properties;
const defaults = {
  asked: new Set<string>(),
  get<T>(key: string): T | undefined {
    this.asked.add(`nkiScope.${key}`);
    return properties[`nkiScope.${key}`]?.default as T | undefined;
  },
};

describe('manifest', () => {
  it('every setting is read, and every setting read is declared', () => {
    readSettings(defaults);
    assert.deepEqual([...defaults.asked].sort(), Object.keys(properties).sort());
  });

  it('every setting and every choice is described', () => {
    for (const [name, property] of Object.entries(properties)) {
      assert.ok(property.markdownDescription, name);
      assert.equal(property.markdownEnumDescriptions?.length, property.enum?.length, name);
      if (property.enum) assert.ok(property.enum.includes(property.default as string), name);
    }
  });

  it('defaults are the simulator’s', () => {
    assert.deepEqual(readSettings(defaults).limits, DEFAULT_LIMITS);
    assert.deepEqual(properties['nkiScope.target'].enum, ['auto', ...TARGETS]);
    assert.deepEqual(properties['nkiScope.pipeline'].enum, [...PIPELINE_CHOICES]);
    assert.deepEqual(properties['nkiScope.nkiVersion'].enum, ['auto', ...NKI_VERSIONS]);
    assert.deepEqual(
      properties['nkiScope.nkiVersion'].markdownEnumDescriptions?.slice(1),
      RELEASES.map(({ sdk }) => `Neuron SDK ${sdk}.`),
    );
  });

  it('a run takes the settings', () => {
    const given: Record<string, unknown> = { target: 'trn1', pythonPath: ' /usr/bin/python3 ', 'hints.threshold': 5 };
    const settings = readSettings({ get: <T>(key: string) => (given[key] ?? defaults.get(key)) as T });
    assert.equal(settings.hints.threshold, 0.05);
    const request = requestDefaults(settings);
    assert.equal(request.target, 'trn1');
    assert.equal(request.python, '/usr/bin/python3');
    assert.equal(requestDefaults(readSettings(defaults)).target, undefined);
    assert.equal(requestDefaults(readSettings(defaults)).nkiVersion, undefined);
    assert.equal(requestDefaults(readSettings(defaults)).python, undefined);
  });

  it('offers to language models the tools of the table', () => {
    const tools: { name: string; modelDescription: string; inputSchema: object }[] = manifest.contributes.languageModelTools;
    assert.deepEqual(
      tools.map(({ name, modelDescription, inputSchema }) => ({ name, modelDescription, inputSchema })),
      AGENT_TOOLS.map(({ name, description, input }) => ({ name: `nki_scope_${name}`, modelDescription: description, inputSchema: input })),
    );
  });

  it('menus and keys name declared commands', () => {
    const commands = new Set(manifest.contributes.commands.map((c: { command: string }) => c.command));
    const menus = Object.values(manifest.contributes.menus).flat() as { command: string }[];
    const keys: { command: string; when: string }[] = manifest.contributes.keybindings;
    for (const { command } of [...menus, ...keys]) assert.ok(commands.has(command), command);
    const ours = /editorLangId == python && nkiScope\.has|focusedView == nkiScope\./;
    for (const { command, when } of keys) assert.match(when, ours, command);
  });

  it('panels and editors are those of the code', () => {
    const [{ viewType, selector }] = manifest.contributes.customEditors;
    assert.equal(viewType, EDITOR_TYPE);
    assert.deepEqual(selector, [{ filenamePattern: `*${NKIPROF_EXTENSION}` }, { filenamePattern: '*.ntff' }]);
    assert.ok(manifest.activationEvents.includes(`onWebviewPanel:${VIEW_TYPE}`));
  });

  it('names the provider of our MCP server as the code does', () => {
    assert.deepEqual(
      manifest.contributes.mcpServerDefinitionProviders.map(({ id }: { id: string }) => id),
      [MCP_PROVIDER],
    );
  });

  it('tasks are of the code’s type, and the walkthrough names declared commands', () => {
    assert.deepEqual(
      manifest.contributes.taskDefinitions.map((task: { type: string }) => task.type),
      [TASK_TYPE],
    );
    assert.ok(manifest.activationEvents.includes(`onTaskType:${TASK_TYPE}`));
    const commands = new Set(manifest.contributes.commands.map((c: { command: string }) => c.command));
    const named = [...JSON.stringify(manifest.contributes.walkthroughs).matchAll(/(?:command:|onCommand:)([\w.]+)/g)];
    assert.ok(named.length > 4);
    for (const [, command] of named) assert.ok(commands.has(command), command);
  });

  it('files it names are there', () => {
    const steps: { media: { image: Record<string, string> } }[] = manifest.contributes.walkthroughs[0].steps;
    const icons = manifest.contributes.viewsContainers.activitybar.map((v: { icon: string }) => v.icon);
    for (const file of [
      manifest.icon,
      ...icons,
      ...steps.flatMap(step => Object.values(step.media.image)),
      ...manifest.contributes.jsonValidation.map((v: { url: string }) => v.url),
    ])
      assert.ok(fs.existsSync(path.join(NKI_SCOPE_ROOT, file)), file);
  });
});
