import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router';
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { t } from '../../../lib/language.ts';
import { useLive, usePreferences, useStores } from '../../stores/context.tsx';
import { connectionsQuery, localStatusQuery, useShellEvent } from '../../stores/desktop.ts';
import { goToMessage, MESSAGE_KEY } from '../../ui/toasts.tsx';
import { topicForPage } from '../help/find.ts';
import { HelpDrawer } from '../help/HelpDrawer.tsx';
import { NotificationsDrawer } from '../notifications/NotificationsDrawer.tsx';
import { useFailoverNotices } from '../notifications/use-failover-notices.ts';
import { Tour } from '../tour/Tour.tsx';
import { CautionBar } from './CautionBar.tsx';
import css from './Frame.module.css';
import { LocalMasterBanner } from './LocalMasterBanner.tsx';
import { approvalsEntry, fleetEntry, isFor, navEntries, operationsEntry } from './nav.ts';
import { useRights } from '../../stores/role.ts';
import { NavBar } from './NavBar.tsx';
import { OfflineBanner } from './OfflineBanner.tsx';
import { PageGate } from './PageGate.tsx';
import type { PaletteActions } from '../palette/palette-entries.ts';
import { Palette } from '../palette/Palette.tsx';
import { ShortcutSheet } from '../../keyboard/ShortcutSheet.tsx';
import { ShortcutsContext, useShortcut } from '../../keyboard/use-shortcut.ts';
import { StatusBar } from './StatusBar.tsx';
import { TokenBanner } from './TokenBanner.tsx';
import { TopBar } from './TopBar.tsx';
import { TunnelBanner } from './TunnelBanner.tsx';

/** What stands around every page: menu, top bar, status bar, palette, shortcuts. `operations`: bulk work under way, for the status bar. */
export function Frame({ operations }: { operations: ReactNode }) {
  const [open, setOpen] = useState<'palette' | 'shortcuts' | 'notices' | 'commands' | 'tour' | null>(null);
  const [help, setHelp] = useState<string | null>(null);
  const main = useRef<HTMLElement>(null);
  const { live } = useStores();
  const mode = useLive((s) => s.mode);
  const router = useRouter();
  const { data: connections } = useQuery(connectionsQuery());
  const set = usePreferences((p) => p.set);
  const { data: local } = useQuery(localStatusQuery());
  const selected = connections?.find((connection) => connection.selected);
  const localDown = selected?.kind === 'local' && local !== undefined && local.state !== 'running';
  const tokenless = selected?.kind === 'remote' && selected.tokenKept === 'none';
  const tunnelShut = selected !== undefined && selected.tunnel !== null && selected.tunnel.state !== 'open';
  const close = () => setOpen(null);
  // Once the palette is gone, so that it does not take the focus back from what it opened.
  const later = (run: () => void) => () => void setTimeout(run, 0);
  const actions: PaletteActions = {
    onShortcuts: later(() => setOpen('shortcuts')),
    onHelp: (topic) => later(() => setHelp(topic === 'page' ? topicForPage(router.state.location.pathname) : topic))(),
    onNotifications: later(() => setOpen('notices')),
    onCommands: later(() => setOpen('commands')),
    onTour: later(() => setOpen('tour')),
  };

  useFailoverNotices();
  useShellEvent(
    'menu:go',
    useCallback(() => {
      // What lies over the page would lie over the next one.
      setOpen(null);
      setHelp(null);
    }, []),
  );
  useShellEvent(
    'menu:open',
    useCallback(({ what }) => setOpen(what), []),
  );
  // A master that came up again is followed at once, not at the next try.
  const client = useQueryClient();
  useShellEvent(
    'local:changed',
    useCallback(
      ({ state }) => {
        if (state === 'running') live.retryNow();
        // What could not be read while it was starting has another reason now.
        if (state === 'failed')
          void client.refetchQueries({ type: 'active', predicate: ({ state: { status } }) => status === 'error' });
      },
      [live, client],
    ),
  );
  // So is one whose token was entered, or whose tunnel is open again.
  useShellEvent(
    'connections:changed',
    useCallback(
      (all) => {
        const now = all.find((one) => one.selected);
        if ((tokenless && now?.tokenKept !== 'none') || (tunnelShut && now?.tunnel?.state === 'open')) live.retryNow();
      },
      [live, tokenless, tunnelShut],
    ),
  );
  useShortcut(
    'mod+k',
    t('Go to a page, ID, workflow or action'),
    () => setOpen((now) => (now === 'palette' ? null : 'palette')),
    'frame',
  );
  useShortcut('?', t('Keyboard shortcuts'), () => setOpen('shortcuts'), 'frame');
  // GTK takes it for “select all” before the menu of the desktop app would hear of it.
  useShortcut('mod+/', t('Keyboard shortcuts'), () => setOpen('shortcuts'), 'frame');
  useShortcut('/', t('Filter this list'), focusFilter, 'frame');
  useShortcut('t', t('Focus the table'), () => findVisible('[data-table]')?.focus(), 'frame');
  useShortcut('j', t('Next row (also ↓)'), () => pressInTable('j'), 'frame');
  useShortcut('k', t('Previous row (also ↑)'), () => pressInTable('k'), 'frame');
  useShortcut('c', t('This page as a command'), () => setOpen('commands'), 'frame');
  useShortcut('b', t('Notifications'), () => setOpen('notices'), 'frame');
  useShortcut('h', t('Help for this page'), () => setHelp(topicForPage(router.state.location.pathname)), 'frame');
  useShortcut(MESSAGE_KEY, t('Focus the latest notification'), goToMessage, 'frame');
  useGoTo();
  const shortcuts = useContext(ShortcutsContext);
  useEffect(() => shortcuts?.beforeEach(() => setOpen((now) => (now === 'shortcuts' ? null : now))), [shortcuts]);

  return (
    <div className={css['frame']}>
      <a
        href="#main"
        className={css['skip']}
        onClick={(event: MouseEvent) => (event.preventDefault(), main.current?.focus())}
      >
        {t('Skip to content')}
      </a>
      <CautionBar connection={selected} />
      <NavBar onTour={() => setOpen('tour')} />
      <TopBar
        onSearch={() => setOpen('palette')}
        onShortcuts={() => setOpen('shortcuts')}
        onHelp={() => setHelp(topicForPage(router.state.location.pathname))}
        onNotifications={() => setOpen('notices')}
        commands={open === 'commands'}
        onCommands={(opened) => setOpen(opened ? 'commands' : null)}
        colour={selected?.colour ?? null}
      />
      <main ref={main} id="main" className={css['main']} tabIndex={-1} data-stream={mode}>
        <LocalMasterBanner onRetry={() => live.retryNow()} />
        {tokenless ? (
          <TokenBanner name={selected.name} />
        ) : tunnelShut ? (
          <TunnelBanner connection={selected} />
        ) : (
          !localDown && <OfflineBanner />
        )}
        <PageGate>
          <Outlet />
        </PageGate>
        <FocusOnPage main={main} />
      </main>
      <StatusBar operations={operations} />
      <Palette opened={open === 'palette'} onClose={close} actions={actions} />
      <NotificationsDrawer opened={open === 'notices'} onClose={close} />
      <HelpDrawer topic={help} onClose={() => setHelp(null)} />
      {open === 'tour' && <Tour onEnd={() => (set({ toured: true }), close())} />}
      <ShortcutSheet opened={open === 'shortcuts'} onClose={close} />
    </div>
  );
}

function useGoTo() {
  const navigate = useNavigate();
  const add = useContext(ShortcutsContext)?.add;
  const rights = useRights();
  useEffect(() => {
    const entries = [
      ...navEntries().filter(({ to }) => to !== '/fleet'),
      fleetEntry(),
      operationsEntry(),
      approvalsEntry(),
    ].filter((entry) => isFor(rights, entry));
    const remove = entries.map((entry) =>
      add?.({
        id: `g ${entry.key}`,
        keys: `g ${entry.key}`,
        label: entry.label,
        scope: 'frame',
        run: () => void navigate({ to: entry.to }),
      }),
    );
    return () => remove.forEach((undo) => undo?.());
  }, [add, navigate, rights]);
}

/**
 * A new page takes the focus, so that a keyboard or a screen reader begins at its start; a changed filter does not. It draws nothing: the
 * frame itself, with all that stands around a page, is not drawn again for each address.
 */
function FocusOnPage({ main }: { main: RefObject<HTMLElement | null> }): null {
  const pathname = useLocation({ select: (location) => location.pathname });
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus({ preventScroll: true });
  }, [pathname, main]);
  return null;
}

/** The first that is drawn: one of a tab that is not shown takes no focus. */
function findVisible(selector: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(selector)].find((element) => element.checkVisibility());
}

/** As if the table or the log lines of the page had the focus, which then they have. */
function pressInTable(key: string) {
  const table = findVisible('[data-table], [data-log-list]');
  table?.focus({ preventScroll: true });
  table?.scrollIntoView({ block: 'nearest' });
  table?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

function focusFilter() {
  const field = document.querySelector<HTMLElement>('[data-filter]');
  (field?.matches('input, textarea, [contenteditable]')
    ? field
    : field?.querySelector<HTMLElement>('input, textarea, [contenteditable="true"]')
  )?.focus();
}
