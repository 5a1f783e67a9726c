import { useEffect, useState } from 'react';
import { ApiError } from '../../../../lib/api-error.ts';
import { createDraftRun } from '../../../api/drafts.ts';
import type { NodeInput } from '../draft-run/node-input.ts';
import type { Language } from './complete.ts';
import { isPlain, type Preview, previewDefinition, previewResult } from './preview.ts';

/** Milliseconds without a key press before the master is asked. */
const PAUSE = 500;
const WAIT_SECONDS = 6;

export interface PreviewState {
  readonly preview: Preview | null;
  /** It is of an older text. */
  readonly asking: boolean;
}

/** The result of an expression on the node's input, once typing rests. Null while nothing is known of the input. */
export function usePreview(
  workflowId: string,
  language: Language,
  source: string,
  input: NodeInput,
  enabled: boolean,
): PreviewState {
  const [state, setState] = useState<PreviewState>({ preview: null, asking: false });
  const value = input.known ? input.value : undefined;
  const asks = enabled && input.known && !isPlain(language, source);
  useEffect(() => {
    if (!asks) return setState({ preview: null, asking: false });
    const abort = new AbortController();
    setState((last) => ({ ...last, asking: true }));
    const timer = setTimeout(async () => {
      try {
        const run = await createDraftRun(
          workflowId,
          { definition: previewDefinition(language, source), inputs: [value], waitSeconds: WAIT_SECONDS },
          abort.signal,
        );
        if (!abort.signal.aborted) setState({ preview: previewResult(run), asking: false });
      } catch (error) {
        if (abort.signal.aborted) return;
        // A fault of the form is marked in the text already, in the master's words.
        const message = error instanceof ApiError ? (error.errors[0]?.message ?? error.message) : String(error);
        setState({ preview: { kind: 'error', message, stack: [] }, asking: false });
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [workflowId, language, source, value, asks]);
  return state;
}
