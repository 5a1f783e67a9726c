/** Node types that this master runs; `input` and `output` are structure and make no task. */
export const NODE_TYPES = [
  'input',
  'transform',
  'condition',
  'code',
  'template',
  'http',
  'delay',
  'wait',
  'forEach',
  'workflow',
  'handler',
  'output',
] as const;
export type NodeType = (typeof NODE_TYPES)[number];
/** What a forEach cannot run for its items. */
export const NOT_INNER_TYPES: ReadonlySet<string> = new Set<NodeType>(['input', 'output', 'forEach']);

/** Whether a node acts on or waits for what is beyond the worker. Each type has to say so: one that is forgotten does not compile. */
const REACHES_OUTSIDE: Readonly<Record<NodeType, boolean>> = {
  input: false,
  transform: false,
  condition: false,
  code: false,
  template: false,
  http: true,
  delay: false,
  wait: true,
  // The node that it runs for its items answers for itself.
  forEach: false,
  workflow: true,
  handler: true,
  output: false,
};
/** Draft runs and replays put something in the place of these. */
export const OUTSIDE_TYPES: ReadonlySet<string> = new Set(NODE_TYPES.filter((type) => REACHES_OUTSIDE[type]));
