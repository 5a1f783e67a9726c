import { CopyButton } from './CopyButton.tsx';
import css from './CommandLine.module.css';

/** A command to paste into a terminal. */
export function CommandLine({ label, command }: { label: string; command: string }) {
  return (
    <div>
      <div className={css['label']}>{label}</div>
      <div className={css['command']}>
        <pre>
          <code>{command}</code>
        </pre>
        <div className={css['copy']}>
          <CopyButton value={command} label="Copy the command" />
        </div>
      </div>
    </div>
  );
}
