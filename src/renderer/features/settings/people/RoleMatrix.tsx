import { IconCheck, IconPencil, IconTrash } from '@tabler/icons-react';
import { Fragment } from 'react';
import type { AccessRole } from '../../../../contract/projects.ts';
import { t, tn } from '../../../../lib/language.ts';
import { ACTION_GROUPS, ACTION_WORDS } from '../../../stores/action-words.ts';
import { RowAction } from '../../../ui/RowAction.tsx';
import css from './RoleMatrix.module.css';
import { roleSummary } from './role-words.ts';

interface RoleMatrixProps {
  readonly roles: readonly AccessRole[];
  /** Why roles cannot be changed; undefined: they can. */
  readonly why: string | undefined;
  onOpen(role: AccessRole): void;
  onEdit(role: AccessRole): void;
  onDelete(role: AccessRole): void;
}

/** What each role allows: a row for each right, a column for each role. */
export function RoleMatrix({ roles, why, onOpen, onEdit, onDelete }: RoleMatrixProps) {
  return (
    <div className={css['box']}>
      <table className={css['table']} aria-label={t('Roles and what they allow')}>
        <thead>
          <tr>
            <th scope="col">{t('Allows to')}</th>
            {roles.map((role) => (
              <th key={role.id} scope="col">
                <button
                  type="button"
                  className={css['role']}
                  data-hint={roleSummary(role)}
                  onClick={() => onOpen(role)}
                >
                  {role.id}
                </button>
                <span className={css['used']}>
                  {role.grants === 0 ? t('not in use') : tn('given {count} time', 'given {count} times', role.grants)}
                </span>
                {!role.builtIn && (
                  <span className={css['acts']}>
                    <RowAction
                      label={t('Change {name}', { name: role.id })}
                      why={why}
                      icon={IconPencil}
                      onClick={() => onEdit(role)}
                    />
                    <RowAction
                      label={t('Delete {name}', { name: role.id })}
                      why={why ?? (role.grants > 0 ? t('Somebody has this role. Take it back first.') : undefined)}
                      danger
                      icon={IconTrash}
                      onClick={() => onDelete(role)}
                    />
                  </span>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ACTION_GROUPS.map((group) => (
            <Fragment key={group.label}>
              <tr className={css['group']}>
                <th scope="rowgroup" colSpan={roles.length + 1}>
                  {group.label}
                </th>
              </tr>
              {group.actions.map((action) => (
                <tr key={action}>
                  <th scope="row" title={action}>
                    {ACTION_WORDS[action]}
                  </th>
                  {roles.map((role) => (
                    <td key={role.id}>
                      {role.actions.includes(action) ? (
                        <IconCheck size={16} role="img" aria-label={t('yes')} className={css['yes']} />
                      ) : (
                        <span className={css['no']} aria-label={t('no')} role="img">
                          –
                        </span>
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </div>
  );
}
