import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Action } from '../../../../contract/actions.ts';
import { t } from '../../../../lib/language.ts';
import { ACTION_WORDS, FAR_REACHING_WORDS } from '../../../stores/action-words.ts';
import css from './FarReaching.module.css';

/** What a role allows that reaches further than its words say; nothing where it has none of that. */
export function FarReaching({
  actions,
  isAdministrator,
}: {
  actions: readonly Action[];
  /** It is the built-in role, everywhere: all the rest goes without saying. */
  isAdministrator: boolean;
}): ReactNode {
  const points = isAdministrator
    ? [{ name: t('Administrator'), text: t('May do everything, also give roles and make others administrators.') }]
    : actions.flatMap((action) => {
        const text = FAR_REACHING_WORDS[action];
        return text === undefined ? [] : [{ name: ACTION_WORDS[action], text }];
      });
  if (points.length === 0) return null;
  return (
    <div className={css['box']} data-shade="warn" role="note" aria-label={t('Reaches far')}>
      <IconAlertTriangle size={16} aria-hidden />
      <ul>
        {points.map(({ name, text }) => (
          <li key={name}>
            <strong>{name}</strong>: {text}
          </li>
        ))}
      </ul>
    </div>
  );
}
