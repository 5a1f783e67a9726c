import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import type { EnvironmentPointer, Workflow } from '../../../../contract/workflows.ts';
import { t, tn } from '../../../../lib/language.ts';
import { ApiError } from '../../../../lib/api-error.ts';
import { callWarningsQuery, commitQuery, commitsQuery } from '../../../api/workflows.ts';
import { useRights } from '../../../stores/role.ts';
import { ErrorLine } from '../../../ui/ErrorState.tsx';
import { useDiscardGuard } from '../../../ui/discard-guard.tsx';
import { isOccluded } from '../../../ui/is-occluded.ts';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import { type DiffForm, VersionDiff } from '../diff/VersionDiff.tsx';
import { warningText } from '../definition/marks.ts';
import type { NamedVersion } from '../version-name.ts';
import { versionOptions } from '../version-options.ts';
import { EndpointUrl } from './EndpointUrl.tsx';
import classes from './Publish.module.css';
import { PublishKeys } from './PublishKeys.tsx';
import { AsCommand } from '../../../shell/commands/AsCommand.tsx';
import { publishCommand } from '../../../shell/commands/commands.ts';
import { calledIn, confirmed, savedMessage, whyNoPublish } from './rules.ts';
import { useProtected } from './use-protected.ts';
import { isTestsFailed, publishAnyway, TestsFailed } from './TestsFailed.tsx';
import { usePublish } from './use-publish.tsx';
import { ShadowStep } from '../shadow/ShadowStep.tsx';
import { Callout } from '../../../ui/Callout.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { dismissToast } from '../../../ui/toasts.tsx';
import { useSending } from '../../../ui/use-sending.ts';

export interface PublishDialogProps {
  readonly workflow: Workflow;
  /** The environment as it is shown now. */
  readonly pointer: EnvironmentPointer;
  /** The version that is chosen; the newest where it is not given. */
  readonly version: string | undefined;
  readonly onVersion: (hash: string) => void;
  readonly onClose: () => void;
  readonly onLookAgain: () => Promise<void>;
}

const MAX_CALLS = 5;

/** Publishes a version: shows what it replaces and what differs, asks for the workflow's id where it is prod. */
export function PublishDialog({
  workflow,
  pointer,
  version,
  onVersion,
  onClose,
  onLookAgain,
}: PublishDialogProps): ReactNode {
  useRestoreFocus(true);
  const { environment } = pointer;
  const rights = useRights();
  const commits = useQuery(commitsQuery(workflow.id, { page: 0, size: 500 }));
  const hash = version ?? workflow.head ?? '';
  const chosen = useQuery({ ...commitQuery(workflow.id, hash), enabled: hash !== '' });
  const calls = useQuery(callWarningsQuery(workflow.id, chosen.data));
  const [description, setDescription] = useState('');
  const [typed, setTyped] = useState('');
  const [form, setForm] = useState<DiffForm>('changes');
  const publish = usePublish();
  const isProtected = useProtected(environment);
  const guard = useDiscardGuard(onClose);
  const { busy, error, setError, send } = useSending(guard.sending);
  const { ask, dialog } = useConfirm();
  // Over the dialog it would cover its buttons.
  useEffect(() => void dismissToast(savedMessage(workflow.id)), [workflow.id]);
  // What the author has looked at: it is this that the master is told to expect, whatever came in by the live stream since.
  const [seen, setSeen] = useState(pointer.hash);
  const moved = error instanceof ApiError && error.code === 'ENVIRONMENT_MOVED';
  const full = chosen.data?.hash ?? hash;
  const named = (one: string): NamedVersion => ({
    hash: one,
    number: commits.data?.items.find((commit) => commit.hash === one)?.number,
  });
  const picked = named(full);
  const whyNot = chosen.isPending
    ? t('The version is loading.')
    : whyNoPublish(rights, workflow, environment, chosen.data ?? null);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (whyNot !== null || !confirmed(environment, workflow.id, typed)) return;
    await send(() => publishIt(false));
  };
  const publishIt = async (override: boolean) => {
    await publish({
      workflowId: workflow.id,
      environment,
      version: picked,
      description: description.trim(),
      expected: seen === null ? null : named(seen),
      override,
    });
    onClose();
  };
  const askAnyway = () => ask(publishAnyway(environment, picked, () => publishIt(true)));
  const lookAgain = async () => {
    const current = error instanceof ApiError ? error.problem['current'] : undefined;
    await onLookAgain();
    setSeen(typeof current === 'string' ? current : null);
    setError(null);
  };

  return (
    <Modal
      opened
      onClose={() => !isOccluded() && guard.close()}
      title={<strong>{t('Publish {id} to {environment}', { id: workflow.id, environment })}</strong>}
      size={1320}
    >
      <form onSubmit={submit} noValidate>
        <div className={classes.parts}>
          <Stack className={classes.what}>
            <Select
              label={t('Version')}
              searchable
              data={versionOptions(commits.data?.items ?? [], [full])}
              {...bindChoice(full, (next) => {
                // What was said of another version is not true of this one.
                if (isTestsFailed(error)) setError(null);
                onVersion(next);
              })}
              error={
                chosen.data && !chosen.data.valid
                  ? t('This version has validation errors. Fix them in the builder and save a new version.')
                  : chosen.isError
                    ? t('Could not load this version.')
                    : null
              }
            />
            <div className={classes.swap}>
              {seen === null ? (
                <span>{t('Not published')}</span>
              ) : (
                <>
                  <span>{t('Replaces')}</span> <HashLabel {...named(seen)} />{' '}
                  {seen === pointer.hash && pointer.publishedAt !== null && (
                    <span className="dim">
                      {rich('published {timeAgo}', { timeAgo: <TimeAgo at={pointer.publishedAt} /> })}
                    </span>
                  )}
                </>
              )}
              {/* The arrow goes along where the line breaks. */}
              <span className={classes.by}>
                <IconArrowRight size={15} aria-label={t('by')} />
                {full !== '' && <HashLabel {...picked} />}
              </span>
            </div>
            {calls.data !== undefined && calls.data.length > 0 && (
              <Callout
                tone="warn"
                title={tn('{count} call would fail now', '{count} calls would fail now', calls.data.length)}
              >
                {calls.data.slice(0, MAX_CALLS).map((warning) => (
                  <Text key={warning.pointer} size="sm">
                    {warningText(warning)}{' '}
                    {warning.code === 'CALL_NOT_PUBLISHED' && (
                      <Link
                        to="/workflows/$workflowId"
                        params={{ workflowId: warning.workflowId }}
                        search={{ tab: 'publish' }}
                      >
                        {t('Publish {workflow}', { workflow: warning.workflowId })}
                      </Link>
                    )}
                  </Text>
                ))}
                {calls.data.length > MAX_CALLS && (
                  <Text size="sm">{t('and {count} more', { count: calls.data.length - MAX_CALLS })}</Text>
                )}
              </Callout>
            )}
            <div>
              <EndpointUrl workflowId={workflow.id} environment={environment} />
              <PublishKeys workflowId={workflow.id} environment={environment} />
            </div>
          </Stack>
          <Stack className={classes.proof}>
            {seen !== null && full !== '' && seen !== full && (
              <VersionDiff
                workflowId={workflow.id}
                from={seen}
                to={full}
                form={form}
                onForm={setForm}
                maxHeight="clamp(200px, 100vh - 520px, 420px)"
              />
            )}
            {seen !== null && seen === full && (
              <Text size="sm">
                {t('{environment} already runs this version. Publishing it again only adds a history entry.', {
                  environment,
                })}
              </Text>
            )}
            {chosen.data?.valid && (
              <ShadowStep
                key={full}
                workflowId={workflow.id}
                commit={full}
                environment={calledIn(workflow, environment)}
              />
            )}
          </Stack>
          <Stack className={classes.say} {...guard.fields}>
            <Textarea
              label={t('Description')}
              description={t('Short note for the publish history')}
              {...bindText(description, setDescription)}
              maxLength={2000}
              autosize
              minRows={1}
              maxRows={5}
              data-autofocus
            />
            {environment === 'prod' && (
              <TextInput
                label={rich('Type {code} to confirm', { code: <code>{workflow.id}</code> })}
                {...bindText(typed, setTyped)}
                autoComplete="off"
                spellCheck={false}
              />
            )}
            {isProtected && (
              <Callout tone="info" title={t('{environment} is protected', { environment })}>
                <Text size="sm">
                  {t('Nothing is published yet when you send this: a second person must approve it first.')}
                </Text>
              </Callout>
            )}
            {moved ? (
              <Callout tone="warn" title={t('{environment} was changed meanwhile', { environment })}>
                <Text size="sm" mb="xs">
                  {t(
                    'Someone else published here after you opened this dialog, so nothing was changed. Review the current version before you replace it.',
                  )}
                </Text>
                <Button variant="default" onClick={() => void lookAgain()}>
                  {t('Reload')}
                </Button>
              </Callout>
            ) : (
              error !== null &&
              (isTestsFailed(error) ? (
                <TestsFailed workflowId={workflow.id} environment={environment} error={error} onAnyway={askAnyway} />
              ) : (
                <ErrorLine error={error} />
              ))
            )}
            {whyNot !== null && !chosen.isPending && (
              <Text size="sm" c="var(--tone-warn-text)">
                {whyNot}
              </Text>
            )}
            {full !== '' && <AsCommand command={publishCommand(workflow.id, environment, full, description.trim())} />}
          </Stack>
        </div>
        <Group justify="flex-end" className={classes.footer}>
          <Button variant="default" onClick={guard.cancel}>
            {t('Cancel')}
          </Button>
          <Button
            type="submit"
            loading={busy}
            disabled={whyNot !== null || moved || !confirmed(environment, workflow.id, typed)}
            title={whyNot ?? undefined}
          >
            {isProtected ? t('Request approval') : t('Publish to {environment}', { environment })}
          </Button>
        </Group>
      </form>
      {/* Beside the form: a form in it would send this one too. */}
      {dialog}
      {guard.question}
    </Modal>
  );
}
