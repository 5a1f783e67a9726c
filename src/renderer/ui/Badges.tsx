import { Group } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import type { Environment, TaskState, WorkerEndReason, WorkerState } from '../../contract/vocabulary.ts';
import css from './Badges.module.css';
import { t } from '../../lib/language.ts';
import { useNow } from './settings.tsx';
import {
  type BadgeStatus,
  ENVIRONMENT_TONES,
  JOB_TONES,
  TASK_RETRIES,
  TASK_TONES,
  TASK_WAITS,
  type Tone,
  type ToneOf,
  WORKER_END_TONES,
  WORKER_TONES,
} from './status.ts';
import { formatAgo } from './time-text.ts';

type Size = 'small' | 'large';

export function ToneBadge({
  tone,
  icon: Icon,
  size = 'small',
  children,
}: {
  tone: Tone;
  icon?: TablerIcon | undefined;
  size?: Size;
  children: ReactNode;
}) {
  return (
    <span
      className={`${css['badge']} ${size === 'large' ? css['large'] : ''} ${Icon ? '' : css['plain']}`}
      data-shade={tone}
    >
      {Icon && <Icon size={size === 'large' ? 16 : 14} stroke={2} aria-hidden />}
      <span>{children}</span>
    </span>
  );
}

function Known({ of, size, note }: { of: ToneOf; size?: Size | undefined; note?: ReactNode }) {
  return (
    <span className={css['tip']} data-hint={of.hint}>
      <ToneBadge tone={of.tone} icon={of.icon} {...(size ? { size } : {})}>
        {of.word}
        {note}
      </ToneBadge>
    </span>
  );
}

/** Status of a job, as `badgeStatus` names it. */
export const StatusBadge = memo(function StatusBadge({ status, size }: { status: BadgeStatus; size?: Size }) {
  return <Known of={JOB_TONES[status]} size={size} />;
});

/** State of a task; a failed one that will be tried again says when, and a running one without a worker that it waits. */
export function TaskStateBadge({
  state,
  size,
  retryAt = null,
  workerId,
}: {
  state: TaskState;
  size?: Size;
  retryAt?: string | null;
  /** Null: it has none. */
  workerId?: string | null;
}) {
  return (
    <Known
      of={
        state === 'RUNNING' && workerId === null
          ? TASK_WAITS
          : state === 'FAILED' && retryAt !== null
            ? TASK_RETRIES
            : TASK_TONES[state]
      }
      size={size}
      note={state === 'FAILED' && retryAt !== null ? <RetryNote at={retryAt} /> : null}
    />
  );
}

function RetryNote({ at }: { at: string }) {
  const now = useNow();
  return <>{new Date(at).getTime() <= now ? t(', due now') : `, ${formatAgo(at, now)}`}</>;
}

export function WorkerStateBadge({
  state,
  drained = false,
  ended,
  size,
}: {
  state: WorkerState;
  drained?: boolean;
  /** Of one that is Down: how it came to that. */
  ended?: WorkerEndReason | undefined;
  size?: Size;
}) {
  if (state === 'Down' && ended !== undefined) return <Known of={WORKER_END_TONES[ended]} size={size} />;
  return <Known of={WORKER_TONES[state]} size={size} note={drained ? t(', draining') : null} />;
}

export const EnvironmentBadge = memo(function EnvironmentBadge({ environment }: { environment: Environment }) {
  return (
    <span className={`${css['badge']} ${css['environment']}`} data-shade={ENVIRONMENT_TONES[environment]}>
      {environment}
    </span>
  );
});

export const EnvironmentBadges = ({ of }: { of: readonly Environment[] }) => (
  <Group gap={4} wrap="nowrap">
    {of.map((environment) => (
      <EnvironmentBadge key={environment} environment={environment} />
    ))}
  </Group>
);
