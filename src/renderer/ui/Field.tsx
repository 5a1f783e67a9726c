import type { ReactNode } from 'react';
import css from './Field.module.css';

interface Fact {
  readonly label: string;
  readonly value: ReactNode;
  /** Takes two columns. */
  readonly wide?: boolean;
}

/** Label and value pairs in columns; as many as fit where `columns` is not given. False: one that is not there. */
export function Facts({ items, columns }: { items: readonly (Fact | false)[]; columns?: number }) {
  return (
    <dl className={css['facts']} style={columns ? { '--columns': columns } : {}}>
      {items.map(
        (item) =>
          item && (
            <div key={item.label} data-wide={item.wide || undefined}>
              <dt>{item.label}</dt>
              <dd>{item.value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
