import { checkSchema, type JsonFault, MAX_FAULTS, type Report } from '../../../ui/json-text/check.ts';
import { pointerFromPath, memberValue } from '../../../ui/json-text/locate.ts';
import type { JsonNode } from '../../../ui/json-text/scan.ts';
import { configSchema, definitionSchema, innerType } from './schema.ts';

/**
 * Faults of form that can be told without the master: they would keep the draft from being saved at all. Faults of
 * the graph are the master's to tell.
 */
export function formFaults(root: JsonNode): JsonFault[] {
  const faults: JsonFault[] = [];
  checkSchema(root, definitionSchema, [], (path, message) => {
    if (faults.length < MAX_FAULTS) faults.push({ pointer: pointerFromPath(path), code: 'FORM', message });
  });
  return faults;
}

/** Faults of the configurations of nodes, by the schema of their type. The master tells the same with the graph's. */
export function configFaults(root: JsonNode): JsonFault[] {
  const faults: JsonFault[] = [];
  const nodes = memberValue(root, 'nodes');
  if (nodes?.kind !== 'array') return faults;
  for (const [index, node] of nodes.items.entries()) {
    const type = memberValue(node, 'type');
    const schema = configSchema(type?.kind === 'string' ? type.value : null);
    const config = memberValue(node, 'config');
    const tell: Report = (path, message) => faults.push({ pointer: pointerFromPath(path), code: 'CONFIG', message });
    if (schema && config) checkSchema(config, schema, ['nodes', index, 'config'], tell);
    const inner =
      type?.kind === 'string' && type.value === 'forEach' ? memberValue(memberValue(config, 'node'), 'config') : null;
    const innerSchema = inner && configSchema(innerType(root, index));
    if (inner && innerSchema) checkSchema(inner, innerSchema, ['nodes', index, 'config', 'node', 'config'], tell);
  }
  return faults.slice(0, MAX_FAULTS);
}
