import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { publishAction } from '../../../contract/actions.ts';
import type { Approval } from '../../../contract/approvals.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { t } from '../../../lib/language.ts';
import { approvalKeys, decideApproval, withdrawApproval } from '../../api/approvals.ts';
import { workflowKeys } from '../../api/workflows.ts';
import { useWhy, useWhyNotAdministrator, useWorkflowPlace } from '../../stores/role.ts';
import { bindText } from '../../ui/bind.ts';
import { Callout } from '../../ui/Callout.tsx';
import { ErrorLine } from '../../ui/ErrorState.tsx';
import { HashLabel } from '../../ui/HashLabel.tsx';
import { toastSuccess } from '../../ui/toasts.tsx';

/** Approve, reject, or take back. */
export function Decision({ approval: { id, mine, publish, settings } }: { approval: Approval }): ReactNode {
  const place = useWorkflowPlace(publish?.workflowId ?? null, publish?.environment);
  const whyNotAdmin = useWhyNotAdministrator();
  const whyNotThere = useWhy(
    publish === null ? 'jobs.operate' : publishAction(publish.environment),
    publish === null ? null : place,
  );
  // What is protected is for administrators to decide.
  const whyNot = settings === null ? whyNotThere : whyNotAdmin;
  const client = useQueryClient();
  const [comment, setComment] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const mayDecide = whyNot === undefined;
  const moved = error instanceof ApiError && error.code === 'ENVIRONMENT_MOVED';
  const current = moved ? error.problem['current'] : undefined;
  const said = comment.trim() === '' ? {} : { comment: comment.trim() };

  async function send(run: () => Promise<unknown>, done: string): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await run();
      toastSuccess(done, '');
    } catch (thrown) {
      setError(thrown);
    } finally {
      setBusy(false);
      for (const queryKey of [approvalKeys.all, workflowKeys.all]) void client.invalidateQueries({ queryKey });
    }
  }
  const approve = (expected?: string | null) =>
    send(
      () => decideApproval(id, { decision: 'approve', ...said, ...(expected === undefined ? {} : { expected }) }),
      t('Approved'),
    );

  if (mine)
    return (
      <Stack gap="xs">
        <Text size="sm">{t('You requested this, so another person must decide.')}</Text>
        {error !== null && <ErrorLine error={error} />}
        <Group justify="flex-end">
          <Button
            variant="default"
            loading={busy}
            onClick={() => void send(() => withdrawApproval(id), t('Request withdrawn'))}
          >
            {t('Withdraw request')}
          </Button>
        </Group>
      </Stack>
    );
  return (
    <Stack gap="xs">
      <Textarea
        label={t('Comment')}
        description={t('Shown to the requester and in the audit log')}
        {...bindText(comment, setComment)}
        maxLength={2000}
        autosize
        minRows={1}
        maxRows={5}
      />
      {moved ? (
        <Callout tone="warn" title={t('Another version is published there by now')}>
          <Group gap="xs">
            {typeof current === 'string' ? <HashLabel hash={current} /> : <Text size="sm">{t('Not published')}</Text>}
            <Button
              variant="default"
              loading={busy}
              onClick={() => void approve(typeof current === 'string' ? current : null)}
            >
              {t('Approve and replace it')}
            </Button>
          </Group>
        </Callout>
      ) : (
        error !== null && <ErrorLine error={error} />
      )}
      {!mayDecide && whyNot !== undefined && <Text size="sm">{whyNot}</Text>}
      <Group justify="flex-end">
        <Button
          variant="default"
          loading={busy}
          disabled={!mayDecide}
          onClick={() => void send(() => decideApproval(id, { decision: 'reject', ...said }), t('Rejected'))}
        >
          {t('Reject')}
        </Button>
        <Button loading={busy} disabled={!mayDecide || moved} onClick={() => void approve()}>
          {t('Approve')}
        </Button>
      </Group>
    </Stack>
  );
}
