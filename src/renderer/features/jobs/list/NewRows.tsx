import { Button } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { tn } from '../../../../lib/language.ts';
import css from './JobsPage.module.css';

/** Jobs that came in while the rows keep their places. */
export function NewRows({ rows: { news, takeNews } }: { rows: { news: number; takeNews(): void } }): ReactNode {
  if (news === 0) return null;
  return (
    <Button
      className={css['news']}
      size="compact-sm"
      leftSection={<IconArrowUp size={14} aria-hidden />}
      onClick={takeNews}
    >
      {tn('{count} new row', '{count} new rows', news)}
    </Button>
  );
}
