/** The schema of the tables that are written, as YAML: a block for the schema, then one for each table. */
import { SCHEMA_VERSION, TABLES } from './fields';

/** JSON strings are YAML, whatever is in them. */
const quoted = (text: string) => JSON.stringify(text);

export function schemaText(): string {
  const tables = Object.entries(TABLES).map(([table, { text, fields }]) => [
    `table: ${table}`,
    `description: ${quoted(text)}`,
    'fields:',
    ...Object.entries(fields).flatMap(([field, { type, unit, required, text: about }]) => [
      `  - name: ${field}`,
      `    type: ${type}`,
      ...(unit === '' ? [] : [`    unit: ${quoted(unit)}`]),
      `    required: ${required}`,
      `    description: ${quoted(about)}`,
    ]),
  ]);
  return [[`profile_schema_version: ${quoted(SCHEMA_VERSION)}`], ...tables].map(block => `${block.join('\n')}\n`).join('---\n');
}
