import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
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
import { useSending } from '../../ui/use-sending.ts';
import { FormFields } from './FormFields.tsx';
import { createApprovalLink } from '../../api/waits.ts';
import { LinkDialog } from '../../shell/approvals/LinkDialog.tsx';
import { useFormAnswer } from './use-form-answer.ts';

/** Approve, reject, or take back. */
export function Decision({
  approval: { id, mine, publish, settings, wait, mayDecide: isApprover },
}: {
  approval: Approval;
}): ReactNode {
  const of = publish ?? wait;
  const place = useWorkflowPlace(of?.workflowId ?? null, of?.environment ?? undefined);
  const whyNotAdmin = useWhyNotAdministrator();
  const whyNotThere = useWhy(
    publish === null ? 'jobs.operate' : publishAction(publish.environment),
    of === null ? null : place,
  );
  const answer = useFormAnswer(wait?.form ?? null);
  // What is protected is for administrators to decide.
  const whyNot =
    settings !== null
      ? whyNotAdmin
      : wait !== null && isApprover === false
        ? t('You are not one of the approvers.')
        : whyNotThere;
  const client = useQueryClient();
  const [comment, setComment] = useState('');
  const sending = useSending();
  const { busy, error } = sending;
  const mayDecide = whyNot === undefined;
  const moved = error instanceof ApiError && error.code === 'ENVIRONMENT_MOVED';
  const current = moved ? error.problem['current'] : undefined;
  const said = comment.trim() === '' ? {} : { comment: comment.trim() };

  const send = (run: () => Promise<unknown>, done: string) =>
    sending.send(async () => {
      try {
        await run();
        toastSuccess(done, '');
      } catch (thrown) {
        if (!answer.refused(thrown)) throw thrown;
      } finally {
        for (const queryKey of [approvalKeys.all, workflowKeys.all]) void client.invalidateQueries({ queryKey });
      }
    });
  const [linking, setLinking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  async function approve(expected?: string | null): Promise<void> {
    const filled = answer.value();
    if (filled !== undefined)
      await send(
        () =>
          decideApproval(id, {
            decision: 'approve',
            ...said,
            ...(expected === undefined ? {} : { expected }),
            ...filled,
          }),
        t('Approved'),
      );
    // What is wrong is in sight and under the keys, once it is drawn.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && mayDecide && !moved) void approve();
  };

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
    <>
      <form ref={form} onSubmit={submit} noValidate autoComplete="off" aria-label={t('Answer')}>
        <Stack gap="xs">
          <FormFields answer={answer} />
          <Textarea
            label={t('Comment')}
            description={
              wait ? t('Kept with the decision and in the audit log') : t('Shown to the requester and in the audit log')
            }
            {...bindText(comment, setComment)}
            maxLength={2000}
            autosize
            minRows={1}
            maxRows={5}
          />
          {moved ? (
            <Callout tone="warn" title={t('Another version is published there by now')}>
              <Group gap="xs">
                {typeof current === 'string' ? (
                  <HashLabel hash={current} />
                ) : (
                  <Text size="sm">{t('Not published')}</Text>
                )}
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
            {wait !== null && (
              <Button variant="subtle" mr="auto" disabled={!mayDecide} title={whyNot} onClick={() => setLinking(true)}>
                {t('One-time link…')}
              </Button>
            )}
            <Button
              variant="default"
              loading={busy}
              disabled={!mayDecide}
              title={whyNot}
              onClick={() => void send(() => decideApproval(id, { decision: 'reject', ...said }), t('Rejected'))}
            >
              {t('Reject')}
            </Button>
            <Button type="submit" loading={busy} disabled={!mayDecide || moved} title={whyNot}>
              {t('Approve')}
            </Button>
          </Group>
        </Stack>
      </form>
      {linking && (
        <LinkDialog
          text={t('Somebody without an account decides this request with it.')}
          make={(body) => createApprovalLink(id, body)}
          onClose={() => setLinking(false)}
        />
      )}
    </>
  );
}
