import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AccessRole } from '../../../../contract/projects.ts';
import { t } from '../../../../lib/language.ts';
import { withoutUndefined } from '../../../../lib/without-undefined.ts';
import { deleteRole, projectKeys, rolesQuery } from '../../../api/projects.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useReach, useWhyNotAdministrator } from '../../../stores/role.ts';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { Loading } from '../../../ui/Loading.tsx';
import { ReasonButton } from '../../../ui/ReasonButton.tsx';
import { SidePanel } from '../../../ui/SidePanel.tsx';
import { toastSuccess } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';
import { FarReaching } from './FarReaching.tsx';
import { GrantList } from './GrantList.tsx';
import { RoleForm } from './RoleForm.tsx';
import { RoleMatrix } from './RoleMatrix.tsx';
import { actionTexts, roleSummary } from './role-words.ts';

const route = getRouteApi('/settings');

/** What each role allows, the built-in ones first. */
export function RolesTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(rolesQuery());
  const client = useQueryClient();
  const why = useWhyNotAdministrator();
  const [form, setForm] = useState<{ readonly role: AccessRole | null } | null>(null);
  const { ask, dialog } = useConfirm();
  const remove = (role: AccessRole) =>
    ask({
      danger: true,
      title: t('Delete the role {name}?', { name: role.id }),
      confirmLabel: t('Delete 1 role'),
      text: t('Nobody has it. This cannot be undone.'),
      async run() {
        await deleteRole(role.id);
        toastSuccess(t('Role deleted'));
        await client.invalidateQueries({ queryKey: projectKeys.roles });
      },
    });
  const make = () => setForm({ role: null });
  useCommands(why === undefined ? [{ label: t('New role'), run: make }] : []);
  const roles = query.data?.items;
  return (
    <>
      <div className={css['bar']}>
        <span className="dim">
          {t(
            'A role is a set of rights. It is given to people, service accounts and groups, everywhere or in one project.',
          )}
        </span>
        <ReasonButton leftSection={<IconPlus size={14} aria-hidden />} reason={why ?? null} onClick={make}>
          {t('New role')}
        </ReasonButton>
      </div>
      {roles ? (
        <RoleMatrix
          roles={roles}
          why={why}
          onOpen={({ id }) => void navigate({ search: { ...search, open: id } })}
          onEdit={(role) => setForm({ role })}
          onDelete={remove}
        />
      ) : (
        <Loading query={query} what={t('Could not load the roles')} lines={12} />
      )}
      <RolePanel
        role={roles?.find(({ id }) => id === search.open)}
        onClose={() => void navigate({ search: withoutUndefined({ ...search, open: undefined }) })}
      />
      {form && <RoleForm role={form.role} taken={roles?.map(({ id }) => id) ?? []} onClose={() => setForm(null)} />}
      {dialog}
    </>
  );
}

/** One role: what it allows in words, and who has it. */
function RolePanel({ role, onClose }: { role: AccessRole | undefined; onClose(): void }): ReactNode {
  const seesGrants = useReach('grants.list');
  return (
    <SidePanel what={t('Role')} id={role?.id ?? null} onClose={onClose}>
      {(id) =>
        role && (
          <div className={`${css['stack']} ${css['panel']}`}>
            <h2>{id}</h2>
            {(role.builtIn || role.description !== null) && <p>{roleSummary(role)}</p>}
            <ul className={css['list']}>
              {actionTexts(role.actions).map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
            <FarReaching actions={role.actions} isAdministrator={id === 'admin'} />
            {seesGrants && (
              <GrantList title={t('Who has it')} filter={{ role: id }} given={{ role: id }} empty={t('Nobody')} />
            )}
          </div>
        )
      }
    </SidePanel>
  );
}
