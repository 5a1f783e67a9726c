import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Publication, Workflow } from '../../../contract/api.ts';
import { t } from '../../../lib/language.ts';
import { publish } from '../../api/workflows.ts';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { rich } from '../../ui/rich.tsx';
import { sayDone } from '../../ui/toasts.tsx';

/** Publishes an earlier version again, after asking once. */
export function RollBack({ workflow, entry, current, onClose, onDone }: { workflow: Workflow; entry: Publication; current: string | null; onClose: () => void; onDone: () => Promise<unknown> }): ReactNode {
  const { environment, hash } = entry;
  const short = hash?.slice(0, 8) ?? '';
  const run = async () => {
    if (hash === null) return;
    await publish(workflow.id, environment, { hash, description: t('Back to {short}', { short }), expected: current });
    await onDone();
    sayDone(t('{environment} is back on {short}', { environment, short }), t('The next call runs it.'));
  };
  return (
    <ConfirmAction opened onClose={onClose} title={t('Back to {short} in {environment}?', { short, environment })} confirmLabel={t('Publish {short} to {environment}', { short, environment })} onConfirm={run} {...(environment === 'prod' ? { typed: workflow.id } : {})}>
      <Text size="sm">
        {rich('{value} The change works from the next call on; calls in flight end on the version that they began with.', { value: current === null ? t('Nothing is published there now.') : <>{rich('It points to {code} now.', { code: <code>{current.slice(0, 8)}</code> })}</> })}
      </Text>
    </ConfirmAction>
  );
}
