import { IconFilterCode } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { t } from '../../lib/language.ts';
import type { QueryError } from '../../lib/job-query/parse.ts';
import { type Completion, CompletionInput, type useCompletionText } from './CompletionInput.tsx';
import css from './QueryInput.module.css';

/** The filters of a list in one line. Enter runs what is typed; what is wrong is marked and changes nothing. */
export function QueryInput({
  value,
  typed,
  suggestions,
  errorOf,
  onRun,
  placeholder,
  beside = false,
}: {
  /** The line that is shown now. */
  value: string;
  typed: ReturnType<typeof useCompletionText>;
  suggestions: readonly Completion[];
  /** What is wrong with a line; null: nothing is. */
  errorOf(line: string): QueryError | null;
  onRun(line: string): void;
  placeholder: string;
  /** It takes the rest of a line with other filters, where there is room. */
  beside?: boolean;
}): ReactNode {
  const { text } = typed;
  const errorId = useId();
  // A line is marked once it was run, and then as it is typed on, until it is right.
  const [checked, setChecked] = useState(true);
  useEffect(() => setChecked(true), [value]);
  const error = checked ? errorOf(text) : null;
  return (
    <div className={css['line']} data-beside={beside || undefined}>
      <CompletionInput
        typed={typed}
        suggestions={suggestions}
        // Behind a field or an operator its value comes next.
        isWhole={(inserted) => inserted.endsWith(' ')}
        onRun={(line) => {
          setChecked(true);
          if (errorOf(line) === null && line.trim() !== value) onRun(line.trim());
        }}
        onType={() => error === null && setChecked(false)}
        label={t('Query')}
        placeholder={placeholder}
        icon={<IconFilterCode size={14} aria-hidden />}
        errorId={error === null ? null : errorId}
        textClass={css['text']}
        dropdown={{ position: 'bottom-start', width: 'min(600px, 92vw)' }}
      />
      {error !== null && (
        <div id={errorId} role="alert" className={css['error']}>
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
