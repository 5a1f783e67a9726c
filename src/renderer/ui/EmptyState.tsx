import { IconInbox, type TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import css from './States.module.css';

/** Nothing is there: `children` says what would fill it, `action` is the button or command that does. */
export function EmptyState({
  icon: Icon = IconInbox,
  title,
  children,
  action,
}: {
  icon?: TablerIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={css['state']}>
      <Icon size={30} stroke={1.5} aria-hidden />
      <p className={css['title']}>{title}</p>
      {children && <div className={css['text']}>{children}</div>}
      {action && <div className={css['actions']}>{action}</div>}
    </div>
  );
}
