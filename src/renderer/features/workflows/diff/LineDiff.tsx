import type { ReactNode } from 'react';
import { type DiffLine, lineDiff } from '../../../../lib/line-diff.ts';
import { t, tn } from '../../../../lib/language.ts';
import classes from './LineDiff.module.css';

/** Lines that are shown around a change. */
const AROUND = 3;

const MARKS = { same: ' ', removed: '−', added: '+' } as const;

type Row = DiffLine | { readonly kind: 'skipped'; readonly count: number };

/** Code that was changed: the lines that came and went, within those around them. */
export function LineDiff({ label, before, after }: { label: string; before: string; after: string }): ReactNode {
  return (
    <pre className={classes.lines} role="group" aria-label={label} tabIndex={0}>
      {rowsOf(lineDiff(before, after)).map((row, i) =>
        row.kind === 'skipped' ? (
          <span key={i} className={classes.skipped}>
            {tn('… {count} unchanged line', '… {count} unchanged lines', row.count)}
          </span>
        ) : (
          <span key={i} className={classes.line} data-kind={row.kind}>
            <span aria-hidden="true">{MARKS[row.kind]} </span>
            {row.kind !== 'same' && (
              <span className="visually-hidden">{row.kind === 'added' ? t('added:') : t('removed:')} </span>
            )}
            {row.text}
          </span>
        ),
      )}
    </pre>
  );
}

/** Without the lines that are far from any change. */
function rowsOf(lines: readonly DiffLine[]): Row[] {
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  const rows: Row[] = [];
  for (const [i, line] of lines.entries()) {
    const last = rows.at(-1);
    if (near[i]) rows.push(line);
    else if (last?.kind === 'skipped') rows[rows.length - 1] = { kind: 'skipped', count: last.count + 1 };
    else rows.push({ kind: 'skipped', count: 1 });
  }
  return rows;
}
