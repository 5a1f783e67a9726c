import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import classes from './CanvasTools.module.css';

/** On a canvas with nothing on it: what a graph begins with, at a click. */
export function EmptyGraph({ onBegin }: { onBegin(): void }): ReactNode {
  return (
    <div className={classes['empty']}>
      <strong>{t('No nodes yet.')}</strong>
      <p>
        {t('Add an input and an output node to start. Add nodes between them from the list on the left, or press A.')}
      </p>
      <Button leftSection={<IconPlus size={15} aria-hidden="true" />} onClick={onBegin}>
        {t('Add input and output')}
      </Button>
    </div>
  );
}
