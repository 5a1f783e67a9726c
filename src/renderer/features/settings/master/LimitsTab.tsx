import { Group, Select, Text, Textarea, TextInput } from '@mantine/core';
import { IconEdit, IconRotateClockwise } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { Setting } from '../../../../contract/settings.ts';
import { RETENTION_MODES } from '../../../../contract/vocabulary.ts';
import { t, inSentence } from '../../../../lib/language.ts';
import { clusterQuery } from '../../../api/cluster.ts';
import { overviewKeys, settingsQuery, patchSettings } from '../../../api/overview.ts';
import { toastRequested } from '../../../shell/approvals/toast-requested.ts';
import { useWhy } from '../../../stores/role.ts';
import { ToneBadge } from '../../../ui/Badges.tsx';
import { type DataColumn, DataTable } from '../../../ui/DataTable.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { Finder } from '../../../ui/Finder.tsx';
import { FormDialog } from '../../../ui/FormDialog.tsx';
import { toastSuccess, toastFailure } from '../../../ui/toasts.tsx';
import {
  boundsFault,
  boundsText,
  isJsonSetting,
  limitsOfMaster,
  readSetting,
  settingText,
  unitText,
  variableOf,
} from '../setting-labels.ts';
import { RetentionProposal } from '../RetentionProposal.tsx';
import { SETTING_GROUP_NAMES, SETTING_GROUPS, settingGroup, type SettingGroup } from '../setting-groups.ts';
import { settingName } from '../../../ui/setting-name.ts';
import { useMeanings } from './use-meanings.ts';
import type { SettingsSearch } from '../settings-search.ts';
import css from '../shared/Settings.module.css';
import { bindChoice, bindText } from '../../../ui/bind.ts';
import { actionsColumn } from '../../../ui/table/actions-column.tsx';

const ALL_SHOWN: readonly string[] = [];
const GROUP_HIDDEN: readonly string[] = ['group'];
const route = getRouteApi('/settings');
const limitName = (setting: Setting) => setting.name;

/** What the master is bound by, by groups, retention first: each setting with what it does, with its default and what was set over it; of a cluster also what each master is told by its environment. */
export function LimitsTab(): ReactNode {
  const query = useQuery(settingsQuery());
  const isCluster = useQuery(clusterQuery()).data?.mode === 'cluster';
  const client = useQueryClient();
  const whyAdmin = useWhy('settings.manage');
  const { find = '', group } = route.useSearch();
  const navigate = route.useNavigate();
  const show = (change: { find?: string | undefined; group?: SettingGroup | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...change }) as SettingsSearch, replace: true });
  const meanings = useMeanings();
  const [edited, setEdited] = useState<Setting | null>(null);
  const change = async (name: string, value: unknown): Promise<'changed' | 'asked'> => {
    const answer = await patchSettings({ [name]: value });
    if ('requestedBy' in answer) {
      await toastRequested(client);
      return 'asked';
    }
    client.setQueryData(overviewKeys.settings, answer);
    return 'changed';
  };
  const takeBack = (setting: Setting) =>
    void change(setting.name, null).then(
      (done) =>
        done === 'changed' &&
        toastSuccess(
          t('{name} was reverted', { name: settingName(setting.name) }),
          settingText(setting.name, setting.default),
          { label: t('Undo'), run: () => void change(setting.name, setting.override) },
        ),
      toastFailure(t('Could not change the setting')),
    );
  const columns = useMemo(() => columnsFor(meanings, whyAdmin, setEdited, takeBack), [meanings, whyAdmin]);
  const rows = useMemo(() => {
    const words = find.toLowerCase().split(/\s+/);
    const all = query.data && [...query.data.settings, ...(isCluster ? limitsOfMaster(query.data) : [])];
    const hits = all?.filter(({ name }) => {
      const own = settingGroup(name);
      if (group !== undefined && group !== own) return false;
      const text = `${name} ${settingName(name)} ${SETTING_GROUP_NAMES[own]} ${meanings.get(name) ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    // What is deleted when comes before what else takes room.
    const place = ({ name }: Setting) =>
      SETTING_GROUPS.indexOf(settingGroup(name)) - Number(/^(job|log|metrics\w*)Retention/.test(name));
    return hits?.toSorted((a, b) => place(a) - place(b));
  }, [query.data, isCluster, find, group, meanings]);
  return (
    <>
      <div className={css['bar']}>
        <span className="dim">
          {t(
            'Changes take effect immediately, or after a restart where noted. They override the command-line option and environment variable of the same name.',
          )}
        </span>
        <Select
          aria-label={t('Group of settings')}
          w={190}
          data={[
            { value: '', label: t('All groups') },
            ...SETTING_GROUPS.filter((one) => one !== 'cluster' || isCluster).map((one) => ({
              value: one,
              label: SETTING_GROUP_NAMES[one],
            })),
          ]}
          value={group ?? ''}
          onChange={(next) => show({ group: SETTING_GROUPS.find((one) => one === next) })}
        />
        <Finder
          value={find}
          label={t('Search settings')}
          placeholder={t('Search settings…')}
          onChange={(text) => show({ find: text === '' ? undefined : text })}
        />
      </div>
      {(group === undefined || group === 'retention') && find === '' && <RetentionProposal />}
      <DataTable
        fill
        label={t('Limits and retention')}
        what={t('Could not load settings')}
        storageKey="settings"
        lines={3}
        hidden={group === undefined ? ALL_SHOWN : GROUP_HIDDEN}
        columns={columns}
        rows={rows}
        rowId={limitName}
        query={query}
        empty={<EmptyState title={t('No matching settings')} />}
      />
      {edited && (
        <SettingForm
          setting={edited}
          meaning={meanings.get(edited.name)}
          onClose={() => setEdited(null)}
          onSave={(value) => change(edited.name, value)}
        />
      )}
    </>
  );
}

function SettingForm({
  setting,
  meaning,
  onClose,
  onSave,
}: {
  setting: Setting;
  /** What it does. */
  meaning: string | undefined;
  onClose(): void;
  onSave(value: unknown): Promise<unknown>;
}): ReactNode {
  const { name } = setting;
  const now = setting.override ?? setting.value;
  const [text, setText] = useState(
    Array.isArray(now) ? now.join('\n') : isJsonSetting(setting) ? JSON.stringify(now) : String(now),
  );
  const value = readSetting(setting, text);
  const fault =
    value === undefined
      ? isJsonSetting(setting)
        ? t('Expected JSON.')
        : t('Expected a number.')
      : boundsFault(setting, value);
  const bounds = boundsText(setting);
  const unit = unitText(name);
  const label = unit === '' ? settingName(name) : t('{name}, in {unit}', { name: settingName(name), unit });
  const save = async () => {
    await onSave(value);
    toastSuccess(
      t('Updated {name}', { name: inSentence(settingName(name)) }),
      setting.restart
        ? t('It takes effect after the master restarts.')
        : t('Now {name}.', { name: settingText(name, value) }),
    );
    onClose();
  };
  return (
    <FormDialog
      title={settingName(name)}
      disabled={value === undefined || fault !== null}
      onClose={onClose}
      onSubmit={save}
    >
      {name === 'jobRetentionMode' ? (
        <Select
          label={label}
          description={t('archive: jobs are first written to the archive folder of the data folder')}
          data={[...RETENTION_MODES]}
          {...bindChoice(text, setText)}
        />
      ) : Array.isArray(setting.default) ? (
        <Textarea
          label={label}
          description={t('One per line')}
          {...bindText(text, setText)}
          autosize
          minRows={3}
          maxRows={10}
          spellCheck={false}
          data-autofocus
        />
      ) : (
        <TextInput
          label={label}
          {...bindText(text, setText)}
          inputMode={typeof setting.default === 'number' ? 'decimal' : 'text'}
          description={bounds}
          error={fault}
          autoComplete="off"
          data-autofocus
        />
      )}
      {meaning !== undefined && <Text size="sm">{meaning}</Text>}
      <Text size="sm" c="dimmed">
        {t('Default: {value}.', { value: settingText(name, setting.default) })}{' '}
        {setting.restart ? t('Takes effect after the master restarts.') : t('Takes effect immediately.')}
      </Text>
    </FormDialog>
  );
}

const columnsFor = (
  meanings: ReadonlyMap<string, string>,
  whyNot: string | undefined,
  onEdit: (setting: Setting) => void,
  onBack: (setting: Setting) => void,
): readonly DataColumn<Setting>[] => [
  {
    id: 'name',
    header: t('Setting'),
    width: 260,
    grow: true,
    cell: ({ name }) => (
      <span className="two-rows">
        <span className="clip" title={name}>
          {settingName(name)} <span className="mono dim">{name}</span>
        </span>
        <span className={`two-lines ${css['meaning']}`} title={meanings.get(name)}>
          {meanings.get(name)}
        </span>
      </span>
    ),
  },
  {
    id: 'group',
    header: t('Group'),
    width: 216,
    cell: ({ name }) => <span className="clip dim">{SETTING_GROUP_NAMES[settingGroup(name)]}</span>,
  },
  {
    id: 'value',
    header: t('Current value'),
    width: 130,
    align: 'right',
    cell: ({ name, value }) => (
      <span className="clip numbers" title={String(value)}>
        {settingText(name, value)}
      </span>
    ),
  },
  {
    id: 'default',
    header: t('Default'),
    width: 100,
    align: 'right',
    cell: ({ name, default: usual }) => <span className="clip numbers dim">{settingText(name, usual)}</span>,
  },
  {
    id: 'override',
    header: t('Override'),
    width: 150,
    blank: (setting) => setting.override === null && variableOf(setting.name) === null,
    cell: (setting) => <Override setting={setting} />,
  },
  actionsColumn(84, whyNot, (setting) => [
    variableOf(setting.name) === null && {
      label: t('Edit {name}', { name: settingName(setting.name) }),
      icon: IconEdit,
      run: () => onEdit(setting),
    },
    setting.override !== null && {
      label: t('Reset to default: {name}', { name: settingName(setting.name) }),
      icon: IconRotateClockwise,
      run: () => onBack(setting),
    },
  ]),
];

function Override({ setting: { name, value, override } }: { setting: Setting }) {
  const variable = variableOf(name);
  if (variable !== null)
    return (
      <span
        className="mono dim clip"
        title={t('{variable}, in the environment of each master. The value is that of the owner.', { variable })}
      >
        {variable}
      </span>
    );
  if (override === null) return <span className="dim">–</span>;
  const waits = JSON.stringify(override) !== JSON.stringify(value);
  return (
    <Group gap={6} wrap="nowrap">
      <span className="clip numbers">{settingText(name, override)}</span>
      {waits && <ToneBadge tone="late">{t('after restart')}</ToneBadge>}
    </Group>
  );
}
