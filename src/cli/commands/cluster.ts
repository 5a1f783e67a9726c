import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Cluster, ClusterMaster, Failover } from '../../contract/cluster.ts';
import { epochOf, isSilent, ownerOf, shortMasterId, standbysOf } from '../../lib/cluster.ts';
import { Fault } from '../../lib/fault.ts';
import { apiCommand, type Session } from '../api-command.ts';
import type { ProcessIo } from '../process-io.ts';
import { option } from '../options.ts';
import { duration, namedValues, table } from '../text-table.ts';

/** How long a handover may take; the masters give up on it sooner. */
const HANDOVER_MS = 15_000;
const LOOK_MS = 200;
const GAP_LOOKS = 10;

/** `yardmaster cluster …`. */
export function clusterCommands(root: Command, io: ProcessIo): void {
  const group = root.command('cluster').description('the masters that share the state');
  apiCommand(
    group,
    io,
    'status',
    'show masters, owner, journal and last failovers (default)',
    async (session) => {
      const cluster = await session.api.call('cluster.get');
      session.show(cluster, () => statusLines(cluster));
    },
    { isDefault: true },
  );
  const handover = apiCommand(
    group,
    io,
    'handover',
    'hand the state over to a standby, and wait until it owns it',
    async (session, { to, yes }: { to?: string; yes?: boolean }) => {
      const cluster = await session.api.call('cluster.get');
      const target = to === undefined ? null : masterNamed(cluster, to);
      if (!(await isAgreed(yes ?? false, target, io))) throw new Fault('NOT_CONFIRMED', 'not handed over');
      const begun = await session.api.call('cluster.handover', { body: target === null ? {} : { to: target.id } });
      const done = await handedOver(session, begun.to, epochOf(cluster));
      session.show(done, () => [
        `${nameOf(begun.to, cluster)} owns the state under epoch ${done.epoch}${done.gapMs === 0 ? '' : `, after ${duration(done.gapMs)} without an owner`}`,
      ]);
    },
  );
  option(
    handover,
    io,
    '--to <id>',
    'a standby: its ID, its URL, or the short ID that `status` shows (default: least lag)',
  );
  option(handover, io, '--yes', 'do not ask');
}

function statusLines(cluster: Cluster): string[] {
  const { clusterId, mode, masters, failovers, journal, warnings = [] } = cluster;
  const owner = ownerOf(cluster);
  const [snapshot] = journal?.snapshots.toSorted((a, b) => b.seq - a.seq) ?? [];
  return [
    ...namedValues({
      cluster: clusterId,
      mode: mode === 'single' ? 'single: one master, and no standby that could take over' : mode,
      owner: owner === null ? 'none' : `${shortMasterId(owner.id)} (${owner.url})`,
      epoch: epochOf(cluster),
      ...(journal && {
        journal: `${journal.entries} entries, ${mebibytes(journal.bytes)}`,
        append: journal.appendMs === null ? null : `${Number(journal.appendMs.toPrecision(3))} ms`,
        snapshots:
          snapshot === undefined
            ? null
            : `${journal.snapshots.length}, the last at ${snapshot.at} (${mebibytes(snapshot.bytes)}, seq ${snapshot.seq})`,
      }),
    }),
    '',
    ...table(
      ['id', 'url', 'role', 'version', 'seq', 'lag', 'started', 'last seen'],
      masters.map((one) => [
        shortMasterId(one.id),
        one.url,
        isSilent(cluster, one) ? `${one.role} (silent)` : one.role,
        one.version,
        one.seq,
        one.role === 'owner' ? null : duration(one.lagMs),
        one.startedAt,
        one.lastSeenAt,
      ]),
      'no masters',
    ),
    ...(mode === 'cluster' && standbysOf(cluster).length === 0
      ? ['', 'No standby could take over: start another master with the same --store.']
      : []),
    ...(warnings.length > 0 ? ['', ...warnings] : []),
    ...(mode === 'single' ? [] : ['', ...failoverLines(failovers)]),
  ];
}

const failoverLines = (failovers: readonly Failover[]): string[] =>
  table(
    ['failover at', 'from', 'to', 'reason', 'gap', 'epoch'],
    failovers.map(({ at, from, to, reason, gapMs, epoch }) => [
      at,
      from === null ? null : shortMasterId(from),
      shortMasterId(to),
      reason,
      duration(gapMs),
      epoch,
    ]),
    'no failovers',
  );

/** The master that an ID, the end of one, or a URL names. Throws USAGE where it names none or several. */
function masterNamed({ masters }: Cluster, name: string): ClusterMaster {
  const url = name.replace(/\/+$/, '');
  const exact = masters.filter((one) => one.id === name || one.url.replace(/\/+$/, '') === url);
  const found = exact.length > 0 || name.length < 4 ? exact : masters.filter(({ id }) => id.endsWith(name));
  if (found[0] === undefined || found.length > 1)
    throw new Fault(
      'USAGE',
      `--to ${name} names ${found.length === 0 ? 'no master' : `${found.length} masters`}; there are: ${masters.map(({ id, url: at }) => `${id} (${at})`).join(', ')}`,
    );
  return found[0];
}

async function isAgreed(yes: boolean, to: ClusterMaster | null, io: ProcessIo): Promise<boolean> {
  if (yes) return true;
  if (!io.interactive) throw new Fault('USAGE', 'a handover needs --yes where nobody can be asked');
  const whom = to === null ? 'the standby with the least lag' : `${shortMasterId(to.id)} (${to.url})`;
  io.err(`Hand the state over to ${whom}? Calls wait for about a second. [y/N]`);
  return /^y(es)?$/i.test(((await io.firstLine()) ?? '').trim());
}

/** Waits for the failover that a handover is. Throws HANDOVER_FAILED where another master owns the state, or none in time. */
async function handedOver({ api }: Session, to: string, before: number): Promise<Failover> {
  const until = performance.now() + HANDOVER_MS;
  let looks = 0;
  for (;;) {
    const cluster = await api.call('cluster.get');
    const done = cluster.failovers.find(({ epoch }) => epoch > before);
    // How long nobody owned the state is known once the new owner has answered, which may be a moment later.
    if (done?.to === to && (done.gapMs > 0 || looks++ === GAP_LOOKS)) return done;
    if ((done !== undefined && done.to !== to) || performance.now() > until)
      throw new Fault(
        'HANDOVER_FAILED',
        `${nameOf(to, cluster)} did not take over${done === undefined ? ` within ${HANDOVER_MS / 1000} s` : `: ${nameOf(done.to, cluster)} did (${done.reason})`}; see \`yardmaster cluster\``,
      );
    await pause(LOOK_MS);
  }
}

function nameOf(id: string, { masters }: Cluster): string {
  const url = masters.find((one) => one.id === id)?.url;
  return url === undefined ? shortMasterId(id) : `${shortMasterId(id)} (${url})`;
}

const mebibytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MiB`;
