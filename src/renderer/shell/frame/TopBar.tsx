import { ActionIcon, Kbd, Tooltip } from '@mantine/core';
import { IconDeviceDesktop, IconHelpCircle, IconKeyboard, IconMoon, IconSearch, IconSun } from '@tabler/icons-react';
import { t } from '../../../lib/language.ts';
import { usePreferences } from '../../stores/context.tsx';
import { LazySelect } from '../../ui/LazySelect.tsx';
import { Bell } from '../notifications/Bell.tsx';
import { CommandMenu } from '../commands/CommandMenu.tsx';
import { Account } from './Account.tsx';
import { ConnectionSwitcher } from './ConnectionSwitcher.tsx';
import css from './Frame.module.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ENVIRONMENTS } from '../../../contract/vocabulary.ts';

const THEMES = {
  system: { next: 'light', icon: IconDeviceDesktop },
  light: { next: 'dark', icon: IconSun },
  dark: { next: 'system', icon: IconMoon },
} as const;

export interface TopBarProps {
  onSearch(): void;
  onShortcuts(): void;
  onHelp(): void;
  onNotifications(): void;
  commands: boolean;
  onCommands(opened: boolean): void;
  colour: string | null;
}

export function TopBar({ onSearch, onShortcuts, onHelp, onNotifications, commands, onCommands, colour }: TopBarProps) {
  const theme = usePreferences((p) => p.theme);
  const set = usePreferences((p) => p.set);
  const { next, icon: ThemeIcon } = THEMES[theme];
  return (
    <header className={`${css['top']} ${colour ? css['stripe'] : ''}`} style={colour ? { '--stripe': colour } : {}}>
      <ConnectionSwitcher />
      <EnvironmentFilter />
      <button type="button" className={css['search']} data-tour="search" onClick={onSearch} aria-haspopup="dialog">
        <IconSearch size={15} aria-hidden />
        <span>{t('Go to a page, job, workflow or worker')}</span>
        <Kbd size="xs" className={css['less'] ?? ''}>
          {navigator.platform.startsWith('Mac') ? '⌘' : t('Ctrl')} K
        </Kbd>
      </button>
      <span data-tour="command">
        <CommandMenu opened={commands} onChange={onCommands} />
      </span>
      <Bell onOpen={onNotifications} />
      <Tooltip label={t('Help for this page (h)')}>
        <ActionIcon aria-label={t('Help for this page')} onClick={onHelp}>
          <IconHelpCircle size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('Theme: {theme}. Switch to {next}', { theme, next })}>
        <ActionIcon
          className={css['wide'] ?? ''}
          aria-label={t('Theme: {theme}. Switch to {next}', { theme, next })}
          onClick={() => set({ theme: next })}
        >
          <ThemeIcon size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('Keyboard shortcuts (?)')}>
        <ActionIcon className={css['wide'] ?? ''} aria-label={t('Keyboard shortcuts')} onClick={onShortcuts}>
          <IconKeyboard size={17} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Account />
    </header>
  );
}

/** Narrows the pages of jobs and failures to one environment, and stays so from page to page: it is in the address. */
function EnvironmentFilter() {
  const env = useSearch({ strict: false, select: (search) => search.env });
  const navigate = useNavigate();
  // Which page this is, and so what its address may hold, is not known here.
  const choose = (value: string | null) => {
    const next = {
      env: value === null || value === '' ? undefined : value,
      environment: undefined,
      page: undefined,
    };
    // Of any page: no route is known here whose search it would be.
    void navigate({ to: '.', search: ((old: object) => ({ ...old, ...next })) as never, replace: true });
  };
  return (
    <LazySelect
      aria-label={t('Environment of jobs and failures')}
      data={[{ value: '', label: t('All environments') }, ...ENVIRONMENTS.map((value) => ({ value, label: value }))]}
      value={env ?? ''}
      onChange={choose}
      w={160}
      miw="min(160px, 17vw)"
      comboboxProps={{ withinPortal: true }}
    />
  );
}
