import type { Definition, WorkflowNode } from '../../../../contract/definition.ts';
import { OUTSIDE_TYPES } from '../../../../contract/node-types.ts';
import { isRecord } from '../../../../lib/is-record.ts';
import { t, tn } from '../../../../lib/language.ts';

/** Words for the box that makes draft runs do what they else only pretend to; null: no node of the draft asks for it. */
export function effectLabels({ nodes }: Definition): { readonly label: string; readonly hint: string } | null {
  const types = nodes.map(outsideType);
  const waits = types.filter((type) => type === 'wait').length;
  const calls = types.filter((type) => type !== null).length - waits;
  if (calls + waits === 0) return null;
  const waiting =
    waits === 0
      ? null
      : tn(
          '{count} node waits: unless this is checked, the run goes on at once.',
          '{count} nodes wait: unless this is checked, the run goes on at once.',
          waits,
        );
  if (calls === 0) return { label: t('Wait for real'), hint: waiting ?? '' };
  const calling = tn(
    '{count} node calls external services: unless this is checked, a mock runs instead.',
    '{count} nodes call external services: unless this is checked, mocks run instead.',
    calls,
  );
  return {
    label: waits === 0 ? t('Make real external calls') : t('Make real external calls and wait'),
    hint: [calling, waiting].filter((part) => part !== null).join(' '),
  };
}

/** What a node, or what it runs for each item, does outside of the run; null: nothing. */
function outsideType({ type, config }: WorkflowNode): string | null {
  const inner = isRecord(config?.['node']) ? String(config['node']['type']) : '';
  return OUTSIDE_TYPES.has(type) ? type : OUTSIDE_TYPES.has(inner) ? inner : null;
}
