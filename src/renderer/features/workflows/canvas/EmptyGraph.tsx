import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import classes from './Canvas.module.css';

/** On a canvas with nothing on it: what a graph begins with, at a click. */
export function EmptyGraph({ onBegin }: { onBegin(): void }): ReactNode {
  return (
    <div className={classes['empty']}>
      <strong>{t('There is no node yet.')}</strong>
      <p>
        {t(
          'A graph leads from an input node to an output node. What lies between them comes from the list at the left, or with the key A.',
        )}
      </p>
      <Button leftSection={<IconPlus size={15} aria-hidden="true" />} onClick={onBegin}>
        {t('Add input and output')}
      </Button>
    </div>
  );
}
