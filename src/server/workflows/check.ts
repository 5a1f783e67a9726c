import type { Definition, DefinitionFault, WorkflowNode } from '../../contract/definition.ts';
import { isRecord } from '../../lib/is-record.ts';
import { checkGraph } from './check-graph.ts';
import { checkNode, parseBudget } from './check-node.ts';
import type { SchemaCompiler } from './schema/compile.ts';

/** The most faults that are named; a definition with more has the rest told as one. */
const MAX_FAULTS = 200;

/**
 * Every fault of a well-formed definition, each with a JSON pointer into it: those of the graph, of each node's
 * configuration, and of the input schema. Empty: it can be published.
 */
export function checkDefinition(
  definition: Definition,
  { schemas, definitionNodes }: { schemas: SchemaCompiler; definitionNodes: number },
): DefinitionFault[] {
  if (definition.nodes.length > definitionNodes)
    return [
      {
        pointer: '/nodes',
        code: 'TOO_MANY_NODES',
        message: `the definition has ${definition.nodes.length} nodes; the maximum is ${definitionNodes}`,
      },
    ];
  const faults = checkGraph(definition);
  const budget = parseBudget();
  definition.nodes.forEach((node, i) => faults.push(...checkNode(node, `/nodes/${i}`, budget)));
  if (definition.input !== undefined) {
    const { faults: found } = schemas.compile(definition.input);
    for (const { pointer, message } of found ?? [])
      faults.push({ pointer: `/input${pointer}`, code: 'BAD_SCHEMA', message });
  }
  definition.nodes.forEach((node, i) => {
    for (const { form, pointer } of formsOf(node, `/nodes/${i}`))
      for (const found of schemas.compile(form).faults ?? [])
        faults.push({ pointer: `${pointer}${found.pointer}`, code: 'BAD_SCHEMA', message: found.message });
  });
  if (faults.length <= MAX_FAULTS) return faults;
  return [
    ...faults.slice(0, MAX_FAULTS),
    { pointer: '', code: 'MORE_FAULTS', message: `${faults.length - MAX_FAULTS} more problems` },
  ];
}

/** Forms of approvals, of the node or of what a forEach runs. */
function formsOf({ type, config = {} }: Pick<WorkflowNode, 'type' | 'config'>, pointer: string) {
  const inner = type === 'forEach' && isRecord(config['node']) ? config['node'] : null;
  const at = inner ? `${pointer}/config/node/config/form` : `${pointer}/config/form`;
  const found = inner ? { type: inner['type'], config: inner['config'] } : { type, config };
  if (found.type !== 'wait' || !isRecord(found.config) || found.config['form'] === undefined) return [];
  return [{ form: found.config['form'], pointer: at }];
}
