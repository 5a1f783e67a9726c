import { useEffect, useMemo, useState } from 'react';
import type { DefinitionWarning, DefinitionFault } from '../../../../contract/definition.ts';
import { parseJson } from '../../../../lib/json.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { checkDefinition } from '../../../api/workflows.ts';
import { isDefinition, type DefinitionMark, markDefinition } from './marks.ts';
import { type Parsed, scanJson } from '../../../ui/json-text/scan.ts';

/** Milliseconds without a key press before the master is asked. */
const PAUSE = 350;

export interface Checked {
  readonly parsed: Parsed;
  readonly marks: readonly DefinitionMark[];
  /** It can be sent to the master. */
  readonly savable: boolean;
  /** `asking`: the faults of the graph are of an older text. */
  readonly state: 'asking' | 'checked' | 'failed';
  readonly error: unknown;
}

/** Checks a draft as it is typed: its form at once, its graph by the master once the typing pauses. */
export function useDefinitionMarks(workflowId: string, text: string): Checked {
  const parsed = useMemo(() => scanJson(text), [text]);
  const savable = useMemo(() => isDefinition(parsed), [parsed]);
  const [answer, setAnswer] = useState<{
    text: string;
    faults: readonly DefinitionFault[];
    warnings: readonly DefinitionWarning[];
    error: unknown;
  }>({ text: '', faults: [], warnings: [], error: null });

  useEffect(() => {
    if (!savable) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { faults, warnings = [] } = await checkDefinition(workflowId, parseJson(text), abort.signal);
        setAnswer({ text, faults, warnings, error: null });
      } catch (error) {
        if (abort.signal.aborted) return;
        // The master may be stricter than the form that is known here: its words then stand for themselves.
        const refused =
          error instanceof ApiError && error.code === 'VALIDATION_FAILED'
            ? error.errors.map((fault) => ({
                pointer: fault.pointer.replace(/^\/definition(?=\/|$)/, ''),
                code: error.code,
                message: fault.message,
              }))
            : null;
        setAnswer((last) => ({
          text,
          faults: refused ?? last.faults,
          warnings: last.warnings,
          error: refused ? null : error,
        }));
      }
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [workflowId, text, savable]);

  const marks = useMemo(
    () => markDefinition(text, parsed, answer.faults, answer.warnings),
    [text, parsed, answer.faults, answer.warnings],
  );
  const state = !savable || answer.text === text ? (answer.error !== null && savable ? 'failed' : 'checked') : 'asking';
  return useMemo(
    () => ({ parsed, marks, savable, state, error: answer.error }),
    [parsed, marks, savable, state, answer.error],
  );
}
