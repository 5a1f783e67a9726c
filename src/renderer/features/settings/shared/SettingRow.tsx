import type { ReactNode } from 'react';
import css from './Settings.module.css';

/** One setting: what it is called and does, and beside it the field that changes it. */
export const SettingRow = ({ label, help, children }: { label: string; help: string; children: ReactNode }) => (
  <div className={css['row']}>
    <div>
      <div>{label}</div>
      <div className={css['help']}>{help}</div>
    </div>
    {children}
  </div>
);
