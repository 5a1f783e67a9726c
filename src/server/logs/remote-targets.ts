import type { RemoteLogsOptions } from '../../contract/process.ts';
import type { Limits } from '../../contract/limits.ts';
import type { PipelineStats } from '../../contract/logs.ts';
import type { StoreInfo } from '../../contract/settings.ts';
import { iso } from '../../lib/clock.ts';
import { isSentInClear } from '../../lib/plain-url.ts';
import { remoteTarget, withTenant } from '../../lib/remote-http.ts';
import type { RemoteTargets } from './logs.ts';
import type { PipelineTarget } from './pipeline/port.ts';

/** Where the log lines of a master are that keeps none itself; null: it does. Throws USAGE where a file cannot be read. */
export function remoteTargets(options: RemoteLogsOptions | null, log: (line: string) => void): RemoteTargets | null {
  if (options === null) return null;
  const select = withTenant(remoteTarget(options, '--logs-ca'), options.tenant);
  const insert = options.insertUrl === null ? select : { ...select, url: options.insertUrl };
  for (const { url } of insert === select ? [select] : [select, insert])
    if (isSentInClear(url))
      log(
        `${url} is on another machine and not encrypted: log lines${options.credentials === null ? '' : ' and the credentials'} can be read on the way there`,
      );
  return { select, insert };
}

/** What the pipelines of such a master deliver to. */
export const pipelineTarget = ({ select, insert }: RemoteTargets): PipelineTarget => ({
  ...insert,
  gzip: true,
  lineIds: true,
  select: insert === select ? null : select,
});

/** A store that answers, but takes no lines, fails too. `pipeline`: what is on its way there. */
export function logsInfo(info: StoreInfo, pipeline: PipelineStats, now = Date.now()): StoreInfo {
  if (info.kind === 'embedded') return info;
  const { failing, queueLines, queueBytes, lagMs, dead, deadDropped, dropped } = pipeline;
  const queue = {
    items: queueLines,
    bytes: queueBytes,
    oldestAt: queueLines === 0 ? null : iso(now - lagMs),
    lost: dead + dropped,
    lostReason:
      dead + dropped === 0
        ? null
        : dropped > 0
          ? 'the queue was full'
          : `VictoriaLogs rejected them; ${deadDropped === 0 ? 'all' : 'the last'} are kept as dead letters`,
  };
  return failing === null || info.state === 'failing'
    ? { ...info, queue }
    : { ...info, state: 'failing', reason: `VictoriaLogs does not take log lines (${failing})`, queue };
}

/** Bytes of a line that a store elsewhere takes. */
export const remoteLineBytes = ({ logLineBytes, remoteLogLineBytes }: Readonly<Limits>): number =>
  Math.min(logLineBytes, remoteLogLineBytes);
