import { NODE_TYPES, type NodeType } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';

/** What people read about each node type, and the configuration that a new node starts with. */
export interface NodeTypeDoc {
  readonly type: NodeType;
  readonly summary: string;
  readonly config: Readonly<Record<string, unknown>>;
}

const DOCS: Readonly<Record<NodeType, Omit<NodeTypeDoc, 'type'>>> = {
  input: { summary: t('Where each input object enters. One in a workflow.'), config: {} },
  transform: { summary: t('Shapes its input with a JSONata expression.'), config: { expression: '$' } },
  condition: { summary: t('Hands its input on over port true or false.'), config: { expression: 'true' } },
  code: {
    summary: t('Runs JavaScript in a sandbox: the body of an async function (input, ctx).'),
    config: { source: 'ctx.log("INFO", "running");\nreturn input;' },
  },
  template: {
    summary: t('Makes a text from a template with {{ JSONata }}.'),
    config: { template: 'Hello {{ name }}' },
  },
  http: {
    summary: t('Calls a web service and hands on status, headers and body.'),
    config: { method: 'GET', url: 'https://example.com/{{ id }}' },
  },
  delay: { summary: t('Waits, then hands its input on.'), config: { seconds: 1 } },
  forEach: {
    summary: t('Makes one task for each item of a list; hands on the outputs in order.'),
    config: {
      items: '$',
      node: { type: 'transform', config: { expression: '$' } },
      concurrency: 10,
      onError: 'failFast',
    },
  },
  workflow: {
    summary: t('Calls a published workflow and hands on its output.'),
    config: { workflowId: '', environment: 'dev' },
  },
  handler: { summary: t('Runs a function that workers have registered under this name.'), config: { handler: '' } },
  output: { summary: t('The end: its input is the answer.'), config: {} },
};

export const nodeTypeDocs: readonly NodeTypeDoc[] = NODE_TYPES.map((type) => ({ type, ...DOCS[type] }));
export const nodeTypeDoc = (type: string): NodeTypeDoc | undefined => nodeTypeDocs.find((doc) => doc.type === type);

/** What a `forEach` may run for each item; the checker of the master holds to the same. */
const NOT_INSIDE: ReadonlySet<string> = new Set<NodeType>(['input', 'output', 'forEach']);
export const innerTypeDocs: readonly NodeTypeDoc[] = nodeTypeDocs.filter(({ type }) => !NOT_INSIDE.has(type));

/** An id that no node has yet: the type, or the type with a number. */
export function freshId(type: string, taken: ReadonlySet<string>): string {
  if (!taken.has(type)) return type;
  for (let n = 2; ; n++) if (!taken.has(`${type}-${n}`)) return `${type}-${n}`;
}
