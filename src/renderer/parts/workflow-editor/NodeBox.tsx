import { IconAlertTriangle, IconArrowsSplit2, IconClock, IconCode, IconLogin2, IconLogout2, IconPlug, IconQuestionMark, IconRepeat, IconRoute, IconTemplate, IconTransform, IconWorld } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../../lib/language.ts';
import classes from './Editor.module.css';

const ICONS: Readonly<Record<string, typeof IconCode>> = {
  input: IconLogin2,
  output: IconLogout2,
  transform: IconTransform,
  condition: IconArrowsSplit2,
  code: IconCode,
  template: IconTemplate,
  http: IconWorld,
  delay: IconClock,
  forEach: IconRepeat,
  workflow: IconRoute,
  handler: IconPlug,
};

/** A node as it is drawn in a graph: icon of its type, name, type. */
export function NodeBox({ type, name, faulty = false }: { type: string; name: string; faulty?: boolean }): ReactNode {
  const Icon = ICONS[type] ?? IconQuestionMark;
  return (
    <span className={classes.nodeBox} data-faulty={faulty || undefined}>
      <Icon size={18} className={classes.nodeIcon} aria-hidden="true" />
      <span className={classes.nodeText}>
        <span className={classes.nodeName}>{name}</span>{' '}
        <span className={classes.nodeType}>{type || t('no type')}</span>
      </span>
      {faulty && <IconAlertTriangle size={14} className={classes.nodeFault} aria-hidden="true" />}
    </span>
  );
}
