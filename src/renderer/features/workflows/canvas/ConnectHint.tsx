import { useConnection } from '@xyflow/react';
import type { ReactNode } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import classes from './CanvasTools.module.css';
import { whyNotConnect } from './connect-rules.ts';

/** While an edge is drawn: what letting go here would do, or why it would do nothing. */
export function ConnectHint({ definition }: { definition: Definition }): ReactNode {
  const words = useConnection((now) => {
    if (!now.inProgress) return null;
    if (!now.toNode || now.fromHandle.type !== 'source')
      return `=${t('Drop on a node to connect, or on the canvas to add one.')}`;
    const port = now.fromHandle.id && now.fromHandle.id !== 'out' ? { port: now.fromHandle.id } : {};
    const why = whyNotConnect(definition, { from: now.fromNode.id, to: now.toNode.id, ...port });
    return why === null ? `=${t('Drop to connect.')}` : `!${why}`;
  });
  if (words === null) return null;
  return (
    <p className={classes['hint']} data-refused={words.startsWith('!') || undefined} role="status">
      {words.slice(1)}
    </p>
  );
}
