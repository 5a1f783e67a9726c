import type { ReactNode } from 'react';
import css from './Field.module.css';

/** Label and value pairs in columns; as many as fit where `columns` is not given. `wide`: takes two of them. */
export function Facts({
  items,
  columns,
}: {
  items: readonly { label: string; value: ReactNode; wide?: boolean }[];
  columns?: number;
}) {
  return (
    <dl className={css['facts']} style={columns ? { '--columns': columns } : {}}>
      {items.map(({ label, value, wide }) => (
        <div key={label} data-wide={wide || undefined}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
