import { Type, type Static } from 'typebox';

/** The workflow definition (contract §4). Loose where a faulty graph is work in progress: graph faults are found by the checker, not by this schema. */

const Seconds = Type.Number({ minimum: 0, maximum: 604_800 });

export const NodeSchema = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100, pattern: '^[A-Za-z0-9_][A-Za-z0-9_.:-]*$' }),
    type: Type.String({ minLength: 1, maxLength: 64 }),
    name: Type.Optional(Type.String({ maxLength: 200 })),
    config: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    position: Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() }, { additionalProperties: false })),
    retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
    retryBackoffSeconds: Type.Optional(Seconds),
    scheduleTimeoutSeconds: Type.Optional(Seconds),
    runTimeoutSeconds: Type.Optional(Seconds),
    join: Type.Optional(Type.Union([Type.Literal('keyed'), Type.Literal('value')])),
  },
  { additionalProperties: false },
);
export type WorkflowNode = Static<typeof NodeSchema>;

export const EdgeSchema = Type.Object(
  { from: Type.String({ maxLength: 100 }), to: Type.String({ maxLength: 100 }), port: Type.Optional(Type.String({ maxLength: 64 })) },
  { additionalProperties: false },
);
export type WorkflowEdge = Static<typeof EdgeSchema>;

export const DefinitionSchema = Type.Object(
  {
    schemaVersion: Type.Literal(1),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    input: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Boolean()])),
    response: Type.Union([Type.Literal('list'), Type.Literal('first')]),
    nodes: Type.Array(NodeSchema, { maxItems: 2000 }),
    edges: Type.Array(EdgeSchema, { maxItems: 10_000 }),
    output: Type.String({ maxLength: 100 }),
  },
  { additionalProperties: false },
);
export type Definition = Static<typeof DefinitionSchema>;

/** The configuration of each node type that makes a task. Forms, validation and completion come from these. */
export const NODE_CONFIGS = {
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({}, { additionalProperties: false }),
  transform: Type.Object({ expression: Type.String({ minLength: 1, description: 'JSONata on the input' }) }, { additionalProperties: false }),
  condition: Type.Object({ expression: Type.String({ minLength: 1, description: 'JSONata; truthy takes port true' }) }, { additionalProperties: false }),
  code: Type.Object(
    {
      source: Type.String({ description: 'Body of an async function (input, ctx)' }),
      timeoutSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 3600 })),
    },
    { additionalProperties: false },
  ),
  template: Type.Object({ template: Type.String({ description: 'Text with {{ JSONata }}' }) }, { additionalProperties: false }),
  http: Type.Object(
    {
      method: Type.Union(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((m) => Type.Literal(m))),
      url: Type.String({ minLength: 1 }),
      headers: Type.Optional(Type.Record(Type.String(), Type.String())),
      query: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
      body: Type.Optional(Type.Unknown()),
      timeoutSeconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 600 })),
    },
    { additionalProperties: false },
  ),
  delay: Type.Object({ seconds: Type.Number({ minimum: 0, maximum: 3600 }) }, { additionalProperties: false }),
} as const;

export const FaultSchema = Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() });
/** What the checker finds in a graph; `pointer` leads into the definition, such as `/nodes/2/type`. */
export type Fault = Static<typeof FaultSchema>;
