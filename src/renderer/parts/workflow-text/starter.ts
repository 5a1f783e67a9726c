import { formatDefinition } from './format.ts';

/** The definition that a new workflow starts from: it runs as it is and shows where to go on. */
export function starterDefinition(name: string): Record<string, unknown> {
  return {
    schemaVersion: 1,
    name,
    input: { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Input' },
      { id: 'shape', type: 'transform', name: 'Shape', config: { expression: '{ "answer": content }' } },
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
export const emptyText = (name: string): string => formatDefinition(JSON.stringify({ schemaVersion: 1, name, response: 'list', nodes: [], edges: [], output: 'output' }));
