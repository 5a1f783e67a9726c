import { t } from '../../lib/language.ts';
import css from './UsageBar.module.css';

/** How much of a capacity is taken, as a bar with its numbers; full is told by the colour and the numbers. */
export function UsageBar({
  label,
  used,
  of,
  high = false,
}: {
  label: string;
  used: number;
  of: number;
  high?: boolean;
}) {
  const share = of === 0 ? 0 : Math.min(1, used / of);
  return (
    <div
      className={css['bar']}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={used}
      aria-valuetext={t('{used} of {of}', { used, of })}
    >
      <div className={`${css['track']} ${high ? css['high'] : ''}`}>
        <div className={css['part']} data-shade={share >= 1 ? 'partial' : 'run'} style={{ width: `${share * 100}%` }} />
      </div>
      <span className={css['text']}>
        {used} / {of}
      </span>
    </div>
  );
}
