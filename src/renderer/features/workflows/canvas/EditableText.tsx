import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import classes from './FrameBox.module.css';

export interface EditableTextProps {
  readonly value: string;
  readonly label: string;
  readonly maxLength: number;
  readonly multiline?: boolean;
  readonly onChange: (value: string) => void;
}

/** Text on the canvas that is changed where it stands: double click, or Enter on it. Enter takes the change, Escape leaves it. */
export function EditableText({ value, label, maxLength, multiline = false, onChange }: EditableTextProps): ReactNode {
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
