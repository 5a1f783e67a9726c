import { formatDefinition } from '../../../ui/json-text/format.ts';

/** The definition that a new workflow starts from: it runs as it is, whatever object it is called with, and shows where to go on. */
export function starterDefinition(name: string): Record<string, unknown> {
  return {
    schemaVersion: 1,
    name,
    // Of no type and not required: a first call is not turned away. The example is what it is tried with.
    input: { type: 'object', properties: { content: { examples: ['hello'] } } },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Input' },
      { id: 'shape', type: 'transform', name: 'Shape', config: { expression: '{ "answer": content, "received": $ }' } },
      { id: 'output', type: 'output', name: 'Output' },
    ],
    edges: [
      { from: 'input', to: 'shape' },
      { from: 'shape', to: 'output' },
    ],
    output: 'output',
  };
}

export const starterText = (name: string): string => formatDefinition(JSON.stringify(starterDefinition(name)));

/** The required keys, and nothing in them. */
export const emptyText = (name: string): string =>
  formatDefinition(
    JSON.stringify({ schemaVersion: 1, name, response: 'list', nodes: [], edges: [], output: 'output' }),
  );
