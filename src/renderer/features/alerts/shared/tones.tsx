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
  Normal: { word: t('Normal'), icon: IconCircleCheck, tone: 'done', hint: t('Nothing is wrong') },
  Pending: {
    word: t('Pending'),
    icon: IconHourglass,
    tone: 'sched',
    hint: t('The condition holds, but not for long enough yet'),
  },
  Alerting: { word: t('Firing'), icon: IconBellRinging, tone: 'fail', hint: t('The condition holds: people are told') },
  Recovering: {
    word: t('Recovering'),
    icon: IconPlayerPause,
    tone: 'partial',
    hint: t('The condition holds no longer; it keeps firing for a while'),
  },
  NoData: { word: t('No data'), icon: IconDatabaseOff, tone: 'late', hint: t('The query finds nothing') },
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
    <span
      data-hint={
        silenced ? t('A silence keeps its messages back') : t('Another alert is the cause; it is told instead')
      }
    >
      <ToneBadge tone="empty" icon={IconBellOff}>
        {silenced ? t('Silenced') : t('Inhibited')}
      </ToneBadge>
    </span>
  );
}

/** Why it is not told again. */
export const Acknowledged = ({ by }: { by: string }) => (
  <span data-hint={t('{name} looks after it: its messages are not repeated until it ends or gets worse', { name: by })}>
    <ToneBadge tone="run">{t('Acknowledged')}</ToneBadge>
  </span>
);
