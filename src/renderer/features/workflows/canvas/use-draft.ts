import { useCallback, useMemo, useRef } from 'react';
import type { Definition } from '../../../../contract/definition.ts';
import { t } from '../../../../lib/language.ts';
import { toastInfo } from '../../../ui/toasts.tsx';
import type { EditorSession } from '../draft/session.ts';
import type { Parsed } from '../../../ui/json-text/scan.ts';
import { type Builder, createBuilder } from './builder.ts';

export interface OpenDraft {
  readonly builder: Builder;
  /** What the text says, or said when it could be read last; null: it never could. */
  readonly definition: Definition | null;
  /** Why the text cannot be read now; null: it can. */
  readonly fault: string | null;
  /** The canvas says how something on it is selected, while it is there. */
  readonly onSelect: (select: ((flowIds: readonly string[]) => void) | null) => void;
}

/** `text`: of now. `read`: the same, or of a moment before, with `parsed` of it. What an edit made is known at once; typed text is read when there is time. */
export function useDraft(session: EditorSession, text: string, read: string, parsed: Parsed): OpenDraft {
  const selector = useRef<((flowIds: readonly string[]) => void) | null>(null);
  const builder = useMemo(
    () =>
      createBuilder({
        session,
        refuse: (reason) => toastInfo(t('Not possible'), reason),
        tell: (what) => toastInfo(t('Nothing to change'), what),
        select: (flowIds) => selector.current?.(flowIds),
      }),
    [session],
  );
  const draft = useMemo(() => builder.peek(text) ?? builder.readText(read, parsed), [builder, text, read, parsed]);
  const onSelect = useCallback(
    (select: ((flowIds: readonly string[]) => void) | null) => void (selector.current = select),
    [],
  );
  const good = useRef<Definition | null>(null);
  if (draft.definition !== null) good.current = draft.definition;
  const definition = good.current;
  return useMemo(
    () => ({ builder, definition, fault: draft.fault, onSelect }),
    [builder, definition, draft.fault, onSelect],
  );
}
