import { NODE_TYPES, type NodeType, NOT_INNER_TYPES } from '../../../../contract/node-types.ts';
import { t } from '../../../../lib/language.ts';

/** What people read about each node type, and the configuration that a new node starts with. */
export interface NodeTypeDoc {
  readonly type: NodeType;
  /** A few words, for lists that are narrow. */
  readonly brief: string;
  readonly summary: string;
  readonly config: Readonly<Record<string, unknown>>;
}

const DOCS: Readonly<Record<NodeType, Omit<NodeTypeDoc, 'type'>>> = {
  input: { brief: t('Entry point'), summary: t('Entry point of each input object. One per workflow.'), config: {} },
  transform: {
    brief: t('JSONata expression'),
    summary: t('Transforms its input with a JSONata expression.'),
    config: { expression: '$' },
  },
  condition: {
    brief: t('If/else'),
    summary: t('If/else: routes the input to "true" or "false".'),
    config: { expression: 'true' },
  },
  code: {
    brief: t('JavaScript'),
    summary: t('Runs JavaScript in a sandbox: the body of an async function (input, ctx).'),
    config: { source: 'ctx.log("INFO", "running");\nreturn input;' },
  },
  template: {
    brief: t('Text template'),
    summary: t('Renders a text template with {{ JSONata }}.'),
    config: { template: 'Hello {{ name }}' },
  },
  http: {
    brief: t('HTTP request'),
    summary: t('Sends an HTTP request and returns status, headers and body.'),
    config: { method: 'GET', url: 'https://example.com/{{ id }}' },
  },
  wait: {
    brief: t('Time, signal or approval'),
    summary: t('Waits for a time, a signal or an approval, without a worker.'),
    config: { for: 'approval' },
  },
  delay: { brief: t('Pause'), summary: t('Waits, then passes its input on.'), config: { seconds: 1 } },
  forEach: {
    brief: t('One task per array item'),
    summary: t('Runs one task per array item and returns the outputs in order.'),
    config: {
      items: '$',
      node: { type: 'transform', config: { expression: '$' } },
      concurrency: 10,
      onError: 'failFast',
    },
  },
  workflow: {
    brief: t('Call of another workflow'),
    summary: t('Calls a published workflow and returns its output.'),
    config: { workflowId: '', environment: 'dev' },
  },
  handler: {
    brief: t('Function of your workers'),
    summary: t('Runs a function that workers registered under this name.'),
    config: { handler: '' },
  },
  output: { brief: t('Response'), summary: t('Returns its input as the response.'), config: {} },
};

export const nodeTypeDocs: readonly NodeTypeDoc[] = NODE_TYPES.map((type) => ({ type, ...DOCS[type] }));
export const nodeTypeDoc = (type: string): NodeTypeDoc | undefined => nodeTypeDocs.find((doc) => doc.type === type);

/** What a `forEach` may run for each item. */
export const innerTypeDocs: readonly NodeTypeDoc[] = nodeTypeDocs.filter(({ type }) => !NOT_INNER_TYPES.has(type));

/** An id that no node has yet: the type, or the type with a number. */
export function freshId(type: string, taken: ReadonlySet<string>): string {
  if (!taken.has(type)) return type;
  for (let n = 2; ; n++) if (!taken.has(`${type}-${n}`)) return `${type}-${n}`;
}
