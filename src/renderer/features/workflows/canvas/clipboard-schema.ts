import { EdgeSchema, NodeSchema } from '../../../../contract/definition.ts';
import type { Schema } from '../../../ui/json-text/check.ts';
import { readSchema } from '../definition/schema.ts';

/** What is on the clipboard after nodes were copied. */
export const ClipSchema: Schema = {
  type: 'object',
  required: ['yardmaster', 'nodes', 'edges'],
  properties: {
    yardmaster: { type: 'string', const: 'nodes' },
    nodes: { type: 'array', items: readSchema(NodeSchema), maxItems: 2000 },
    edges: { type: 'array', items: readSchema(EdgeSchema), maxItems: 10_000 },
  },
  additionalProperties: false,
};
