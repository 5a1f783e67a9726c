import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import type { WaitSubject } from '../../../contract/approvals.ts';
import { t } from '../../../lib/language.ts';
import { taskPayloadQuery } from '../../api/jobs.ts';
import { whyNot } from '../../stores/permissions.ts';
import { useRights, useWorkflowPlace } from '../../stores/role.ts';
import { Facts } from '../../ui/Field.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { givenAnswer } from './given-answer.ts';
import css from './Approvals.module.css';

/** What the one who approved filled in. It is a payload of the job, for those who may see these. */
export function GivenAnswer({ wait: { taskId, form, workflowId, environment } }: { wait: WaitSubject }): ReactNode {
  const reason = whyNot(useRights(), 'payload.read', useWorkflowPlace(workflowId, environment));
  const query = useQuery({ ...taskPayloadQuery(taskId, 'output'), enabled: reason === null, staleTime: Infinity });
  const given = useMemo(() => (query.data === undefined ? null : givenAnswer(form, query.data)), [form, query.data]);
  if (query.data !== undefined && given === null) return null;
  return (
    <section className={css['answer']} aria-label={t('Answer')}>
      <h3>{t('Answer')}</h3>
      {reason !== null ? (
        <p className="dim">{reason}</p>
      ) : given === null ? (
        <Loading query={query} what={t('Could not load the answer')} lines={2} compact />
      ) : (
        <Facts
          items={given.map(({ label, value }) => ({
            label: label === '' ? t('Answer') : label,
            value: typeof value === 'string' ? value : value ? t('yes') : t('no'),
          }))}
        />
      )}
    </section>
  );
}
