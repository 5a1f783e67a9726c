import { Checkbox, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Action, ACTIONS } from '../../../../contract/actions.ts';
import type { AccessRole } from '../../../../contract/projects.ts';
import { t } from '../../../../lib/language.ts';
import { accessKeys } from '../../../api/access.ts';
import { projectKeys, setRole } from '../../../api/projects.ts';
import { ACTION_GROUPS, ACTION_WORDS, FAR_REACHING_WORDS } from '../../../stores/action-words.ts';
import { bindText } from '../../../ui/bind.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { idFault } from '../../../ui/ids.ts';

/** A custom role; `role` null: a new one. `taken`: IDs that it cannot have. */
export function RoleForm({
  role,
  taken,
  onClose,
}: {
  role: AccessRole | null;
  taken: readonly string[];
  onClose(): void;
}) {
  const client = useQueryClient();
  const [id, setId] = useState(role?.id ?? '');
  const [description, setDescription] = useState(role?.description ?? '');
  const [actions, setActions] = useState<readonly Action[]>(role?.actions ?? ['workflows.read', 'jobs.read']);
  const [tried, setTried] = useState(false);
  const fault =
    id === ''
      ? t('Name is required.')
      : (idFault(id) ?? (role === null && taken.includes(id) ? t('There is a role of this name.') : null));
  const save = async () => {
    await setRole(id, {
      actions: ACTIONS.filter((action) => actions.includes(action)),
      description: description.trim() === '' ? null : description.trim(),
    });
    await Promise.all(
      [projectKeys.roles, accessKeys.session].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
    onClose();
  };
  return (
    <FormDialog
      title={role ? t('Role {id}', { id: role.id }) : t('New role')}
      size="xl"
      submitLabel={role ? t('Save') : t('Create role')}
      disabled={actions.length === 0}
      onClose={onClose}
      onSubmit={() => {
        setTried(true);
        return fault === null ? save() : null;
      }}
    >
      {role === null && (
        <TextInput
          label={t('Name')}
          description={t('Lowercase letters, digits and hyphens, such as support')}
          {...bindText(id, setId)}
          required
          data-autofocus
          error={tried ? fault : null}
          spellCheck={false}
          autoComplete="off"
        />
      )}
      <Textarea
        label={t('Description')}
        {...bindText(description, setDescription)}
        maxLength={1000}
        autosize
        minRows={1}
        maxRows={4}
        {...(role === null ? {} : { 'data-autofocus': true })}
      />
      <Checkbox.Group
        label={t('Allows to')}
        value={[...actions]}
        onChange={(value) => setActions(ACTIONS.filter((action) => value.includes(action)))}
      >
        <SimpleGrid cols={2} spacing="lg" mt={6}>
          {ACTION_GROUPS.map((group) => (
            <Stack key={group.label} gap={8} role="group" aria-label={group.label}>
              <strong>{group.label}</strong>
              {group.actions.map((action) => (
                <Checkbox
                  key={action}
                  value={action}
                  label={ACTION_WORDS[action]}
                  description={FAR_REACHING_WORDS[action]}
                />
              ))}
            </Stack>
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      {role !== null && role.grants > 0 && <p className="dim">{t('Whoever has this role gets the change at once.')}</p>}
    </FormDialog>
  );
}
