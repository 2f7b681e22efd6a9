/** Options for system profiles: which of their events are read, and how Perfetto groups them. Names are those of AWS's profilers. */
import { DEFAULT_GROUPS, GROUP_FIELDS, type GroupField, type SystemFilter, type SystemGroups } from '../simulator/index';
import { UsageError } from './errors';
import { type OptionTable, type Parsed, text } from './options';

export const SYSTEM_OPTIONS: OptionTable = {
  'system-trace-filter-neuron-core': { type: 'string' },
  'system-trace-filter-event-type': { type: 'string' },
  'system-trace-filter-instance-id': { type: 'string' },
  'system-trace-primary-group': { type: 'string' },
  'system-trace-secondary-group': { type: 'string' },
};

/** Undefined: all events. */
export function systemFilterOf(values: Parsed['values']): SystemFilter | undefined {
  const [cores, eventTypes, instances] = ['neuron-core', 'event-type', 'instance-id'].map(of =>
    listOf(values, `system-trace-filter-${of}`),
  );
  const filter = { ...(cores && { cores }), ...(eventTypes && { eventTypes }), ...(instances && { instances }) };
  return Object.keys(filter).length > 0 ? filter : undefined;
}

/** Undefined: AWS's defaults. @throws UsageError for a field that there is not */
export function systemGroupsOf(values: Parsed['values']): SystemGroups | undefined {
  const [primary, secondary] = ['primary', 'secondary'].map(which => {
    const fields = listOf(values, `system-trace-${which}-group`);
    for (const field of fields ?? [])
      if (!Object.hasOwn(GROUP_FIELDS, field))
        throw new UsageError(`view: --system-trace-${which}-group ${field}: fields are ${Object.keys(GROUP_FIELDS).join(', ')}`);
    return fields as GroupField[] | undefined;
  });
  return primary || secondary
    ? { primary: primary ?? DEFAULT_GROUPS.primary, secondary: secondary ?? DEFAULT_GROUPS.secondary }
    : undefined;
}

function listOf(values: Parsed['values'], name: string): string[] | undefined {
  const words = text(values, name)
    ?.split(',')
    .map(word => word.trim())
    .filter(Boolean);
  return words && words.length > 0 ? words : undefined;
}
