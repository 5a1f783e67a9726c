import { Button } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../../lib/language.ts';
import states from '../../ui/States.module.css';
import css from './Frame.module.css';

/** In the desktop app, while the token of the connection shown is nowhere: it was kept until the app ended. No waiting helps. */
export function TokenBanner({ name }: { name: string }) {
  const navigate = useNavigate();
  return (
    <div className={css['banner']}>
      <div role="status" className={states['line']} data-shade="warn">
        <IconKey size={16} aria-hidden />
        <span>
          {t('The token for {name} was only kept until the app was closed. Enter it again to connect.', {
            name,
          })}
        </span>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => void navigate({ to: '/settings', search: { tab: 'connections' } })}
        >
          {t('Manage connections')}
        </Button>
      </div>
    </div>
  );
}
