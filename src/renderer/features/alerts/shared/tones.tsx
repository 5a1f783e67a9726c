import {
  IconAlertTriangle,
  IconBellOff,
  IconBellRinging,
  IconCircleCheck,
  IconDatabaseOff,
  IconHourglass,
  IconPlayerPause,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import type { AlertState, Severity } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import type { Tone, ToneOf } from '../../../ui/status.ts';

const STATES: Readonly<Record<AlertState, ToneOf>> = {
  Normal: { word: t('Normal'), icon: IconCircleCheck, tone: 'done', hint: t('All good') },
  Pending: {
    word: t('Pending'),
    icon: IconHourglass,
    tone: 'sched',
    hint: t('The condition is met, but not for long enough yet'),
  },
  Alerting: {
    word: t('Firing'),
    icon: IconBellRinging,
    tone: 'fail',
    hint: t('The condition is met: notifications are sent'),
  },
  Recovering: {
    word: t('Recovering'),
    icon: IconPlayerPause,
    tone: 'partial',
    hint: t('The condition is no longer met; the alert keeps firing for a while'),
  },
  NoData: { word: t('No data'), icon: IconDatabaseOff, tone: 'late', hint: t('The query returns no data') },
  Error: { word: t('Error'), icon: IconPlugConnectedX, tone: 'mixed', hint: t('The query fails') },
};

export function AlertBadge({ state }: { state: AlertState }) {
  const { word, icon, tone, hint } = STATES[state];
  return (
    <span data-hint={hint}>
      <ToneBadge tone={tone} icon={icon}>
        {word}
      </ToneBadge>
    </span>
  );
}

const SEVERITY_TONES: Readonly<Record<Severity, Tone>> = {
  critical: 'fail',
  error: 'mixed',
  warning: 'partial',
  info: 'run',
};
export const SeverityBadge = ({ severity }: { severity: Severity }) => (
  <ToneBadge tone={SEVERITY_TONES[severity]} icon={severity === 'info' ? undefined : IconAlertTriangle}>
    {severity}
  </ToneBadge>
);

/** Why nobody is told. */
export function HeldBack({ silenced, inhibited }: { silenced: boolean; inhibited: boolean }) {
  if (!silenced && !inhibited) return null;
  return (
    <span data-hint={silenced ? t('Muted by a silence') : t('Muted because a related alert is firing')}>
      <ToneBadge tone="empty" icon={IconBellOff}>
        {silenced ? t('Silenced') : t('Inhibited')}
      </ToneBadge>
    </span>
  );
}

/** Why it is not told again. */
export const Acknowledged = ({ by }: { by: string }) => (
  <span data-hint={t('{name} is on it: no repeat messages until the alert resolves or gets worse', { name: by })}>
    <ToneBadge tone="run">{t('Acknowledged')}</ToneBadge>
  </span>
);
