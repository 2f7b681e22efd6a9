/** Schemas of tools' inputs: the part of JSON Schema that they need, and the check of an input against one. */
import { ToolError } from './toolError';

export type FieldSchema = { description: string } & (
  | { type: 'string'; enum?: readonly string[] }
  | { type: 'number' | 'integer'; minimum?: number; maximum?: number }
  | { type: 'array'; items: { type: 'integer'; minimum: number } }
  | { type: 'object'; additionalProperties: { type: readonly ('string' | 'number' | 'boolean' | 'null')[] } }
);

export interface InputSchema {
  type: 'object';
  required?: readonly string[];
  additionalProperties: false;
  properties: Readonly<Record<string, FieldSchema>>;
}

/** @throws ToolError that names what is wrong and what there is */
export function checkInput(tool: string, schema: InputSchema, input: unknown): asserts input is Record<string, unknown> {
  const fail = (message: string): never => {
    throw new ToolError('WrongInput', `${tool}: ${message}`, { next: `${tool} takes ${fieldsText(schema)}.` });
  };
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return fail('the input is an object');
  const given = input as Record<string, unknown>;
  const unknown = Object.keys(given).find(name => !Object.hasOwn(schema.properties, name));
  if (unknown !== undefined) fail(`there is no ${unknown}`);
  const missing = schema.required?.find(name => given[name] === undefined);
  if (missing !== undefined) fail(`${missing} is missing`);
  for (const [name, value] of Object.entries(given)) {
    const wrong = value === undefined ? null : wrongness(schema.properties[name], value);
    if (wrong !== null) fail(`${name} is ${wrong}`);
  }
}

const fieldsText = ({ properties, required = [] }: InputSchema) =>
  Object.keys(properties)
    .map(name => (required.includes(name) ? `${name} (required)` : name))
    .join(', ');

/** What it should be; null: it is. */
function wrongness(field: FieldSchema, value: unknown): string | null {
  switch (field.type) {
    case 'string':
      if (field.enum) return field.enum.includes(value as string) ? null : `one of ${field.enum.join(', ')}`;
      return typeof value === 'string' ? null : 'a text';
    case 'number':
    case 'integer': {
      const { minimum = -Infinity, maximum = Infinity } = field;
      const fits =
        typeof value === 'number' && value >= minimum && value <= maximum && (field.type === 'number' || Number.isInteger(value));
      return fits ? null : `${field.type === 'integer' ? 'a whole number' : 'a number'}${rangeText(minimum, maximum)}`;
    }
    case 'array': {
      const { minimum } = field.items;
      const fits = Array.isArray(value) && value.every(item => Number.isInteger(item) && item >= minimum);
      return fits ? null : `a list of whole numbers from ${minimum}`;
    }
    case 'object': {
      const kinds = field.additionalProperties.type;
      const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value);
      const fits =
        isPlain && Object.values(value).every(item => (kinds as readonly string[]).includes(item === null ? 'null' : typeof item));
      return fits ? null : `an object of ${kinds.join(', ')} by name`;
    }
  }
}

function rangeText(minimum: number, maximum: number): string {
  if (maximum < Infinity) return ` from ${minimum} to ${maximum}`;
  return minimum > -Infinity ? ` from ${minimum}` : '';
}
