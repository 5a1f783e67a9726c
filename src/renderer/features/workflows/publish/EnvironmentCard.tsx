import { Group, Stack, Text } from '@mantine/core';
import { IconArrowRight, IconUpload } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import type { Commit, EnvironmentPointer, Workflow } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { EnvironmentBadge, ToneBadge } from '../../../ui/Badges.tsx';
import { HashLabel } from '../../../ui/HashLabel.tsx';
import { Section } from '../../../ui/Segment.tsx';
import { TimeAgo } from '../../../ui/Time.tsx';
import { rich } from '../../../ui/rich.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import classes from './Publish.module.css';
import { EndpointUrl } from './EndpointUrl.tsx';
import { whyNoPublish, whyNoUnpublish } from './rules.ts';
import { useRights } from '../../../stores/role.ts';
import { type NamedVersion, versionName } from '../version-name.ts';

export interface EnvironmentCardProps {
  readonly workflow: Workflow;
  readonly pointer: EnvironmentPointer;
  /** The newest version; null where there is none. */
  readonly head: Commit | null;
  readonly onPublish: () => void;
  /** What it pointed to before; null: it is not known, or there was nothing. */
  readonly before: NamedVersion | null;
  readonly onUnpublish: () => void;
  readonly onRollBack: (version: NamedVersion) => void;
  /** The next environment on the way to prod, and what it points to; null: this is the last one. */
  readonly next: EnvironmentPointer | null;
  readonly onPromote: (environment: Environment, hash: string) => void;
}

/** One environment: what it points to, since when, its address, and what can be done. */
export function EnvironmentCard({
  workflow,
  pointer,
  head,
  before,
  onPublish,
  onUnpublish,
  onRollBack,
  next,
  onPromote,
}: EnvironmentCardProps): ReactNode {
  const rights = useRights();
  const { environment, hash } = pointer;
  // An earlier version may be published though the newest has faults, so only the role and an empty history stand in the way here.
  const whyNot =
    workflow.archivedAt === null
      ? whyNoPublish(rights, workflow, environment, head === null ? null : { valid: true })
      : t("Archived workflows can't be published.");
  return (
    <Section
      title={<EnvironmentBadge environment={environment} />}
      actions={
        hash === null ? (
          <ToneBadge tone="empty">{t('Not published')}</ToneBadge>
        ) : hash === head?.hash ? (
          <ToneBadge tone="done">{t('Latest version')}</ToneBadge>
        ) : (
          <ToneBadge tone="sched">{t('Earlier version')}</ToneBadge>
        )
      }
    >
      <Stack gap="sm" h="100%">
        {hash === null ? (
          <Text size="sm" c="dimmed" className={classes.fixed}>
            {t('Calls get 404 NOT_PUBLISHED.')}
          </Text>
        ) : (
          <div className={classes.fixed}>
            <Group gap={8}>
              <HashLabel hash={hash} number={pointer.number} />
              <Text size="xs" c="dimmed">
                {rich('{timeAgo} by {publishedBy}', {
                  timeAgo: <TimeAgo at={pointer.publishedAt} />,
                  publishedBy: pointer.publishedBy,
                })}
              </Text>
            </Group>
            <Text size="sm" lineClamp={2} title={pointer.description ?? ''}>
              {pointer.description || <span className="dim">{t('No description')}</span>}
            </Text>
          </div>
        )}
        <EndpointUrl workflowId={workflow.id} environment={environment} />
        <Group gap={6}>
          <ReasonButton
            px={10}
            leftSection={<IconUpload size={14} aria-hidden="true" />}
            reason={whyNot}
            onClick={onPublish}
            aria-label={t('Publish to {environment}…', { environment })}
          >
            {t('Publish…')}
          </ReasonButton>
          {next && (
            <ReasonButton
              px={10}
              variant={hash !== null && hash !== next.hash ? 'light' : 'default'}
              rightSection={<IconArrowRight size={14} aria-hidden="true" />}
              reason={
                hash === null
                  ? t('Nothing is published there.')
                  : hash === next.hash
                    ? t('{environment} already runs this version.', { environment: next.environment })
                    : workflow.archivedAt === null
                      ? whyNoPublish(rights, workflow, next.environment, { valid: true })
                      : t("Archived workflows can't be published.")
              }
              hint={t('Publish the version of {from} to {to}', { from: environment, to: next.environment })}
              onClick={() => hash !== null && onPromote(next.environment, hash)}
            >
              {t('Promote to {environment}', { environment: next.environment })}
            </ReasonButton>
          )}
        </Group>
        <Group gap={6}>
          {before !== null && (
            <ReasonButton
              px={10}
              variant="default"
              reason={whyNoPublish(rights, workflow, environment, { valid: true })}
              hint={t('Publish {before} again, the previous version here', { before: versionName(before) })}
              onClick={() => onRollBack(before)}
              aria-label={t('Roll back {environment}', { environment })}
            >
              {t('Roll back')}
            </ReasonButton>
          )}
          <ReasonButton
            px={10}
            variant="default"
            reason={whyNoUnpublish(rights, workflow, pointer)}
            onClick={onUnpublish}
            aria-label={t('Unpublish {environment}', { environment })}
          >
            {t('Unpublish')}
          </ReasonButton>
        </Group>
      </Stack>
    </Section>
  );
}
