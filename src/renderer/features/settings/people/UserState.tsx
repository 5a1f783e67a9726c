import { IconBan, IconCheck, IconRobot } from '@tabler/icons-react';
import type { User } from '../../../../contract/users.ts';
import { t } from '../../../../lib/language.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';

/** Whether an account works, and of what kind it is. */
export function UserState({ of }: { of: User }) {
  if (of.disabledAt !== null)
    return (
      <ToneBadge tone="empty" icon={IconBan}>
        {t('Disabled')}
      </ToneBadge>
    );
  if (of.kind === 'service')
    return (
      <ToneBadge tone="done" icon={IconRobot}>
        {t('Service account')}
      </ToneBadge>
    );
  return (
    <ToneBadge tone={of.mustChangePassword ? 'late' : 'done'} icon={IconCheck}>
      {of.mustChangePassword ? t('One-time password') : t('Active')}
    </ToneBadge>
  );
}
