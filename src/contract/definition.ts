import { type Static, Type } from 'typebox';
import { enumOf, Closed, Nullable } from './shapes.ts';
import { CALL_WARNINGS, ENVIRONMENTS, SIGNAL_NAME, WAIT_KINDS, WAIT_TIMEOUTS, type WaitKind } from './vocabulary.ts';

/** The workflow definition. Loose where a faulty graph is work in progress: graph faults are found by the checker, not by this schema. */

const Seconds = (description: string) => Type.Number({ minimum: 0, maximum: 604_800, description });

export const NodeSchema = Closed({
  id: Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[A-Za-z0-9_][A-Za-z0-9_.:-]*$',
    description: 'Unique in the workflow; used by edges',
  }),
  type: Type.String({ minLength: 1, maxLength: 64, description: 'Node type' }),
  name: Type.Optional(Type.String({ maxLength: 200, description: 'Shown instead of the ID' })),
  config: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Settings of this node type' })),
  position: Type.Optional(Closed({ x: Type.Number(), y: Type.Number() }, { description: 'Position on the canvas' })),
  retries: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Retries after a retryable error; default 3',
    }),
  ),
  retryBackoffSeconds: Type.Optional(Seconds('Wait before the first retry; doubles with each retry')),
  scheduleTimeoutSeconds: Type.Optional(Seconds('Schedule timeout: max. wait for a worker')),
  runTimeoutSeconds: Type.Optional(Seconds('Run timeout of one attempt')),
  join: Type.Optional(
    Type.Union([Type.Literal('keyed'), Type.Literal('value')], {
      description: 'With several incoming edges: an object keyed by predecessor, or the value of the one that ran',
    }),
  ),
});
export type WorkflowNode = Static<typeof NodeSchema>;

export const EdgeSchema = Closed({
  from: Type.String({ maxLength: 100, description: 'ID of the source node' }),
  to: Type.String({ maxLength: 100, description: 'ID of the target node' }),
  port: Type.Optional(
    Type.String({ maxLength: 64, description: 'After a condition: true or false; not set on other edges' }),
  ),
});
export type WorkflowEdge = Static<typeof EdgeSchema>;

const Id = (description: string) => Type.String({ minLength: 1, maxLength: 100, description });

/** What only people see on the canvas; nothing that runs looks at it. Absent where a workflow has neither (docs/decisions/0024). */
export const CanvasSchema = Closed({
  notes: Type.Optional(
    Type.Array(
      Closed({
        id: Id('Unique note ID'),
        text: Type.String({ maxLength: 4000, description: 'Text' }),
        position: Closed({ x: Type.Number(), y: Type.Number() }, { description: 'Position on the canvas' }),
      }),
      { maxItems: 200, description: 'Notes on the canvas' },
    ),
  ),
  groups: Type.Optional(
    Type.Array(
      Closed({
        id: Id('Unique group ID'),
        name: Type.String({ maxLength: 200, description: 'Title of the frame' }),
        nodes: Type.Array(Type.String({ maxLength: 100 }), {
          maxItems: 2000,
          description: 'IDs of the nodes in the group',
        }),
      }),
      { maxItems: 200, description: 'Groups of nodes' },
    ),
  ),
});

export const DefinitionSchema = Closed({
  schemaVersion: Type.Literal(1, { description: 'Version of this format' }),
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Display name' }),
  input: Type.Optional(
    Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Boolean()], {
      description: 'JSON Schema for each input object',
    }),
  ),
  response: Type.Union([Type.Literal('list'), Type.Literal('first')], {
    description: 'list: one output per input; first: only the output of the first input',
  }),
  nodes: Type.Array(NodeSchema, { maxItems: 2000, description: 'Nodes of the graph' }),
  edges: Type.Array(EdgeSchema, { maxItems: 10_000, description: 'Connections between nodes' }),
  output: Type.String({ maxLength: 100, description: 'ID of the output node; its input is the response' }),
  canvas: Type.Optional(CanvasSchema),
});
export type Definition = Static<typeof DefinitionSchema>;

/** The longest wait that a node may name: ten years. The limit `waitDays` is usually lower. */
const MAX_WAIT_SECONDS = 3660 * 86_400;

/** The configuration of each node type. Forms, validation and completion come from these. */
export const NODE_CONFIGS = {
  input: Closed({}),
  output: Closed({}),
  transform: Closed({ expression: Type.String({ minLength: 1, description: 'JSONata on the input' }) }),
  condition: Closed({
    expression: Type.String({ minLength: 1, description: 'JSONata; truthy results take the port true' }),
  }),
  code: Closed({
    source: Type.String({ description: 'Body of an async function (input, ctx)' }),
    timeoutSeconds: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 3600, description: 'Timeout of the code; default 30' }),
    ),
  }),
  template: Closed({ template: Type.String({ description: 'Text with {{ JSONata }}' }) }),
  http: Closed({
    method: Type.Union(
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((m) => Type.Literal(m)),
      { description: 'HTTP method' },
    ),
    url: Type.String({ minLength: 1, description: 'Supports {{ JSONata }}' }),
    headers: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Values support {{ JSONata }}' })),
    query: Type.Optional(
      Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
        description: 'Added to the URL',
      }),
    ),
    body: Type.Optional(Type.Unknown({ description: 'Sent as JSON; strings are sent as they are' })),
    timeoutSeconds: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: 600, description: 'Response timeout; default 30' }),
    ),
  }),
  delay: Closed({ seconds: Type.Number({ minimum: 0, maximum: 3600, description: 'Delay, 0 to 3600' }) }),
  wait: Closed({
    for: Type.Union(
      WAIT_KINDS.map((kind) => Type.Literal(kind)),
      { description: 'What it waits for' },
    ),
    seconds: Type.Optional(
      Type.Number({ minimum: 0, maximum: MAX_WAIT_SECONDS, description: 'Time: how long, in seconds' }),
    ),
    until: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'Time: until when, as ISO 8601 time; supports {{ JSONata }}',
      }),
    ),
    name: Type.Optional(
      Type.String({ pattern: SIGNAL_NAME, description: 'Signal: its name; default: the ID of the node' }),
    ),
    title: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2000,
        description: 'Approval: the question, shown to approvers; supports {{ JSONata }}',
      }),
    ),
    approvers: Type.Optional(
      Closed(
        {
          roles: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50 })),
          people: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 })),
        },
        {
          description:
            'Approval: roles, or sign-in names or IDs of accounts, that may decide; default: whoever may operate the jobs',
        },
      ),
    ),
    form: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), { description: 'Approval: JSON Schema of what approvers fill in' }),
    ),
    timeoutSeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: MAX_WAIT_SECONDS,
        description: 'Deadline of a signal or an approval, in seconds',
      }),
    ),
    onTimeout: Type.Optional(
      Type.Union(
        WAIT_TIMEOUTS.map((what) => Type.Literal(what)),
        { description: 'After the deadline: fail (default), continue, or decide the approval' },
      ),
    ),
    onReject: Type.Optional(
      Type.Union([Type.Literal('fail'), Type.Literal('continue')], {
        description: 'After a rejection: fail (default), or continue with the decision as output',
      }),
    ),
    remindSeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: MAX_WAIT_SECONDS,
        description: 'Approval: approvers are notified again after this time, in seconds',
      }),
    ),
  }),
  forEach: Closed({
    items: Type.String({
      minLength: 1,
      description: 'JSONata that returns an array; each item is the input of one task',
    }),
    node: Closed({
      type: Type.String({ minLength: 1, maxLength: 64, description: 'Node type to run for each item' }),
      config: Type.Record(Type.String(), Type.Unknown(), { description: 'Settings of that node type' }),
    }),
    concurrency: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'Max. concurrency; default 10' }),
    ),
    onError: Type.Optional(
      Type.Union([Type.Literal('failFast'), Type.Literal('collect')], {
        description: 'failFast: a failed item fails the replica; collect: its result is {error: {code, message}}',
      }),
    ),
  }),
  workflow: Closed({
    workflowId: Type.String({ minLength: 1, maxLength: 63, description: 'Workflow to call' }),
    environment: Type.Union(
      ENVIRONMENTS.map((environment) => Type.Literal(environment)),
      { description: 'Environment of the called workflow' },
    ),
  }),
  handler: Closed({
    handler: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Name of the function registered by workers',
    }),
  }),
} as const;

/** What a wait node may have besides `for`. */
export const WAIT_FIELDS: Readonly<Record<WaitKind, readonly string[]>> = {
  time: ['seconds', 'until'],
  signal: ['name', 'timeoutSeconds', 'onTimeout'],
  approval: ['title', 'approvers', 'form', 'timeoutSeconds', 'onTimeout', 'onReject', 'remindSeconds'],
};

export const DefinitionFaultSchema = Type.Object({
  pointer: Type.String(),
  code: Type.String(),
  message: Type.String(),
});

/** What the checker finds in a graph; `pointer` leads into the definition, such as `/nodes/2/type`. */
export type DefinitionFault = Static<typeof DefinitionFaultSchema>;

export const CallWarningSchema = Type.Object({
  pointer: Type.String(),
  code: enumOf(CALL_WARNINGS),
  message: Type.String(),
  workflowId: Type.String(),
  environment: Type.String(),
});

/** A call that would fail now, because what it calls is not there (yet): it keeps nothing from being published. */
export type CallWarning = Static<typeof CallWarningSchema>;

export const PortWarningSchema = Type.Object({
  pointer: Type.String({ description: 'The condition' }),
  code: Type.Literal('PORT_UNCONNECTED'),
  message: Type.String(),
  port: Type.String(),
});

/** A port of a condition from which no edge leads: an input that takes it goes no further. It may be meant, so it keeps nothing from being published. */
type PortWarning = Static<typeof PortWarningSchema>;

/** A node that only computes and from which no edge leads. It may check something, so it keeps nothing from being published. */
export const ResultWarningSchema = Type.Object({
  pointer: Type.String({ description: 'The node' }),
  code: Type.Literal('RESULT_UNUSED'),
  message: Type.String(),
  node: Type.String(),
});

export const FieldWarningSchema = Type.Object({
  pointer: Type.String({ description: 'The expression' }),
  code: Type.Literal('FIELD_UNKNOWN'),
  message: Type.String(),
  field: Type.String({ description: 'Its path in the input of the workflow' }),
  suggestion: Nullable(Type.String({ description: 'The field of the input schema whose name is most like it' })),
});

/** A field that an expression reads and the input schema does not name: it may come nevertheless, so it keeps nothing from being published. */
export type FieldWarning = Static<typeof FieldWarningSchema>;

/** What a graph may not be meant to do: an edge is missing, or an expression reads what does not come. */
export type GraphWarning = PortWarning | Static<typeof ResultWarningSchema> | FieldWarning;

export const DefinitionWarningSchema = Type.Union([
  CallWarningSchema,
  PortWarningSchema,
  ResultWarningSchema,
  FieldWarningSchema,
]);
export type DefinitionWarning = Static<typeof DefinitionWarningSchema>;
