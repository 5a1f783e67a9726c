import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import { Text } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import { t } from '../../../../lib/language.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import type { DefinitionMark } from '../definition/marks.ts';
import classes from './Editor.module.css';
import type { EditorSession } from '../draft/session.ts';
import { useKnownNames } from './use-names.ts';

export interface TextPaneProps {
  readonly workflowId: string;
  readonly session: EditorSession;
  readonly text: string;
  readonly marks: readonly DefinitionMark[];
  readonly onSave: () => void;
  /** Null when it goes. */
  readonly onCreate: (view: EditorView | null) => void;
}

const SEVERITY = { save: 'error', publish: 'warning' } as const;

/** The text of a draft. What is undone in it is undone in the draft, whichever view made the change. */
export function TextPane({ workflowId, session, text, marks, onSave, onCreate }: TextPaneProps): ReactNode {
  const completions = useKnownNames();
  const extensions = useMemo((): Extension => {
    const undo = () => (session.undo(), true);
    const redo = () => (session.redo(), true);
    return Prec.highest(
      keymap.of([
        { key: 'Mod-z', run: undo, preventDefault: true },
        { key: 'Mod-y', run: redo, preventDefault: true },
        { key: 'Mod-Shift-z', run: redo, preventDefault: true },
      ]),
    );
  }, [session]);
  const diagnostics = useMemo(
    () =>
      marks.map((mark) => ({
        from: mark.from,
        to: mark.to,
        severity: mark.blocks === null ? ('info' as const) : SEVERITY[mark.blocks],
        message: mark.message,
      })),
    [marks],
  );
  useEffect(() => () => onCreate(null), [onCreate]);
  return (
    <div className={classes.text}>
      <CodeEditor
        label={t('Definition of {id}', { id: workflowId })}
        value={text}
        onChange={session.edit}
        language="json"
        fill
        diagnostics={diagnostics}
        completions={completions}
        extensions={extensions}
        onSave={onSave}
        onCreate={onCreate}
      />
      <Text size="xs" c="dimmed" pt={4}>
        {t('Ctrl+Space completes · Ctrl+S saves · Shift+Alt+F formats · Esc, then Tab leaves the editor')}
      </Text>
    </div>
  );
}
