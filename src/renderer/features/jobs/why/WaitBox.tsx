import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Task, Why } from '../../../../contract/tasks.ts';
import { t } from '../../../../lib/language.ts';
import { Facts } from '../../../ui/Field.tsx';
import { Instant } from '../../../ui/Time.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { createSignalLink } from '../../../api/waits.ts';
import { LinkDialog } from '../../../shell/approvals/LinkDialog.tsx';
import { SignalDialog } from './SignalDialog.tsx';
import css from './WhyBox.module.css';

/** What a task at a wait node waits for, and how it comes. */
export function WaitBox({
  task,
  wait,
  whyNot,
}: {
  task: Pick<Task, 'jobId' | 'replica'>;
  wait: NonNullable<Why['wait']>;
  /** Why the reader may not send signals. */
  whyNot: string | undefined;
}): ReactNode {
  return (
    <section className={css['box']} data-shade="ready" aria-label={t('Waiting for')}>
      <h3>{t('Waiting for')}</h3>
      <p role="status">{sentenceOf(wait)}</p>
      <Facts
        items={[
          wait.name !== null && { label: t('Signal'), value: <code>{wait.name}</code> },
          wait.dueAt !== null && {
            label: wait.for === 'time' ? t('Until') : t('Deadline'),
            value: <Instant at={wait.dueAt} />,
          },
          wait.approvalId !== null && {
            label: t('Approval'),
            value: (
              <Link to="/approvals" search={{ approval: wait.approvalId }}>
                {t('Open the request')}
              </Link>
            ),
          },
        ]}
      />
      {wait.name !== null && <SendSignal jobId={task.jobId} replica={task.replica} name={wait.name} whyNot={whyNot} />}
    </section>
  );
}

function sentenceOf(wait: NonNullable<Why['wait']>): string {
  switch (wait.for) {
    case 'time':
      return t('The task waits for a time. It uses no worker slot.');
    case 'signal':
      return t('The task waits for a signal. It uses no worker slot.');
    case 'approval':
      return t('The task waits until a person approves or rejects. It uses no worker slot.');
  }
}

function SendSignal({
  jobId,
  replica,
  name,
  whyNot,
}: {
  jobId: string;
  replica: number;
  name: string;
  whyNot: string | undefined;
}): ReactNode {
  const [isOpen, setOpen] = useState<'signal' | 'link' | null>(null);
  const close = () => setOpen(null);
  return (
    <Group>
      <ReasonButton size="xs" variant="default" reason={whyNot ?? null} onClick={() => setOpen('signal')}>
        {t('Send signal…')}
      </ReasonButton>
      <ReasonButton size="xs" variant="subtle" reason={whyNot ?? null} onClick={() => setOpen('link')}>
        {t('One-time link…')}
      </ReasonButton>
      {isOpen === 'signal' && <SignalDialog jobId={jobId} replica={replica} name={name} onClose={close} />}
      {isOpen === 'link' && (
        <LinkDialog
          text={t('Somebody without an account sends the signal {name} with it.', { name })}
          make={(body) => createSignalLink(jobId, name, { ...body, replica })}
          onClose={close}
        />
      )}
    </Group>
  );
}
