import { join } from 'node:path';
import { app, net, shell } from 'electron';
import { LOCAL_CONNECTION } from '../contract/ipc.ts';
import { LIMITS } from '../contract/limits.ts';
import { defaultDataFolder } from '../lib/folders.ts';
import { createFleet } from './connections/fleet.ts';
import { systemSecrets } from './connections/secrets.ts';
import { createConnections } from './connections/store.ts';
import { registerScheme, serveConsole } from './console/scheme.ts';
import { appHandlers } from './ipc/app.ts';
import { connectionHandlers } from './ipc/connections.ts';
import { localHandlers } from './ipc/local.ts';
import { registerIpc } from './ipc/register.ts';
import { createLocalCluster } from './local/cluster.ts';
import { livingMaster } from './local/found.ts';
import { masterStarter } from './local/process.ts';
import { setMenu } from './menu.ts';
import { masterArguments, optionIn, places } from './places.ts';
import { quitInOrder } from './quit.ts';
import { confirm } from './window/confirm.ts';
import { guardContents } from './window/guard.ts';
import { createConsoleWindow } from './window/window.ts';

/** The desktop app, read from top to bottom: one instance, its scheme, the local master, the window, the way out. */
function start(): void {
  registerScheme();
  const files = places();
  const args = masterArguments(process.argv);
  const dataFolder = optionIn(args, '--data') ?? defaultDataFolder();
  const drainSeconds = Number(optionIn(args, '--drain-seconds') ?? process.env['YARDMASTER_DRAIN_SECONDS'] ?? LIMITS.drainSeconds);

  const local = createLocalCluster({
    start: masterStarter(files.cli, process.env['YARDMASTER_NODE']),
    args: ['--examples', files.examples, ...args],
    dataFolder,
    find: () => livingMaster(dataFolder),
    stopSeconds: drainSeconds + 10,
  });
  const secrets = systemSecrets();
  const connections = createConnections(join(app.getPath('userData'), 'connections.json'), secrets, () => local.status().url);
  const window = createConsoleWindow({ preload: files.preload, stateFile: join(app.getPath('userData'), 'window.json') });

  const targetOf = (id: string) => {
    if (!connections.has(id)) return null;
    if (id === LOCAL_CONNECTION) return local.target() ?? { unavailable: local.status().message ?? `the master of this machine is ${local.status().state}` };
    return connections.target(id) ?? { unavailable: 'its token is not known in this run: enter it in Settings' };
  };

  const fleet = createFleet({ fetch: (url, init) => net.fetch(url, init), target: targetOf, since: () => performance.now() });

  app.on('second-instance', () => window.focus());
  app.on('activate', () => window.show(connections.selected(), '/'));
  app.on('window-all-closed', () => app.quit());
  quitInOrder(local, drainSeconds);

  void app.whenReady().then(() => {
    guardContents((url) => {
      const target = targetOf(url.hostname);
      if (target && 'url' in target) void shell.openExternal(`${target.url}${url.pathname}`);
    });
    serveConsole(files.console, targetOf);
    registerIpc({
      ...appHandlers(secrets, window),
      ...connectionHandlers({ connections, window, localTarget: local.target, fleet, confirm, probe: { fetch: (url, init) => net.fetch(url, init), version: app.getVersion() } }),
      ...localHandlers(local),
    });
    const menu = () =>
      setMenu({ go: (path) => window.send('menu:go', { path }), open: (what) => window.send('menu:open', { what }), startLocal: () => void local.start(), stopLocal: () => void local.stop(), restartLocal: () => void local.stop().then(local.start) }, local.status());
    let shown = '';
    local.onChange((status) => {
      window.send('local:changed', status);
      // Its lines come often; the menu and the list change with the state alone.
      if (shown === `${status.state} ${status.url}`) return;
      shown = `${status.state} ${status.url}`;
      if (status.message) process.stderr.write(`yardmaster: ${status.message}\n`);
      menu();
      window.send('connections:changed', connections.list());
    });
    connections.onChange(() => window.send('connections:changed', connections.list()));
    menu();
    void local.start();
    window.show(connections.selected(), '/');
  });
}

// A second start only shows the window of the first.
if (app.requestSingleInstanceLock()) start();
else app.quit();
