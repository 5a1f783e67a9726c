import type { ReactNode } from 'react';
import { parseJobQuery } from '../../../../lib/job-query/parse.ts';
import { useCompletionText } from '../../../ui/CompletionInput.tsx';
import { QueryInput } from '../../../ui/QueryInput.tsx';
import { suggestQuery } from './suggest-query.ts';
import { useKnownValues } from './use-known-values.ts';

/** All filters of the list in one line, with completion. */
export function QueryLine({
  value,
  workflow,
  onRun,
}: {
  value: string;
  /** Fields and values of its jobs are offered. */
  workflow: string | undefined;
  onRun(line: string): void;
}): ReactNode {
  const typed = useCompletionText(value);
  const { text, caret, open } = typed;
  const known = useKnownValues(text, caret, { open, workflow });
  return (
    <QueryInput
      value={value}
      typed={typed}
      suggestions={open ? suggestQuery(text, caret, known) : []}
      errorOf={errorOf}
      onRun={onRun}
      placeholder='status:failed duration:>5s input.country:DE -workflow:import error:"timed out"'
    />
  );
}

function errorOf(line: string) {
  const parsed = parseJobQuery(line);
  return parsed.ok ? null : parsed.error;
}
