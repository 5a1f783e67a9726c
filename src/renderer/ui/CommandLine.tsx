import { Box } from '@mantine/core';
import { t } from '../../lib/language.ts';
import { CopyButton } from './CopyButton.tsx';
import css from './CommandLine.module.css';

/** A command to paste into a terminal, or another text to copy; `copy` names what. */
export function CommandLine({
  label,
  command,
  copy = t('Copy command'),
}: {
  label: string;
  command: string;
  copy?: string;
}) {
  return (
    <div>
      <Box mb={4} fz="var(--text-small)" c="var(--ink-3)">
        {label}
      </Box>
      <div className={css['command']}>
        <pre>
          <code>{command}</code>
        </pre>
        <div className={css['copy']}>
          <CopyButton value={command} label={copy} />
        </div>
      </div>
    </div>
  );
}
