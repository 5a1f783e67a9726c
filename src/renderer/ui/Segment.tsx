import { Stack } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import css from './Segment.module.css';

/** A titled card. `flush`: its content reaches the edges (lists, tables). */
export function Section({
  title,
  actions,
  flush = false,
  children,
}: {
  title: ReactNode;
  actions?: ReactNode;
  flush?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Stack component="section" className="card" gap={0} miw={0} aria-labelledby={id}>
      <div className={css['head']}>
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      <div className={flush ? css['flush'] : css['body']}>{children}</div>
    </Stack>
  );
}
