import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { StackFrame } from '../../../../contract/tasks.ts';
import { t } from '../../../../lib/language.ts';
import { jobQuery } from '../../../api/jobs.ts';
import { commitQuery } from '../../../api/workflows.ts';
import { codeSource } from '../../workflows/code-source.ts';
import css from './TaskPanel.module.css';

/** Where code threw: each place with the line of the version that ran, which may not be the newest one. */
export function CodeStack({
  stack,
  jobId,
  node,
}: {
  stack: readonly StackFrame[];
  jobId: string;
  node: string;
}): ReactNode {
  const { data: job } = useQuery(jobQuery(jobId));
  const { data: version } = useQuery({
    ...commitQuery(job?.workflowId ?? '', job?.commit ?? ''),
    enabled: job !== undefined,
    retry: false,
    staleTime: Infinity,
  });
  const lines = version === undefined ? [] : (codeSource(version.definition, node)?.split('\n') ?? []);
  return (
    <ol className={`bare ${css['stack']}`} aria-label={t('Stack')}>
      {stack.map(({ line, column, function: name }, i) => (
        <li key={i}>
          <span className="dim numbers">
            {name === null
              ? t('line {line}, column {column}', { line, column })
              : t('line {line}, column {column}, in {name}', { line, column, name })}
          </span>
          {lines[line - 1] !== undefined && <code>{lines[line - 1]?.trim()}</code>}
        </li>
      ))}
    </ol>
  );
}
