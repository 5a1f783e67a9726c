import {
  IconArrowsSplit2,
  IconClock,
  IconHourglass,
  IconCode,
  IconLogin2,
  IconLogout2,
  IconPlug,
  IconQuestionMark,
  IconRepeat,
  IconRoute,
  IconTemplate,
  IconTransform,
  IconWorld,
} from '@tabler/icons-react';
import type { WorkflowNode } from '../../../contract/definition.ts';
import type { NodeType } from '../../../contract/node-types.ts';
import { t } from '../../../lib/language.ts';

/** What a type of node looks like. `kind` gives the tint: where data enters and leaves, what shapes it, what decides, what reaches outside, what waits. */
interface NodeStyle {
  readonly icon: typeof IconCode;
  readonly kind: 'ends' | 'shape' | 'flow' | 'outside' | 'wait' | 'unknown';
}
const LOOKS: Readonly<Record<NodeType, NodeStyle>> = {
  input: { icon: IconLogin2, kind: 'ends' },
  output: { icon: IconLogout2, kind: 'ends' },
  transform: { icon: IconTransform, kind: 'shape' },
  template: { icon: IconTemplate, kind: 'shape' },
  code: { icon: IconCode, kind: 'shape' },
  condition: { icon: IconArrowsSplit2, kind: 'flow' },
  forEach: { icon: IconRepeat, kind: 'flow' },
  workflow: { icon: IconRoute, kind: 'flow' },
  http: { icon: IconWorld, kind: 'outside' },
  handler: { icon: IconPlug, kind: 'outside' },
  delay: { icon: IconClock, kind: 'wait' },
  wait: { icon: IconHourglass, kind: 'wait' },
};
const UNKNOWN: NodeStyle = { icon: IconQuestionMark, kind: 'unknown' };

export const nodeStyle = (type: string): NodeStyle => (Object.hasOwn(LOOKS, type) ? LOOKS[type as NodeType] : UNKNOWN);

const MOST = 60;

/** What a wait node waits for. */
function waitSummary(config: Readonly<Record<string, unknown>>, text: (key: string) => string): string {
  if (config['for'] === 'signal') return t('signal {name}', { name: text('name') }).trim();
  if (config['for'] === 'approval') return text('title') || t('approval');
  return config['seconds'] === undefined ? text('until') : t('{seconds} s', { seconds: String(config['seconds']) });
}

/** What a node does, in the words of its own settings; empty where they say nothing. */
export function nodeSummary({ type, config = {} }: Pick<WorkflowNode, 'type' | 'config'>): string {
  const text = (key: string): string =>
    typeof config[key] === 'string' ? config[key].trim().replace(/\s+/g, ' ').slice(0, MOST) : '';
  switch (type) {
    case 'transform':
    case 'condition':
      return text('expression');
    case 'template':
      return text('template');
    case 'code':
      return text('source');
    case 'http':
      return `${text('method')} ${text('url').replace(/^https?:\/\//, '')}`.trim();
    case 'delay':
      return config['seconds'] === undefined ? '' : t('{seconds} s', { seconds: String(config['seconds']) });
    case 'wait':
      return waitSummary(config, text);
    case 'forEach':
      return text('items');
    case 'workflow':
      return [text('workflowId'), text('environment')].filter(Boolean).join(' · ');
    case 'handler':
      return text('handler');
    default:
      return '';
  }
}
