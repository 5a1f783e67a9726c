import { CloseButton, Group, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type Commit, VERSION_TAG } from '../../../../contract/workflows.ts';
import { t } from '../../../../lib/language.ts';
import { removeVersionTag, setVersionTag, workflowKeys } from '../../../api/workflows.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { bindText } from '../../../ui/bind.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastFailure, toastSuccess } from '../../../ui/toasts.tsx';
import { versionName } from '../version-name.ts';

const TAG = new RegExp(VERSION_TAG);

/** Adds a tag to a version and removes those that it has. */
export function TagsDialog({
  workflowId,
  commit,
  onClose,
}: {
  workflowId: string;
  commit: Commit;
  onClose: () => void;
}): ReactNode {
  const client = useQueryClient();
  const [tag, setTag] = useState('');
  const [tags, setTags] = useState(commit.tags ?? []);
  const name = tag.trim();
  const fault =
    name === '' || TAG.test(name)
      ? null
      : t('Use letters, digits, dots, hyphens and underscores, max. 50; not the form of a commit hash.');
  const changed = () => client.invalidateQueries({ queryKey: workflowKeys.all });
  const remove = async (one: string) => {
    try {
      await removeVersionTag(workflowId, one);
      setTags((now) => now.filter((other) => other !== one));
      await changed();
    } catch (error) {
      toastFailure(t('Could not remove the tag'))(error as Error);
    }
  };
  return (
    <FormDialog
      title={t('Tags of version {value}', { value: versionName(commit) })}
      submitLabel={t('Add tag')}
      disabled={name === '' || fault !== null}
      onClose={onClose}
      onSubmit={async () => {
        await setVersionTag(workflowId, name, commit.hash);
        await changed();
        toastSuccess(t('Tagged {hash} as {tag}', { hash: versionName(commit), tag: name }));
        onClose();
      }}
    >
      {tags.length > 0 && (
        <Group gap={8}>
          {tags.map((one) => (
            <Group key={one} gap={2}>
              <ToneBadge tone="sched">{one}</ToneBadge>
              <CloseButton
                size="sm"
                aria-label={t('Remove tag {tag}', { tag: one })}
                onClick={() => void remove(one)}
              />
            </Group>
          ))}
        </Group>
      )}
      <TextInput label={t('New tag')} {...bindText(tag, setTag)} error={fault} maxLength={50} data-autofocus />
      <Text size="xs" className="dim">
        {t('A tag names one version. A tag that another version has is moved to this one.')}
      </Text>
    </FormDialog>
  );
}
