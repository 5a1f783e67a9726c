import { Text, Textarea } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import type { Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { rich } from '../../../ui/rich.tsx';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { isOccluded } from '../../../ui/is-occluded.ts';
import { isTestsFailed, publishAnyway, TestsFailed } from './TestsFailed.tsx';
import { usePublish } from './use-publish.tsx';
import { bindText } from '../../../ui/bind.ts';
import { type NamedVersion, versionName } from '../version-name.ts';

export interface RollBackTarget {
  readonly environment: Environment;
  readonly version: NamedVersion;
}

/**
 * Publishes an earlier version again, with the reason for the log. It is asked once and nothing has to be typed, in prod
 * neither: who goes back is in a hurry, and what was there before can be had again as quickly.
 */
export function RollBack({
  workflow,
  target,
  current: published,
  onClose,
}: {
  workflow: Workflow;
  target: RollBackTarget;
  current: NamedVersion | null;
  onClose: () => void;
}): ReactNode {
  const { environment, version } = target;
  const short = versionName(version);
  // What was there when it was asked for: where somebody publishes meanwhile, the master refuses.
  const [current] = useState(published);
  const [reason, setReason] = useState(() =>
    current === null
      ? t('Roll back to {short}', { short })
      : t('Roll back to {short} from {current}', { short, current: versionName(current) }),
  );
  const publish = usePublish();
  const { ask, dialog } = useConfirm();
  const rollBack = (override: boolean) =>
    publish({
      workflowId: workflow.id,
      environment,
      version,
      description: reason.trim(),
      expected: current,
      override,
    }).then(onClose);
  const askAnyway = () => ask(publishAnyway(environment, version, () => rollBack(true)));
  const form = (
    <FormDialog
      title={t('Roll back to {short} in {environment}?', { short, environment })}
      submitLabel={t('Publish {short} to {environment}', { short, environment })}
      submitIcon={<IconArrowBackUp size={16} aria-hidden="true" />}
      submitFocused
      onClose={() => !isOccluded() && onClose()}
      onSubmit={() => rollBack(false)}
      showError={(error) =>
        isTestsFailed(error) && (
          <TestsFailed workflowId={workflow.id} environment={environment} error={error} onAnyway={askAnyway} />
        )
      }
    >
      <Text size="sm">
        {current === null
          ? t('Nothing is published there.')
          : rich('It currently runs {code}.', { code: <code>{versionName(current)}</code> })}{' '}
        {t('Applies from the next call on. Calls in progress finish on the version they started with.')}
      </Text>
      <Textarea
        label={t('Reason')}
        description={t('Short note for the publish history')}
        {...bindText(reason, setReason)}
        maxLength={2000}
        autosize
        minRows={1}
        maxRows={4}
      />
    </FormDialog>
  );
  return (
    <>
      {form}
      {/* Beside the form: a form in it would send this one too. */}
      {dialog}
    </>
  );
}
