import { Select, Stack, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Environment } from '../../../../contract/vocabulary.ts';
import { t } from '../../../../lib/language.ts';
import { accessKeys } from '../../../api/access.ts';
import { peopleKeys, usersQuery } from '../../../api/people.ts';
import { allProjectsQuery, createGrant, projectKeys, rolesQuery } from '../../../api/projects.ts';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { EnvironmentChoice } from '../access/credential-fields.tsx';
import { FarReaching } from './FarReaching.tsx';
import { allowedIn } from './role-reach.ts';
import { actionTexts, whereText } from './role-words.ts';

export interface GrantPlace {
  /** Whom it is given to; left out: it is asked for. */
  readonly subject?: string;
  readonly project?: string;
  readonly role?: string;
}

const EVERYWHERE = '*';

/** Gives a role: to whom, where, and what that allows. */
export function GrantForm({ given, onClose }: { given: GrantPlace; onClose(): void }) {
  const client = useQueryClient();
  const [kind, setKind] = useState<'user' | 'group'>('user');
  const [user, setUser] = useState<string | null>(given.subject ?? null);
  const [group, setGroup] = useState('');
  const [role, setRole] = useState(given.role ?? 'viewer');
  const [project, setProject] = useState(given.project ?? EVERYWHERE);
  const [environments, setEnvironments] = useState<Environment[]>([]);
  const users = useQuery({ ...usersQuery({ page: 0, size: 500 }), enabled: given.subject === undefined });
  const projects = useQuery(allProjectsQuery()).data?.items ?? [];
  const roles = useQuery(rolesQuery()).data?.items ?? [];
  const subject = kind === 'user' ? (user ?? '') : group.trim();
  const place = { project: project === EVERYWHERE ? null : project, environments: only(environments) };
  const chosen = roles.find(({ id }) => id === role);
  const allowed = allowedIn(chosen?.actions ?? [], place);
  return (
    <FormDialog
      title={t('Give a role')}
      submitLabel={t('Give role')}
      disabled={subject === ''}
      onClose={onClose}
      onSubmit={async () => {
        await createGrant({ subjectKind: kind, subject, role, ...place });
        await Promise.all(
          [projectKeys.grants, projectKeys.roles, peopleKeys.users, accessKeys.session].map((queryKey) =>
            client.invalidateQueries({ queryKey }),
          ),
        );
        onClose();
      }}
    >
      {given.subject === undefined && (
        <>
          <Select
            label={t('To')}
            data={[
              { value: 'user', label: t('A person or service account') },
              { value: 'group', label: t('Everybody in a group') },
            ]}
            {...bindChoice(kind, setKind)}
          />
          {kind === 'user' ? (
            <Select
              label={t('Person or service account')}
              data={(users.data?.items ?? []).map(({ id, login, name }) => ({
                value: id,
                label: name === login ? login : `${name} (${login})`,
              }))}
              value={user}
              onChange={setUser}
              searchable
              nothingFoundMessage={t('Nobody by that name')}
              data-autofocus
              required
            />
          ) : (
            <TextInput
              label={t('Group')}
              description={t('As people have it here, or as the provider names it')}
              {...bindText(group, setGroup)}
              maxLength={200}
              required
            />
          )}
        </>
      )}
      <Select
        label={t('Role')}
        data={roles.map(({ id }) => id)}
        {...bindChoice(role, setRole)}
        {...(given.subject === undefined ? {} : { 'data-autofocus': true })}
      />
      <Select
        label={t('Where')}
        data={[
          { value: EVERYWHERE, label: t('All projects, and what belongs to none') },
          ...projects.map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` })),
        ]}
        {...bindChoice(project, setProject)}
        searchable
      />
      <EnvironmentChoice
        description={t('Limits publishing, operating jobs and seeing payloads. None selected: all.')}
        value={environments}
        onChange={setEnvironments}
      />
      {chosen && (
        <Stack gap="xs" fz="var(--text-normal)" role="status">
          <div>
            <strong>{t('Allows in {where}:', { where: whereText(place.project, place.environments) })}</strong>{' '}
            <span className="dim">{actionTexts(allowed).join(' · ')}</span>
          </div>
          <FarReaching
            actions={allowed}
            isAdministrator={role === 'admin' && place.project === null && place.environments === null}
          />
        </Stack>
      )}
    </FormDialog>
  );
}

const only = (environments: Environment[]): Environment[] | null => (environments.length === 0 ? null : environments);
