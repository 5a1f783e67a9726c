import type { Definition, DefinitionFault } from '../../contract/definition.ts';
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
  if (faults.length <= MAX_FAULTS) return faults;
  return [
    ...faults.slice(0, MAX_FAULTS),
    { pointer: '', code: 'MORE_FAULTS', message: `${faults.length - MAX_FAULTS} more problems` },
  ];
}
