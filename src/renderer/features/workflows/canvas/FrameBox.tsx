import type { NodeProps } from '@xyflow/react';
import { memo, type ReactNode, useContext } from 'react';
import { t } from '../../../../lib/language.ts';
import { BuilderContext } from './builder-context.ts';
import classes from './FrameBox.module.css';
import { EditableText } from './EditableText.tsx';
import { afterSlash, type FrameNode, type NoteNode } from './flow.ts';

/** The frame around a group. It is dragged by its head, and its nodes with it. */
export const FrameBox = memo(function FrameBox({ id, data, selected }: NodeProps<FrameNode>): ReactNode {
  const builder = useContext(BuilderContext);
  return (
    <div className={classes['frame']} data-selected={selected || undefined}>
      <div className={classes['frameHead']} data-frame-head>
        <EditableText
          value={data.name}
          label={t('Group name')}
          maxLength={200}
          onChange={(name) => builder?.renameGroup(afterSlash(id), name)}
        />
      </div>
    </div>
  );
});

/** A note beside the nodes. */
export const NoteBox = memo(function NoteBox({ id, data, selected }: NodeProps<NoteNode>): ReactNode {
  const builder = useContext(BuilderContext);
  return (
    <div className={classes['note']} data-selected={selected || undefined}>
      <EditableText
        value={data.text}
        label={t('Note text')}
        maxLength={4000}
        multiline
        onChange={(text) => builder?.setNoteText(afterSlash(id), text)}
      />
    </div>
  );
});
