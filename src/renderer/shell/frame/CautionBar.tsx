import { IconEye, IconFlame } from '@tabler/icons-react';
import type { Connection } from '../../../contract/ipc.ts';
import { t } from '../../../lib/language.ts';
import css from './CautionBar.module.css';

/** Over the whole window while it shows a cluster that matters, or one that may only be looked at. By its colour and in words. */
export function CautionBar({ connection }: { connection: Connection | undefined }) {
  if (!connection || (!connection.production && !connection.readOnly)) return null;
  return (
    <div
      className={css['bar']}
      role="note"
      aria-label={t('About this connection')}
      style={{ '--stripe': connection.colour ?? 'var(--tone-fail)' }}
    >
      {connection.production && (
        <span className={css['pill']}>
          <IconFlame size={14} aria-hidden /> {t('Production')}: {connection.name}
        </span>
      )}
      {connection.readOnly && (
        <span className={css['pill']} data-hint={t('Read-only: this app sends no changes to this cluster.')}>
          <IconEye size={14} aria-hidden /> {t('Read-only')}
        </span>
      )}
    </div>
  );
}
