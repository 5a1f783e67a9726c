import type { NodeProps } from '@xyflow/react';
import { memo, type ReactNode, useContext, type KeyboardEvent, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { BuilderContext } from './builder-context.ts';
import classes from './FrameBox.module.css';
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

interface EditableTextProps {
  readonly value: string;
  readonly label: string;
  readonly maxLength: number;
  readonly multiline?: boolean;
  readonly onChange: (value: string) => void;
}

/** Text on the canvas that is changed where it stands: double click, or Enter on it. Enter takes the change, Escape leaves it. */
function EditableText({ value, label, maxLength, multiline = false, onChange }: EditableTextProps): ReactNode {
  const [draft, setDraft] = useState<string | null>(null);
  const done = (take: boolean) => {
    if (take && draft !== null && draft !== value) onChange(draft);
    setDraft(null);
  };
  if (draft === null) {
    return (
      <button
        type="button"
        className={classes['textButton']}
        title={t('Double-click to edit')}
        aria-label={`${label}: ${value}`}
        onDoubleClick={() => setDraft(value)}
        onKeyDown={(event) =>
          event.key === 'Enter' && (event.preventDefault(), event.stopPropagation(), setDraft(value))
        }
      >
        {value || t('(empty)')}
      </button>
    );
  }
  const keys = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') done(false);
    else if (event.key === 'Enter' && (!multiline || event.ctrlKey || event.metaKey)) done(true);
  };
  const field = {
    className: `nodrag nowheel nopan ${classes['textField']}`,
    value: draft,
    maxLength,
    'aria-label': label,
    autoFocus: true,
    onBlur: () => done(true),
    onKeyDown: keys,
  };
  return multiline ? (
    <textarea {...field} rows={5} onChange={(event) => setDraft(event.currentTarget.value)} />
  ) : (
    <input {...field} onChange={(event) => setDraft(event.currentTarget.value)} />
  );
}
