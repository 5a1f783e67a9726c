import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './Callout.module.css';

/** A remark that stays on the page: `warn` and `fail` carry their sign, `info` is quiet. */
export function Callout({
  tone,
  title,
  children,
}: {
  tone: 'info' | 'warn' | 'fail';
  title?: string;
  children: ReactNode;
}): ReactNode {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div className={classes.note} data-tone={tone} role={tone === 'fail' ? 'alert' : 'note'}>
      <Icon size={18} className={classes.icon} aria-hidden="true" />
      <div className={classes.body}>
        {title !== undefined && <strong>{title}</strong>}
        <div>{children}</div>
      </div>
    </div>
  );
}
