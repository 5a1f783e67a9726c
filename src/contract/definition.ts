import { type Static, Type } from 'typebox';
import { oneOf } from './shapes.ts';
import { CALL_WARNINGS, ENVIRONMENTS } from './vocabulary.ts';

/** The workflow definition (contract §4). Loose where a faulty graph is work in progress: graph faults are found by the checker, not by this schema. */

const Seconds = (description: string) => Type.Number({ minimum: 0, maximum: 604_800, description });

export const NodeSchema = Type.Object(
  {
    id: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[A-Za-z0-9_][A-Za-z0-9_.:-]*$',
      description: 'Unique in the workflow; edges name it',
    }),
    type: Type.String({ minLength: 1, maxLength: 64, description: 'What the node does' }),
    name: Type.Optional(Type.String({ maxLength: 200, description: 'Shown to people instead of the id' })),
    config: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Settings of this type of node' })),
    position: Type.Optional(
      Type.Object(
        { x: Type.Number(), y: Type.Number() },
        { additionalProperties: false, description: 'Place on the canvas' },
      ),
    ),
    retries: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100,
        description: 'Retries after a failure that may be retried; 3 where absent',
      }),
    ),
    retryBackoffSeconds: Type.Optional(Seconds('Wait before the first retry; doubles with each')),
    scheduleTimeoutSeconds: Type.Optional(Seconds('Longest wait for a worker')),
    runTimeoutSeconds: Type.Optional(Seconds('Longest run of one attempt')),
    join: Type.Optional(
      Type.Union([Type.Literal('keyed'), Type.Literal('value')], {
        description: 'With several incoming edges: an object keyed by predecessor, or the value of the one that ran',
      }),
    ),
  },
  { additionalProperties: false },
);
export type WorkflowNode = Static<typeof NodeSchema>;

export const EdgeSchema = Type.Object(
  {
    from: Type.String({ maxLength: 100, description: 'Id of the node that hands on its output' }),
    to: Type.String({ maxLength: 100, description: 'Id of the node that takes it as input' }),
    port: Type.Optional(
      Type.String({ maxLength: 64, description: 'After a condition: true or false; other edges have none' }),
    ),
  },
  { additionalProperties: false },
);
export type WorkflowEdge = Static<typeof EdgeSchema>;

const Id = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

/** What only people see on the canvas; nothing that runs looks at it. Absent where a workflow has neither (docs/decisions/0024). */
export const CanvasSchema = Type.Object(
  {
    notes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Id('Unique among the notes'),
            text: Type.String({ maxLength: 4000, description: 'What it says' }),
            position: Type.Object(
              { x: Type.Number(), y: Type.Number() },
              { additionalProperties: false, description: 'Place on the canvas' },
            ),
          },
          { additionalProperties: false },
        ),
        { maxItems: 200, description: 'Notes beside the nodes' },
      ),
    ),
    groups: Type.Optional(
      Type.Array(
        Type.Object(
          {
            id: Id('Unique among the groups'),
            name: Type.String({ maxLength: 200, description: 'Shown above its frame' }),
            nodes: Type.Array(Type.String({ maxLength: 100 }), {
              maxItems: 2000,
              description: 'Ids of the nodes inside; the frame is drawn around them',
            }),
          },
          { additionalProperties: false },
        ),
        { maxItems: 200, description: 'Frames around nodes that belong together' },
      ),
    ),
  },
  { additionalProperties: false },
);

export const DefinitionSchema = Type.Object(
  {
    schemaVersion: Type.Literal(1, { description: 'Version of this format' }),
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Shown to people' }),
    input: Type.Optional(
      Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Boolean()], {
        description: 'JSON Schema that each input object has to meet',
      }),
    ),
    response: Type.Union([Type.Literal('list'), Type.Literal('first')], {
      description: 'list: one output for each input; first: the output of the first input alone',
    }),
    nodes: Type.Array(NodeSchema, { maxItems: 2000, description: 'The steps' }),
    edges: Type.Array(EdgeSchema, { maxItems: 10_000, description: 'Which output goes where' }),
    output: Type.String({ maxLength: 100, description: 'Id of the output node; its input is the answer' }),
    canvas: Type.Optional(CanvasSchema),
  },
  { additionalProperties: false },
);
export type Definition = Static<typeof DefinitionSchema>;

/** The configuration of each node type that makes a task. Forms, validation and completion come from these. */
export const NODE_CONFIGS = {
  input: Type.Object({}, { additionalProperties: false }),
  output: Type.Object({}, { additionalProperties: false }),
  transform: Type.Object(
    { expression: Type.String({ minLength: 1, description: 'JSONata on the input' }) },
    { additionalProperties: false },
  ),
  condition: Type.Object(
    { expression: Type.String({ minLength: 1, description: 'JSONata; truthy takes port true' }) },
    { additionalProperties: false },
  ),
  code: Type.Object(
    {
      source: Type.String({ description: 'Body of an async function (input, ctx)' }),
      timeoutSeconds: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, maximum: 3600, description: 'Longest run of the code; 30 where absent' }),
      ),
    },
    { additionalProperties: false },
  ),
  template: Type.Object(
    { template: Type.String({ description: 'Text with {{ JSONata }}' }) },
    { additionalProperties: false },
  ),
  http: Type.Object(
    {
      method: Type.Union(
        ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((m) => Type.Literal(m)),
        { description: 'HTTP method' },
      ),
      url: Type.String({ minLength: 1, description: 'May hold {{ JSONata }}' }),
      headers: Type.Optional(
        Type.Record(Type.String(), Type.String(), { description: 'Values may hold {{ JSONata }}' }),
      ),
      query: Type.Optional(
        Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
          description: 'Added to the URL',
        }),
      ),
      body: Type.Optional(Type.Unknown({ description: 'Sent as JSON, or as it is where it is a text' })),
      timeoutSeconds: Type.Optional(
        Type.Number({ exclusiveMinimum: 0, maximum: 600, description: 'Longest wait for the answer; 30 where absent' }),
      ),
    },
    { additionalProperties: false },
  ),
  delay: Type.Object(
    { seconds: Type.Number({ minimum: 0, maximum: 3600, description: 'How long to wait, 0 to 3600' }) },
    { additionalProperties: false },
  ),
  forEach: Type.Object(
    {
      items: Type.String({
        minLength: 1,
        description: 'JSONata that gives the list; each item is the input of one task',
      }),
      node: Type.Object(
        {
          type: Type.String({ minLength: 1, maxLength: 64, description: 'What is done with each item' }),
          config: Type.Record(Type.String(), Type.Unknown(), { description: 'Settings of that type of node' }),
        },
        { additionalProperties: false },
      ),
      concurrency: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 10_000, description: 'Items that are worked on at once; 10 where absent' }),
      ),
      onError: Type.Optional(
        Type.Union([Type.Literal('failFast'), Type.Literal('collect')], {
          description:
            'failFast: a failed item fails the replica; collect: its place in the output is {error: {code, message}}',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  workflow: Type.Object(
    {
      workflowId: Type.String({ minLength: 1, maxLength: 63, description: 'The workflow to call' }),
      environment: Type.Union(
        ENVIRONMENTS.map((environment) => Type.Literal(environment)),
        { description: 'Where it is published' },
      ),
    },
    { additionalProperties: false },
  ),
  handler: Type.Object(
    {
      handler: Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'Name under which workers have registered the function',
      }),
    },
    { additionalProperties: false },
  ),
} as const;

export const FaultSchema = Type.Object({ pointer: Type.String(), code: Type.String(), message: Type.String() });

/** What the checker finds in a graph; `pointer` leads into the definition, such as `/nodes/2/type`. */
export type Fault = Static<typeof FaultSchema>;

export const CallWarningSchema = Type.Object({
  pointer: Type.String(),
  code: oneOf(CALL_WARNINGS),
  message: Type.String(),
  workflowId: Type.String(),
  environment: Type.String(),
});

/** A call that would fail now, because what it calls is not there (yet): it keeps nothing from being published. */
export type CallWarning = Static<typeof CallWarningSchema>;
