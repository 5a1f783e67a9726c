import { IconUsers } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { User } from '../../../../contract/users.ts';
import { t } from '../../../../lib/language.ts';
import { withoutUndefined } from '../../../../lib/without-undefined.ts';
import {
  createServiceToken,
  leftOf,
  peopleKeys,
  revokeLeft,
  deleteUser,
  resetPassword,
  updateUser,
  usersQuery,
} from '../../../api/people.ts';
import { everyGrantQuery, projectKeys } from '../../../api/projects.ts';
import { useCommands } from '../../../keyboard/use-shortcut.ts';
import { useWhy, useWhyNotAdministrator } from '../../../stores/role.ts';
import { useConfirm } from '../../../ui/ConfirmAction.tsx';
import { ListTab } from '../../../ui/ListTab.tsx';
import { useRestoreFocus } from '../../../ui/restore-focus.ts';
import { toastSuccess } from '../../../ui/toasts.tsx';
import css from '../shared/Settings.module.css';
import { SecretDialog, type SecretStep } from '../access/SecretDialog.tsx';
import { NewPersonForm } from './NewPersonForm.tsx';
import { PersonPanel } from './PersonPanel.tsx';
import { peopleColumns } from './people-columns.tsx';

const route = getRouteApi('/settings');
const userId = (user: User) => user.id;
const userTone = (user: User) => (user.disabledAt === null ? undefined : ('muted' as const));

/** People and service accounts. The first one is made here. */
export function PeopleTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 20 } = search;
  const query = useQuery(usersQuery({ page, size }));
  const grants = useQuery(everyGrantQuery()).data;
  const client = useQueryClient();
  const why = useWhy('people.manage');
  const whyNotAdmin = useWhyNotAdministrator();
  const [dialog, setDialog] = useState<SecretStep | null>(null);
  const { ask, isAsking, dialog: question } = useConfirm();
  const changed = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: peopleKeys.users }),
      client.invalidateQueries({ queryKey: peopleKeys.ways }),
      // A new account may come with a role.
      client.invalidateQueries({ queryKey: projectKeys.grants }),
    ]);
  /** What somebody made for others goes on without them, unless it is revoked here. */
  const tellLeft = async (user: User) => {
    const { keys, tokens } = await leftOf(user.id);
    const names = [...keys, ...tokens].map(({ name }) => name).join(', ');
    if (names === '') return toastSuccess(t('Account disabled'));
    const text = t('API keys and worker tokens that they made go on: {names}', { names });
    const run = () =>
      ask({
        danger: true,
        title: t('Revoke what {name} made?', { name: user.name }),
        confirmLabel: t('Revoke them'),
        text: `${text}. ${t('What uses them stops.')}`,
        run: async () => void (await revokeLeft(user.id)),
      });
    toastSuccess(t('Account disabled'), text, { label: t('Revoke them…'), run });
  };
  const actions = {
    disable: (user: User) =>
      ask({
        danger: true,
        title: t('Disable {name}?', { name: user.name }),
        confirmLabel: t('Disable 1 account'),
        text: t('All sessions and tokens of this account end immediately. Enabling it again brings none of them back.'),
        async run() {
          await updateUser(user.id, { disabled: true });
          await changed();
          await tellLeft(user);
        },
      }),
    remove: (user: User) =>
      ask({
        danger: true,
        title: t('Delete {name} for good?', { name: user.name }),
        confirmLabel: t('Delete 1 account'),
        text: [
          t(
            'Its sessions, tokens and roles are deleted. Records and the audit log keep the name; API keys and worker tokens that they made go on.',
          ),
          ...(user.source === 'oidc'
            ? [
                t(
                  'While the sign-in provider lets them in, their next sign-in makes a new account with the roles of their groups: keep this one disabled to keep them out.',
                ),
              ]
            : []),
        ].join(' '),
        async run() {
          await deleteUser(user.id);
          toastSuccess(t('Account deleted'));
          await changed();
        },
      }),
    enable: (user: User) =>
      ask({
        title: t('Enable {name}?', { name: user.name }),
        confirmLabel: t('Enable 1 account'),
        text: t('They can sign in again, with the roles that they had.'),
        async run() {
          await updateUser(user.id, { disabled: false });
          await changed();
        },
      }),
    reset: (user: User) =>
      ask({
        danger: true,
        title: t('Reset the password of {name}?', { name: user.name }),
        confirmLabel: t('Make a one-time password'),
        text: t(
          'Their sessions and tokens end, and their passkeys are removed. The one-time password has to be changed at the next sign-in.',
        ),
        async run() {
          const { password } = await resetPassword(user.id);
          setDialog({ kind: 'secret', secret: password });
          await changed();
        },
      }),
    token: (user: User) =>
      ask({
        title: t('Create a token for {name}?', { name: user.name }),
        confirmLabel: t('Create token'),
        text: t('The token may do all that the service account may, and ends with it.'),
        async run() {
          const { token } = await createServiceToken(user.id, { name: user.login });
          setDialog({ kind: 'secret', what: t('Token'), secret: token });
        },
      }),
  };
  const columns = useMemo(() => peopleColumns(why, whyNotAdmin, grants, actions), [why, whyNotAdmin, grants]);
  const close = () => setDialog(null);
  // A secret may follow a question: both come from the same button.
  useRestoreFocus(isAsking || dialog !== null);
  const add = { label: t('New account'), why, run: () => setDialog({ kind: 'new' }) };
  useCommands(why === undefined ? [add] : []);
  return (
    <>
      <ListTab
        intro={
          <span className={css['text']}>
            {t('People sign in by name; service accounts have tokens. A token or session ends with its account.')}{' '}
            <Link to="/settings" search={{ tab: 'projects' }}>
              {t('Projects')}
            </Link>
            {' · '}
            <Link to="/settings" search={{ tab: 'roles' }}>
              {t('Roles')}
            </Link>
          </span>
        }
        add={add}
        label={t('People')}
        what={t('Could not load people')}
        columns={columns}
        lines={2}
        rowId={userId}
        rowTone={userTone}
        query={query}
        storageKey="people"
        place={{ page, size }}
        onPlace={(change) => void navigate({ search: { ...search, ...change } })}
        onOpen={({ id }) => void navigate({ search: { ...search, open: id } })}
        {...(search.open === undefined ? {} : { current: search.open })}
        empty={{
          icon: IconUsers,
          title: t('No people yet'),
          text: t(
            'Until there are accounts, everyone signs in with a token. The first account changes nothing for tokens.',
          ),
        }}
      />
      <PersonPanel
        userId={search.open ?? null}
        onClose={() => void navigate({ search: withoutUndefined({ ...search, open: undefined }) })}
      />
      <SecretDialog title={t('New account')} what={t('One-time password')} step={dialog} onClose={close}>
        <NewPersonForm
          onDone={(secret) => {
            if (secret === null) {
              close();
              toastSuccess(t('Service account created'), t('It has no token yet: create one with the key in its row.'));
            } else setDialog({ kind: 'secret', secret });
            void changed();
          }}
          onCancel={close}
        />
      </SecretDialog>
      {question}
    </>
  );
}
