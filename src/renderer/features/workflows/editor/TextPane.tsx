import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useMemo, useRef } from 'react';
import { t } from '../../../../lib/language.ts';
import { CodeEditor } from '../../../ui/CodeEditor.tsx';
import type { DefinitionMark } from '../definition/marks.ts';
import type { TextEditor, TextPlace } from './use-text-jump.ts';
import type { EditorSession } from '../draft/session.ts';
import { useQuery } from '@tanstack/react-query';
import { workersQuery } from '../../../api/workers.ts';
import { workflowsQuery } from '../../../api/workflows.ts';
import { type KnownNames, completeDefinition, type Offer } from '../definition/complete.ts';
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  snippet,
} from '@codemirror/autocomplete';

export interface TextPaneProps {
  readonly workflowId: string;
  readonly session: EditorSession;
  readonly text: string;
  readonly marks: readonly DefinitionMark[];
  readonly onSave: () => void;
  /** Null when it goes. */
  /** With what leads to a place in it; null: it is gone. */
  readonly onCreate: (made: TextEditor | null) => void;
}

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
        severity: mark.blocks === null ? ('warning' as const) : ('error' as const),
        message: mark.message,
      })),
    [marks],
  );
  useEffect(() => () => onCreate(null), [onCreate]);
  return (
    <Stack gap={0} mih={0} miw={0}>
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
        onCreate={(view) => onCreate({ view, show: (place) => showIn(view, place) })}
      />
      <Text size="xs" c="dimmed" pt={4}>
        {t('Ctrl+Space completes · Ctrl+S saves · Shift+Alt+F formats · Esc, then Tab leaves the editor')}
      </Text>
    </Stack>
  );
}

/** Completion that knows the workflows and the handlers there are now; the same source for good. */
function useKnownNames(): ReturnType<typeof definitionCompletions> {
  const { data: workflows } = useQuery(workflowsQuery({ size: 500, sort: 'id,asc' }));
  const { data: workers } = useQuery(workersQuery({ size: 500 }));
  const names = useMemo((): KnownNames => {
    const handlers = new Map<string, number>();
    for (const worker of workers?.items ?? [])
      if (worker.state !== 'Down')
        for (const name of worker.handlers) handlers.set(name, (handlers.get(name) ?? 0) + 1);
    return {
      workflows: workflows?.items ?? [],
      handlers: [...handlers].sort(([a], [b]) => a.localeCompare(b)).map(([name, count]) => ({ name, workers: count })),
    };
  }, [workflows, workers]);
  const latest = useRef(names);
  latest.current = names;
  return useMemo(() => definitionCompletions(() => latest.current), []);
}

const ICONS: Readonly<Record<Offer['kind'], string>> = {
  property: 'property',
  value: 'constant',
  type: 'type',
  node: 'class',
  snippet: 'text',
};

/** Completion of a definition for CodeMirror. Unasked it stays silent until something of a word or text stands there. `names`: what the master knows now. */
const definitionCompletions =
  (names: () => KnownNames): CompletionSource =>
  (context) =>
    completionsAt(context, names());

function completionsAt(context: CompletionContext, names: KnownNames): CompletionResult | null {
  const found = completeDefinition(context.state.doc.toString(), context.pos, names);
  if (found === null) return null;
  if (!context.explicit && found.from === context.pos) return null;
  const typed = context.state.sliceDoc(found.from, context.pos).replace(/^"/, '');
  const options = matching(found.offers, typed).map((offer): Completion => ({
    label: offer.label,
    detail: offer.detail,
    type: ICONS[offer.kind],
    boost: offer.rank,
    apply: snippet(offer.insert),
  }));
  // The quotes around what is typed belong to the text that is replaced, so CodeMirror cannot filter by it.
  return options.length === 0 ? null : { from: found.from, to: found.to, options, filter: false };
}

/** Offers that begin with what is typed first, then those that hold it. */
function matching(offers: readonly Offer[], typed: string): Offer[] {
  const wanted = typed.replace(/"$/, '').toLowerCase();
  const score = (offer: Offer): number =>
    offer.label.toLowerCase().startsWith(wanted) ? 2 : offer.label.toLowerCase().includes(wanted) ? 1 : 0;
  // A finished value is no filter: whoever asks there wants to see the others.
  const whole = offers.some((offer) => offer.label === typed.replace(/"$/, ''));
  return offers
    .map((offer, index) => ({ offer, index, score: whole ? 1 : score(offer) }))
    .filter((entry) => entry.score > 0)
    .sort((a, b) => b.score - a.score || b.offer.rank - a.offer.rank || a.index - b.index)
    .map((entry) => entry.offer);
}

function showIn(editor: EditorView, { from, to, isEntered }: TextPlace): void {
  const end = editor.state.doc.length;
  editor.dispatch({
    selection: { anchor: Math.min(from, end), head: Math.min(to, end) },
    effects: EditorView.scrollIntoView(Math.min(from, end), { y: 'center' }),
  });
  if (isEntered) editor.focus();
}
