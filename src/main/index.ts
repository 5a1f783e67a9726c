import { existsSync, readFileSync } from 'node:fs';
import { release } from 'node:os';
import { join, resolve } from 'node:path';
import { app, Notification, shell } from 'electron';
import { LOCAL_CONNECTION } from '../contract/ipc.ts';
import { LIMITS } from '../contract/limits.ts';
import { defaultDataFolder } from '../lib/folders.ts';
import { t } from '../lib/language.ts';
import { createFleet } from './connections/fleet.ts';
import { unsafeVersionMessage } from './connections/version-skew.ts';
import { tunnelSpecs } from './connections/tunnel-target.ts';
import { openConnections } from './connections/open-connections.ts';
import { registerScheme, serveConsole } from './console/scheme.ts';
import { createPendingItems } from './links/opened-file.ts';
import { appHandlers } from './ipc/app.ts';
import { createBrowserSignIn } from './connections/browser-sign-in.ts';
import { connectionHandlers } from './ipc/connections.ts';
import { desktopHandlers } from './ipc/desktop.ts';
import { localHandlers } from './ipc/local.ts';
import { registerIpc } from './ipc/register.ts';
import { parseCommandLine } from './links/command-line.ts';
import { listenForOpenRequests } from './links/open-requests.ts';
import { createLocalMaster } from './local-master/local-master.ts';
import { createLocalPorts } from './local-master/local-ports.ts';
import { findRunningMaster } from './local-master/find-running.ts';
import { masterStarter } from './local-master/master-process.ts';
import { applyLanguage } from './languages/apply-language.ts';
import { setMenu } from './menu.ts';
import { createMenuActions } from './menu-actions.ts';
import { createNotifications } from './notifications/notifications.ts';
import { createNavigation } from './navigation.ts';
import { masterArguments, findOption, appPaths } from './app-paths.ts';
import { refusedSwitch } from './refuse-debugging.ts';
import { createLoginItem } from './preferences/login-item.ts';
import { createPreferencesStore } from './preferences/preferences.ts';
import { quitInOrder } from './quit.ts';
import { createCrashReports } from './crash-reports/crash-reports.ts';
import { keepDumps, watchForCrashes } from './crash-reports/watch-crashes.ts';
import { createBadge } from './tray/badge.ts';
import { trayState } from './tray/tray-state.ts';
import { createStatusPoller } from './tray/status-poller.ts';
import { createTray } from './tray/tray.ts';
import { electronUpdater } from './updates/electron-updater.ts';
import { scheduleUpdateChecks } from './updates/schedule.ts';
import { createUpdates } from './updates/updates.ts';
import { showCloseDialog } from './window/close-dialog.ts';
import { createClosePolicy } from './window/close-policy.ts';
import { showConfirmDialog } from './window/confirm-dialog.ts';
import { guardContents } from './window/guard-contents.ts';
import { createConsoleWindow } from './window/console-window.ts';

const kept = (name: string) => join(app.getPath('userData'), name);
/** How long a page waits for the master of this machine that is just starting before it is told that it does not run. */
const START_PATIENCE_MS = 5000;
/** The same for a tunnel that is being opened. */
const TUNNEL_PATIENCE_MS = 10_000;

/** The desktop app, read from top to bottom: one instance, its scheme, the local master, the window, the tray, the way out. */
function start(): void {
  // Whoever read what it says may go before it: that is no fault of the app.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  registerScheme();
  const files = appPaths();
  const reports = createCrashReports({
    folder: kept('reports'),
    about: {
      app: app.getVersion(),
      electron: process.versions['electron'],
      chrome: process.versions['chrome'],
      platform: process.platform,
      arch: process.arch,
      system: release(),
    },
    now: () => new Date(),
  });
  keepDumps(reports.folder);
  const args = masterArguments(process.argv);
  const dataFolder = resolve(findOption(args, '--data') ?? defaultDataFolder());
  const drainSeconds = Number(
    findOption(args, '--drain-seconds') ?? process.env['YARDMASTER_DRAIN_SECONDS'] ?? LIMITS.drainSeconds,
  );

  const preferences = createPreferencesStore(kept('preferences.json'));
  const ports = createLocalPorts({
    args,
    env: process.env,
    preferences: preferences.get,
    status: () => local.status(),
  });
  const local = createLocalMaster({
    start: masterStarter(files.cli, process.env['YARDMASTER_NODE'] ?? files.node ?? undefined),
    args: () => ['--examples', files.examples, ...ports.arguments(), ...args],
    dataFolder,
    find: () => findRunningMaster(dataFolder),
    stopSeconds: drainSeconds + 10,
  });
  watchForCrashes(reports, local);

  const { network, reach, versions, tokenStorage, connections, agree, tunnels, targetOf, fleetDeps } = openConnections(
    kept('connections.json'),
    local,
  );
  const fleet = createFleet(fleetDeps);
  const statusPoller = createStatusPoller(fleetDeps, connections.selected);

  const program = files.node === null ? null : (process.env['APPIMAGE'] ?? process.execPath);
  const loginItem = createLoginItem({
    platform: process.platform,
    env: process.env,
    program,
    tell: (settings) => app.setLoginItemSettings(settings),
  });
  const updates = createUpdates({
    updater: () => electronUpdater(builtInUpdateKey(), files.node === null),
    fromEnvironment: process.env['YARDMASTER_UPDATE_FEED'],
    now: () => new Date(),
  });
  updates.use(preferences.get().updateFeed);

  const pending = createPendingItems();
  let hasTray = false;
  const closing = createClosePolicy({
    preferences: preferences.get,
    prefer: (onClose) => void preferences.set({ onClose }),
    hasTray: () => hasTray,
    runningHere: async () =>
      local.status().state === 'running' && !local.status().adopted
        ? ((await statusPoller.pollCluster(LOCAL_CONNECTION)).facts?.runningJobs ?? null)
        : 0,
    ask: (running) => showCloseDialog(window.current(), running),
    hide: () => window.hide(),
    quit: () => app.quit(),
  });
  const quitState = quitInOrder(local, drainSeconds, program);
  // Who switches windows sees which cluster it is.
  const titleOf = (page: string) => {
    const shown = connections.list().find(({ selected }) => selected);
    return shown?.kind === 'remote' ? page.replace(/Yardmaster$/, `${shown.name} · Yardmaster`) : page;
  };
  const window = createConsoleWindow({
    preload: files.preload,
    stateFile: kept('window.json'),
    mayClose: closing.mayClose,
    titleOf,
    isQuitting: quitState.isQuitting,
    unload: {
      isUrgent: quitState.isUrgent,
      ask: () =>
        showConfirmDialog({
          question: t('Discard changes?'),
          detail: t('What you entered has not been saved.'),
          keep: t('Keep editing'),
          allow: t('Discard changes'),
        }),
      onStay() {
        closing.stayed();
        // It may have been another cluster that was to be shown.
        const shown = new URL(window.current()?.webContents.getURL() || 'about:blank').host;
        if (connections.has(shown) && connections.selected() !== shown) connections.select(shown);
      },
    },
  });
  const navigation = createNavigation(window, connections, pending);
  const notifications = createNotifications({
    supported: () => Notification.isSupported(),
    make: (note) => new Notification(note),
    preferences: preferences.get,
    open: navigation.goTo,
  });

  const showWindow = () => (window.current() === null ? window.show(connections.selected(), '/') : window.focus());
  listenForOpenRequests({ navigation, show: showWindow, quitState });
  app.on('activate', showWindow);
  // The window loads its page anew, which then takes this.
  app.on('render-process-gone', (_event, _contents, { reason }) => {
    if (reason !== 'clean-exit')
      pending.addNotice({
        title: t('Page reloaded'),
        message: t('Its process ended ({reason}). Drafts are kept; see the report in Settings, About.', { reason }),
        failed: true,
      });
  });
  app.on('before-quit', closing.quitting);
  app.on('window-all-closed', () => app.quit());

  // Its process needs nothing of Electron: it gets ready beside it.
  void local.start();
  void app.whenReady().then(() => {
    const language = () => applyLanguage(preferences.get().language, app.getPreferredSystemLanguages());
    language();
    guardContents((url) => {
      const target = targetOf(url.hostname);
      if (target && 'url' in target) void shell.openExternal(`${reach.current(target)}${url.pathname}`);
    });
    serveConsole({
      folder: files.console,
      target: targetOf,
      async started(id) {
        if (id === LOCAL_CONNECTION) return local.started(START_PATIENCE_MS);
        // Whoever asks for its target opens it.
        if (targetOf(id) !== null) await tunnels.settled(id, TUNNEL_PATIENCE_MS);
      },
      fetch: reach.fetch,
      version: versions.of,
      unsafeWords: (version) => unsafeVersionMessage(app.getVersion(), version),
    });
    registerIpc({
      ...appHandlers(tokenStorage, notifications, connections.selected),
      ...connectionHandlers({
        signIn: createBrowserSignIn({ open: (url) => void shell.openExternal(url) }),
        connections,
        tunnels,
        agree,
        window,
        localTarget: local.target,
        fleet,
        confirm: showConfirmDialog,
        probe: (route, authority) => ({
          fetch: (url, init) => network.fetch(route, url, init),
          hop: (url) => network.hop(route, url),
          authority,
          version: app.getVersion(),
        }),
      }),
      ...desktopHandlers({
        preferences,
        loginItem,
        notesSupported: () => Notification.isSupported(),
        pending,
        chooseFile: navigation.chooseFile,
        updates,
        reports,
        confirm: showConfirmDialog,
      }),
      ...localHandlers(local, ports),
    });

    const switchTo = (id: string) => navigation.goTo(id, '/');
    const startLocal = () => void local.start();
    const stopLocal = () => void local.stop();
    const tray = createTray(files.tray, {
      open: (path) => (path === undefined ? showWindow() : navigation.goTo(connections.selected(), path)),
      switchTo,
      startLocal,
      stopLocal,
      quit: () => app.quit(),
    });
    hasTray = tray !== null;
    const badge = createBadge(files.tray, window.current);
    const draw = () => {
      const all = connections.list();
      const shown = all.find(({ selected }) => selected);
      tray?.draw(
        trayState(shown?.name ?? '', statusPoller.last(), shown?.kind === 'local' ? local.status() : null),
        all,
        local.status(),
      );
      badge(preferences.get().badge ? (statusPoller.last()?.facts?.alertsFiring ?? 0) : 0);
    };
    const menuActions = createMenuActions({
      ...{ connections, local, navigation, updates, window },
      ...{ dataFolder, switchTo, startLocal, stopLocal },
    });
    const menu = () =>
      setMenu(menuActions, {
        local: local.status(),
        connections: connections.list(),
        developer: files.node === null,
      });
    const connectionsChanged = () => {
      window.send('connections:changed', connections.list());
      menu();
      draw();
    };

    let shown = '';
    let said = '';
    local.onChange((status) => {
      window.send('local:changed', status);
      // Its lines come often; the menu and the list change with the state alone.
      if (shown === `${status.state} ${status.url}`) return;
      shown = `${status.state} ${status.url}`;
      // The start that follows an end has the same reason.
      if (status.message && !said.startsWith(status.message)) process.stderr.write(`yardmaster: ${status.message}\n`);
      said = status.message ?? '';
      connectionsChanged();
      void statusPoller.poll();
    });
    connections.onChange(() => {
      tunnels.keepOnly(tunnelSpecs(connections));
      connectionsChanged();
      void statusPoller.poll();
    });
    tunnels.onChange(connectionsChanged);
    const damage = connections.damage();
    if (damage !== null)
      navigation.notify({ title: t('Could not read all connections'), message: damage, failed: true });
    app.on('will-quit', tunnels.close);
    versions.onChange(connectionsChanged);
    statusPoller.onChange(draw);
    updates.onChange((status) => window.send('updates:changed', status));
    preferences.onChange((now) => {
      updates.use(now.updateFeed);
      if (loginItem.fault() === null) loginItem.set(now.startAtLogin);
      language();
      connectionsChanged();
    });
    scheduleUpdateChecks(updates, preferences.get, navigation.notify);
    if (files.node !== null && process.platform !== 'linux') app.setAsDefaultProtocolClient('yardmaster');
    menu();
    draw();
    const commandLine = parseCommandLine(process.argv, process.cwd());
    if (!commandLine.hidden || tray === null) window.show(connections.selected(), '/');
    navigation.openAll(commandLine);
  });
}

/** An Electron of somebody else that is given this folder as an argument is no package of ours, whatever its name. */
const isInstalled = app.isPackaged && app.getAppPath().startsWith(process.resourcesPath);
/** The public key (PEM) of those who made this package; null: it is run from its sources. */
const builtInUpdateKey = () => {
  const file = join(app.getAppPath(), 'update-key.pem');
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};
/** In packages that are made to be tested; those are driven through the debugger. */
const mayBeDebugged = () => existsSync(join(app.getAppPath(), 'debugging-allowed'));
const refused = isInstalled && !mayBeDebugged() ? refusedSwitch(process.argv) : null;

// A second start hands over what it was told to open, and shows the window of the first.
if (refused !== null) {
  process.stderr.write(`Yardmaster does not start with ${refused}: it would let other programs into the app\n`);
  app.exit(1);
} else if (app.requestSingleInstanceLock({ argv: process.argv, folder: process.cwd() })) start();
else app.quit();
