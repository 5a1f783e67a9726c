import { formatDefinition } from './format.ts';

/** The definition that a new workflow starts from: it runs as it is and shows where to go on. */
export function starterDefinition(name: string): Record<string, unknown> {
  return {
    schemaVersion: 1,
    name,
    input: { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] },
    response: 'list',
    nodes: [
      { id: 'input', type: 'input', name: 'Input', position: { x: 0, y: 0 } },
      { id: 'shape', type: 'transform', name: 'Shape', config: { expression: '{ "answer": content }' }, position: { x: 240, y: 0 } },
      { id: 'output', type: 'output', name: 'Output', position: { x: 480, y: 0 } },
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
