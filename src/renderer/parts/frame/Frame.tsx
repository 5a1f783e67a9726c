import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import { type MouseEvent, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { t } from '../../../lib/language.ts';
import { useLive, useStores } from '../../stores/context.tsx';
import { connectionsQuery, useShellEvent, useShellState } from '../../stores/desktop.ts';
import css from './Frame.module.css';
import { LocalMasterLine } from './LocalMasterLine.tsx';
import { NAV, OPERATIONS } from './nav.ts';
import { NavBar } from './NavBar.tsx';
import { Palette } from './Palette.tsx';
import { ShortcutSheet } from './ShortcutSheet.tsx';
import { ShortcutsContext, useShortcut } from './shortcuts.ts';
import { StatusBar } from './StatusBar.tsx';
import { TopBar } from './TopBar.tsx';

/** What stands around every page: menu, top bar, status bar, palette, shortcuts. */
export function Frame() {
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null);
  const main = useRef<HTMLElement>(null);
  const { live } = useStores();
  const mode = useLive((s) => s.mode);
  const router = useRouter();
  const { data: connections } = useQuery(connectionsQuery());
  const close = () => setOpen(null);

  useFocusOnPage(main);
  useShellState();
  useShellEvent('menu:go', useCallback(({ path }) => void router.navigate({ href: path }), [router]));
  useShellEvent('menu:open', useCallback(({ what }) => setOpen(what), []));
  // A master that came up again is followed at once, not at the next try.
  useShellEvent('local:changed', useCallback(({ state }) => void (state === 'running' && live.retryNow()), [live]));
  useShortcut('mod+k', t('Go to a page, id, workflow or action'), () => setOpen((now) => (now === 'palette' ? null : 'palette')));
  useShortcut('?', t('This list'), () => setOpen('shortcuts'));
  useShortcut('/', t('Filter the page'), focusFilter);
  useShortcut('t', t('To the table'), () => document.querySelector<HTMLElement>('[data-table]')?.focus());
  useGoTo();
  const shortcuts = useContext(ShortcutsContext);
  useEffect(() => shortcuts?.beforeEach(() => setOpen((now) => (now === 'shortcuts' ? null : now))), [shortcuts]);

  return (
    <div className={css['frame']}>
      <a href="#main" className={css['skip']} onClick={(event: MouseEvent) => (event.preventDefault(), main.current?.focus())}>
        {t('Skip to the page')}
      </a>
      <NavBar />
      <TopBar onSearch={() => setOpen('palette')} onShortcuts={() => setOpen('shortcuts')} colour={connections?.find((c) => c.selected)?.colour ?? null} />
      <main ref={main} id="main" className={css['main']} tabIndex={-1} data-stream={mode}>
        <LocalMasterLine onRetry={() => live.retryNow()} />
        <Outlet />
      </main>
      <StatusBar />
      <Palette opened={open === 'palette'} onClose={close} onShortcuts={() => setOpen('shortcuts')} />
      <ShortcutSheet opened={open === 'shortcuts'} onClose={close} />
    </div>
  );
}

function useGoTo() {
  const navigate = useNavigate();
  const add = useContext(ShortcutsContext)?.add;
  useEffect(() => {
    const remove = [...NAV, OPERATIONS].map((entry) => add?.({ keys: `g ${entry.key}`, label: entry.label, run: () => void navigate({ to: entry.to }) }));
    return () => remove.forEach((undo) => undo?.());
  }, [add, navigate]);
}

/** A new page takes the focus, so that a keyboard or a screen reader begins at its start; a changed filter does not. */
function useFocusOnPage(main: React.RefObject<HTMLElement | null>) {
  const { pathname } = useLocation();
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
}

function focusFilter() {
  const field = document.querySelector<HTMLElement>('[data-filter]');
  (field?.matches('input, textarea, [contenteditable]') ? field : field?.querySelector<HTMLElement>('input, textarea, [contenteditable="true"]'))?.focus();
}
