import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Publication, Workflow } from '../../../contract/api.ts';
import { publish } from '../../api/workflows.ts';
import { ConfirmAction } from '../../ui/ConfirmAction.tsx';
import { sayDone } from '../../ui/toasts.tsx';

/** Publishes an earlier version again, after asking once. */
export function RollBack({ workflow, entry, current, onClose, onDone }: { workflow: Workflow; entry: Publication; current: string | null; onClose: () => void; onDone: () => Promise<unknown> }): ReactNode {
  const { environment, hash } = entry;
  const short = hash?.slice(0, 8) ?? '';
  const run = async () => {
    if (hash === null) return;
    await publish(workflow.id, environment, { hash, description: `Back to ${short}`, expected: current });
    await onDone();
    sayDone(`${environment} is back on ${short}`, 'The next call runs it.');
  };
  return (
    <ConfirmAction opened onClose={onClose} title={`Back to ${short} in ${environment}?`} confirmLabel={`Publish ${short} to ${environment}`} onConfirm={run} {...(environment === 'prod' ? { typed: workflow.id } : {})}>
      <Text size="sm">
        {current === null ? 'Nothing is published there now.' : <>It points to <code>{current.slice(0, 8)}</code> now.</>} The change works from the next call on; calls in flight end on the version that they began with.
      </Text>
    </ConfirmAction>
  );
}
