import { Drawer, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconHistory } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AuditEntry } from '../../../../contract/access.ts';
import { t, inSentence } from '../../../../lib/language.ts';
import { auditQuery } from '../../../api/access.ts';
import { DataTable, type DataColumn } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Facts } from '../../../ui/Field.tsx';
import { JsonTree } from '../../../ui/JsonTree.tsx';
import { Instant, TimeAgo } from '../../../ui/Time.tsx';
import { paged } from '../../../ui/table/pages.ts';
import type { SettingsSearch } from '../settings-search.ts';
import css from '../shared/Settings.module.css';
import type { SearchChange } from '../../../ui/search-params.ts';

const route = getRouteApi('/settings');
type Change = SearchChange<SettingsSearch>;
const entryId = (entry: AuditEntry) => entry.id;
const COLUMNS: readonly DataColumn<AuditEntry>[] = [
  { id: 'at', header: t('Time'), width: 120, cell: (entry) => <TimeAgo at={entry.at} /> },
  { id: 'actor', header: t('User'), width: 150, cell: (entry) => entry.actor },
  { id: 'role', header: t('Role'), width: 90, cell: (entry) => entry.role ?? '–' },
  { id: 'action', header: t('Action'), width: 180, cell: (entry) => <span className="mono">{entry.action}</span> },
  {
    id: 'target',
    header: t('Target'),
    width: 260,
    grow: true,
    cell: (entry) => <span className="clip mono">{entry.target}</span>,
  },
  { id: 'address', header: t('From'), width: 130, cell: (entry) => entry.address ?? '–' },
];

export function AuditTab(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { page = 0, size = 50, action, actor, target } = search;
  const query = useQuery(auditQuery({ page, size, action, actor, target }));
  const [open, setOpen] = useState<AuditEntry | null>(null);
  const set = (change: Change) =>
    // The router's type of a search that is changed in part is too narrow.
    void navigate({ search: { ...search, page: undefined, ...change } as SettingsSearch, replace: true });
  return (
    <>
      <Group gap="xs">
        <Filter
          label={t('Action')}
          placeholder={t('Action')}
          value={action}
          onSet={(value) => set({ action: value })}
          first
        />
        <Filter label={t('User')} placeholder={t('User')} value={actor} onSet={(value) => set({ actor: value })} />
        <Filter
          label={t('Target')}
          placeholder={t('Target')}
          value={target}
          onSet={(value) => set({ target: value })}
        />
      </Group>
      <DataTable
        fill
        label={t('Audit log')}
        what={t('Could not load the audit log')}
        columns={COLUMNS}
        rowId={entryId}
        onOpen={setOpen}
        current={open?.id}
        storageKey="audit"
        {...paged(query, { page, size }, set)}
        empty={
          <EmptyState
            icon={IconHistory}
            title={(action ?? actor ?? target) ? t('No matching changes') : t('No changes yet')}
          >
            {t(
              'Every change to workflows, publications, jobs, workers, keys and tokens is recorded here, and who read payloads.',
            )}
          </EmptyState>
        }
      />
      <Drawer
        opened={open !== null}
        onClose={() => setOpen(null)}
        position="right"
        size={560}
        title={<strong>{open?.action}</strong>}
      >
        {open && (
          <div className={css['stack']}>
            <Facts
              items={[
                { label: t('Time'), value: <Instant at={open.at} /> },
                { label: t('User'), value: `${open.actor}${open.role ? `, ${open.role}` : ''}` },
                { label: t('From'), value: open.address ?? '–' },
                { label: t('Target'), value: <span className="mono">{open.target}</span> },
              ]}
            />
            <div>
              <h3>{t('Before')}</h3>
              <JsonTree value={open.before} label={t('Before')} />
            </div>
            <div>
              <h3>{t('After')}</h3>
              <JsonTree value={open.after} label={t('After')} />
            </div>
          </div>
        )}
      </Drawer>
    </>
  );
}

/** Takes effect a moment after the last key. */
function Filter({
  label,
  placeholder,
  value,
  onSet,
  first = false,
}: {
  label: string;
  placeholder: string;
  value: string | undefined;
  onSet(value: string | undefined): void;
  first?: boolean;
}) {
  const [text, setText] = useState(value ?? '');
  const later = useDebouncedCallback((next: string) => onSet(next.trim() === '' ? undefined : next.trim()), 300);
  return (
    <TextInput
      aria-label={t('Filter by {label}', { label: inSentence(label) })}
      placeholder={placeholder}
      value={text}
      w={190}
      onChange={(event) => (setText(event.currentTarget.value), later(event.currentTarget.value))}
      {...(first ? { 'data-filter': true } : {})}
    />
  );
}
