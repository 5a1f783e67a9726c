import { VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ValueChange } from '../../../../contract/comparisons.ts';
import { t, tn } from '../../../../lib/language.ts';
import { compareValuesQuery, type ValuesParams } from '../../../api/compare.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { formatBytes } from '../../../ui/Duration.tsx';
import css from './Compare.module.css';
import { Loading } from '../../../ui/Loading.tsx';

const SHOWN = 200;
const signOf = (op: ValueChange['op']): string => ({ added: '+', removed: '−', changed: '≠' })[op];
const wordOf = (op: ValueChange['op']): string =>
  ({ added: t('only in this run'), removed: t('only in the other run'), changed: t('changed') })[op];

/** Two values place by place; the master compares them, however large they are. */
export function ValueDifference({
  jobId,
  otherId,
  params,
  label,
}: {
  jobId: string;
  otherId: string;
  params: ValuesParams;
  label: string;
}): ReactNode {
  const query = useQuery(compareValuesQuery(jobId, otherId, params));
  if (!query.data) return <Loading query={query} what={t('Could not compare')} lines={3} compact />;
  const { changes, complete, bytes } = query.data;
  const sizes = t('{here} in this run, {there} in the other', {
    here: formatBytes(bytes.here),
    there: formatBytes(bytes.there),
  });
  if (changes.length === 0)
    return (
      <p className={css['same']}>
        {complete ? t('Identical') : t('No difference in the compared part')} <span className="dim">({sizes})</span>
      </p>
    );
  return (
    <>
      <div className={css['changes']} tabIndex={0} role="region" aria-label={label}>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <VisuallyHidden>{t('Type of change')}</VisuallyHidden>
              </th>
              <th scope="col">{t('Path')}</th>
              <th scope="col">{t('Other run')}</th>
              <th scope="col">{t('This run')}</th>
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, SHOWN).map((change, i) => (
              <tr key={`${i} ${change.path}`} data-op={change.op}>
                <td title={wordOf(change.op)} aria-label={wordOf(change.op)}>
                  {signOf(change.op)}
                </td>
                <th scope="row" className="mono">
                  {change.path} <CopyButton value={change.path} label={t('Copy path')} size="xs" />
                </th>
                <td className="mono">{change.before ?? ''}</td>
                <td className="mono">{change.after ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={css['legend']}>
        {tn('{count} difference', '{count} differences', changes.length)}
        {complete ? '' : t(' or more')}
        {changes.length > SHOWN ? t(', first {shown} shown', { shown: SHOWN }) : ''}. {sizes}.
      </p>
    </>
  );
}
