import { ActionIcon, Center, Group, Select, Stack, Tooltip } from '@mantine/core';
import { IconArrowRight, IconArrowsExchange } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { t } from '../../../../lib/language.ts';
import { commitsQuery } from '../../../api/workflows.ts';
import { type DiffForm, VersionDiff } from '../diff/VersionDiff.tsx';
import { useVersionActions } from './context.ts';
import { versionOptions } from '../version-options.ts';
import { bindChoice } from '../../../ui/bind.ts';
import { BackToVersions } from './BackToVersions.tsx';

/** Any two versions against each other. */
export function CompareView({
  from,
  to,
  form,
  onForm,
  onBack,
}: {
  from: string;
  to: string;
  form: DiffForm;
  onForm: (form: DiffForm) => void;
  onBack: () => void;
}): ReactNode {
  const { workflow, compare } = useVersionActions();
  const commits = useQuery(commitsQuery(workflow.id, { page: 0, size: 500 }));
  const pick = (label: string, value: string, onChange: (hash: string) => void) => (
    <Select
      label={label}
      w={340}
      searchable
      data={versionOptions(commits.data?.items ?? [], [
        from,
        to,
        ...workflow.environments.flatMap(({ hash }) => hash ?? []),
      ])}
      {...bindChoice(value, onChange)}
    />
  );
  return (
    <Stack>
      <Group>
        <BackToVersions onBack={onBack} />
      </Group>
      <Group align="end" gap="xs">
        {pick(t('From'), from, (hash) => compare(hash, to))}
        <Center h={30}>
          <IconArrowRight size={16} aria-hidden="true" />
        </Center>
        {pick(t('To'), to, (hash) => compare(from, hash))}
        <Tooltip label={t('Swap versions')}>
          <ActionIcon variant="default" size={30} aria-label={t('Swap versions')} onClick={() => compare(to, from)}>
            <IconArrowsExchange size={16} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      </Group>
      <VersionDiff workflowId={workflow.id} from={from} to={to} form={form} onForm={onForm} />
    </Stack>
  );
}
