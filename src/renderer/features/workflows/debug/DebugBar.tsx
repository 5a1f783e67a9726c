import { Button, CloseButton } from '@mantine/core';
import { IconBug, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { recordedRunQuery } from '../../../api/recorded-run.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { rich } from '../../../ui/rich.tsx';
import { type EditorSession, isDirty } from '../draft/session.ts';
import { nodeNames } from '../node-names.ts';
import { shortJob } from '../draft-run/node-input.ts';
import classes from './DebugBar.module.css';
import { debugSteps } from './steps.ts';

export interface DebugBarProps {
  readonly workflow: Workflow;
  readonly session: EditorSession;
  /** The task that failed. */
  readonly taskId: string;
  /** In the builder: how the run of the changed draft went, and what runs and saves it. */
  readonly run?: { readonly succeeded: boolean; readonly reason: string | null; readonly start: () => void };
  readonly onSave: (() => void) | null;
  readonly onEdit: () => void;
  readonly onPublish: (environment: 'dev' | 'staging' | 'prod', version: string) => void;
  readonly onClose: () => void;
}

/** From a failed task to a job that succeeds: change, run from the failed node, save, publish, rerun. */
export function DebugBar(props: DebugBarProps): ReactNode {
  const { workflow, session, taskId, run, onSave, onEdit, onPublish, onClose } = props;
  const navigate = useNavigate();
  const { data, error } = useQuery(recordedRunQuery(taskId));
  const state = useStore(session.store);
  if (error)
    return (
      <section className={classes.bar} aria-label={t('Debug')}>
        <ErrorLine error={error} />
        <CloseButton aria-label={t('Stop debugging')} onClick={onClose} />
      </section>
    );
  if (!data) return null;
  const { job, task, definition } = data;
  const environment = job.environment ?? 'dev';
  const nameOf = nodeNames(definition.nodes);
  const steps = debugSteps({
    isDirty: isDirty(state),
    parent: state.parent,
    failedCommit: job.commit,
    published: workflow.environments.find((pointer) => pointer.environment === environment)?.hash ?? null,
    hasRun: run?.succeeded === true,
  });
  const save = onSave ?? onEdit;
  const buttons = {
    run: {
      label: t('Run from {node}', { node: nameOf(task.node) }),
      reason: run?.reason ?? null,
      onClick: run?.start ?? onEdit,
    },
    save: {
      label: t('Save version'),
      reason: isDirty(state) ? null : steps.done.has('save') ? t('Saved.') : t('Change something first.'),
      onClick: save,
    },
    publish: {
      label: t('Publish to {environment}', { environment }),
      reason: isDirty(state) || !steps.done.has('save') ? t('Save a version first.') : null,
      onClick: () => state.parent !== null && onPublish(environment, state.parent),
    },
    rerun: {
      label: t('Rerun job'),
      reason: steps.done.has('publish')
        ? null
        : t('Publish the changed version to {environment} first.', { environment }),
      onClick: () =>
        void navigate({
          to: '/jobs/$jobId',
          params: { jobId: job.id },
          // With several replicas, others may not have got as far as this node.
          search: { rerun: 'published', ...(job.inputCount === 1 ? { node: task.node } : {}) },
        }),
    },
  } as const;
  return (
    <section className={classes.bar} aria-label={t('Debug')}>
      <IconBug size={18} aria-hidden="true" className={classes.icon} />
      <div className={classes.what}>
        <strong>
          {rich('{link} failed at {node}', {
            link: (
              <Link to="/jobs/$jobId" params={{ jobId: job.id }} search={{ task: task.id }}>
                {t('Job {value}', { value: shortJob(job.id) })}
              </Link>
            ),
            node: nameOf(task.node),
          })}
        </strong>
        <span className="dim">
          {rich('With the input and the results of this run, on version {hash}', {
            hash: <HashLabel hash={job.commit} />,
          })}
        </span>
        {task.error && <span className={`mono ${classes.error}`}>{task.error.message}</span>}
      </div>
      <ol className={`bare ${classes.steps}`} aria-label={t('Steps')}>
        {steps.all.map((step) => (
          <li key={step}>
            <ReasonButton
              size="compact-sm"
              variant={step === steps.next ? 'filled' : 'default'}
              reason={buttons[step].reason}
              leftSection={steps.done.has(step) ? <IconCheck size={14} aria-label={t('Done##step')} /> : undefined}
              onClick={buttons[step].onClick}
            >
              {buttons[step].label}
            </ReasonButton>
          </li>
        ))}
      </ol>
      <Button size="compact-sm" variant="subtle" onClick={onClose}>
        {t('Stop debugging')}
      </Button>
    </section>
  );
}
