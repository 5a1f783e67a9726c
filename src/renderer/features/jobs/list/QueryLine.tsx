import { IconFilterCode } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../../../../lib/language.ts';
import { parseJobQuery } from '../../../../lib/job-query/parse.ts';
import { CompletionInput, useCompletionText } from '../../../ui/CompletionInput.tsx';
import css from './QueryLine.module.css';
import { suggestQuery } from './suggest-query.ts';
import { useKnownValues } from './use-known-values.ts';

/**
 * All filters of the list in one line, with completion. Enter runs what is typed, Tab completes it; what is wrong is marked
 * and changes nothing.
 */
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
  // A line is marked once it was run, and then as it is typed on, until it is right.
  const [checked, setChecked] = useState(true);
  useEffect(() => setChecked(true), [value]);
  const known = useKnownValues(text, caret, { open, workflow });
  const suggestions = open ? suggestQuery(text, caret, known) : [];
  const parsed = parseJobQuery(text);
  const error = checked && !parsed.ok ? parsed.error : null;

  function run(line: string) {
    setChecked(true);
    if (parseJobQuery(line).ok && line.trim() !== value) onRun(line.trim());
  }
  return (
    <div className={css['line']}>
      <CompletionInput
        typed={typed}
        suggestions={suggestions}
        // Behind a field or an operator its value comes next.
        isWhole={(inserted) => inserted.endsWith(' ')}
        onRun={run}
        onType={() => error === null && setChecked(false)}
        label={t('Query')}
        placeholder='status:failed duration:>5s input.country:DE -workflow:import error:"timed out"'
        icon={<IconFilterCode size={14} aria-hidden />}
        errorId={error === null ? null : 'job-query-error'}
        textClass={css['text']}
        dropdown={{ position: 'bottom-start', width: 'min(600px, 92vw)' }}
      />
      {error !== null && (
        <div id="job-query-error" role="alert" className={css['error']}>
          <pre aria-hidden>
            {text.slice(0, error.from)}
            <mark>{text.slice(error.from, error.to) || ' '}</mark>
            {text.slice(error.to)}
          </pre>
          <span>{error.message}</span>
        </div>
      )}
    </div>
  );
}
