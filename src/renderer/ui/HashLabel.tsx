import { t } from '../../lib/language.ts';
import { CopyButton } from './CopyButton.tsx';
import css from './HashLabel.module.css';
import { RowLink } from './RowLink.tsx';

/** A commit hash, cut; whole on hover, copied by the button that comes with it. `number`: of the version, where it is known. */
export function HashLabel({ hash, number }: { hash: string; number?: number | null | undefined }) {
  return (
    <span className={css['label']}>
      {typeof number === 'number' && <strong className={css['number']}>{t('v{number}', { number })}</strong>}
      <span data-hint={hash}>{hash.slice(0, 8)}</span>
      <CopyButton value={hash} label={t('Copy version hash')} size="xs" bare />
    </span>
  );
}

export interface IdLabelProps {
  id: string;
  /** Address it leads to. */
  to?: string;
  /** What it is the id of, for the copy button. */
  kind?: string;
  /** Characters shown of its end; UUIDv7 begin alike, their ends differ. Default: the whole id. */
  tail?: number;
}

export function IdLabel({ id, to, kind = 'id', tail }: IdLabelProps) {
  const shown = tail === undefined || id.length <= tail ? id : `…${id.slice(-tail)}`;
  const hint = shown === id ? {} : { 'data-hint': id };
  return (
    <span className={css['label']}>
      {to === undefined ? (
        <span className="clip" {...hint}>
          {shown}
        </span>
      ) : (
        <RowLink
          href={to}
          className={css['link'] ?? ''}
          label={`${kind} ${id}`}
          {...(shown === id ? {} : { hint: id })}
        >
          {shown}
        </RowLink>
      )}
      <CopyButton value={id} label={t('Copy {kind}', { kind })} size="xs" bare />
    </span>
  );
}
