import type { Definition, DefinitionFault as GraphFault } from '../../contract/definition.ts';
import { invalidAt } from '../../lib/fault.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { withPlainNumbers } from '../../lib/json.ts';
import type { PreparedDefinition } from '../offload/port.ts';
import { workflowCalls } from './check-calls.ts';
import { graphWarnings } from './graph-warnings.ts';

/** Raised whenever the check of definitions changes: faults that an earlier one found are looked for again. */
export const CHECKER_VERSION = 2;

/** A well-formed definition as it is saved: canonical text and faults. Throws VALIDATION_FAILED where it is too large. */
export function prepareDefinition(
  given: Definition,
  { check, definitionBytes }: { check(definition: Definition): GraphFault[]; definitionBytes: number },
): PreparedDefinition {
  const definition = withPlainSettings(given);
  const text = canonicalJson(definition);
  const bytes = Buffer.byteLength(text);
  if (bytes > definitionBytes)
    throw invalidAt(
      '/definition',
      `the definition has ${bytes} bytes; the maximum is ${definitionBytes}`,
      `must have at most ${definitionBytes} bytes`,
    );
  return {
    text,
    name: definition.name,
    faults: check(definition),
    calls: workflowCalls(definition),
    graphWarnings: graphWarnings(definition),
  };
}

/**
 * Settings are computed with, so their numbers are plain; those that only pass through a workflow (the body of a request,
 * the input schema) stay as they came.
 */
function withPlainSettings(definition: Definition): Definition {
  const plain = withPlainNumbers(definition) as Definition;
  const nodes = plain.nodes.map((node, i) => {
    const body = definition.nodes[i]?.config?.['body'];
    return node.type === 'http' && node.config && body !== undefined
      ? { ...node, config: { ...node.config, body } }
      : node;
  });
  return { ...plain, nodes, ...(definition.input === undefined ? {} : { input: definition.input }) };
}
