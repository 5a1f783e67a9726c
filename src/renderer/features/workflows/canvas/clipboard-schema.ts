import { Type } from 'typebox';
import { EdgeSchema, NodeSchema } from '../../../../contract/definition.ts';

/** What is on the clipboard after nodes were copied. */
export const ClipSchema = Type.Object(
  {
    yardmaster: Type.Literal('nodes'),
    nodes: Type.Array(NodeSchema, { maxItems: 2000 }),
    edges: Type.Array(EdgeSchema, { maxItems: 10_000 }),
  },
  { additionalProperties: false },
);
