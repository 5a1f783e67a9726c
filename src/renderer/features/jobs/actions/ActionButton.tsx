import { Button, Tooltip } from '@mantine/core';
import { IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import type { JobAction, Permission } from './check-job-action.ts';

const FACES = {
  kill: { icon: IconPlayerStop, word: t('Kill') },
  retry: { icon: IconRefresh, word: t('Retry') },
} as const;

/** A button that stays reachable where it may not be used, and says why. */
export function ActionButton({
  action,
  may,
  onClick,
}: {
  action: JobAction;
  may: Permission;
  onClick(): void;
}): ReactNode {
  const { icon: Icon, word } = FACES[action];
  return (
    <Tooltip label={may.ok ? '' : may.reason} disabled={may.ok} events={{ hover: true, focus: true, touch: true }}>
      <Button
        variant="default"
        leftSection={<Icon size={15} aria-hidden />}
        {...(may.ok ? {} : { 'data-disabled': true })}
        aria-disabled={!may.ok}
        onClick={(event) => {
          if (may.ok) onClick();
          else event.preventDefault();
        }}
      >
        {word}
        {!may.ok && <span className="visually-hidden">. {may.reason}</span>}
      </Button>
    </Tooltip>
  );
}
