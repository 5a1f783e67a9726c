import { app, crashReporter } from 'electron';
import type { LocalMaster } from '../local-master/local-master.ts';
import { dumpFolder, type CrashReports } from './crash-reports.ts';

/** Nothing leaves this machine. To be called before the app is ready. */
export function keepDumps(folder: string): void {
  app.setPath('crashDumps', dumpFolder(folder));
  crashReporter.start({ uploadToServer: false, ignoreSystemCrashHandler: true });
}

/** Writes down what nobody caught: in this process, in the page's, in helpers such as the GPU's, and in the local master. */
export function watchForCrashes(reports: CrashReports, local: LocalMaster): void {
  const uncaught = (kind: string) => (error: unknown) => {
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    process.stderr.write(`yardmaster: ${kind}: ${stack ?? message}\n`);
    reports.add('app', message, { kind, stack: stack ?? null });
  };
  process.on('uncaughtException', uncaught('uncaught error'));
  process.on('unhandledRejection', uncaught('unhandled rejection'));
  app.on('render-process-gone', (_event, contents, { reason, exitCode }) => {
    if (reason !== 'clean-exit')
      reports.add('window', `the window's process ended: ${reason}`, { exitCode, url: contents.getURL() });
  });
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    if (reason !== 'clean-exit' && reason !== 'killed')
      reports.add('helper', `the helper process ${name ?? type} ended: ${reason}`, { exitCode, type });
  });
  let restarts = 0;
  local.onChange(({ state, restarts: count, message, lines }) => {
    if ((state === 'restarting' && count > restarts) || state === 'failed')
      reports.add('master', message ?? 'the master ended', { lines: lines.join('\n') });
    restarts = count;
  });
}
