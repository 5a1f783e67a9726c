import type { LocalWorkerEnded, MasterOptions, RunningMaster } from '../../contract/process.ts';
import { errorMessage } from '../../lib/errors.ts';
import { createCloseStack } from '../startup/close-stack.ts';
import { joinAsMaster, type ClusterMember, type MemberParts } from './member.ts';
import { withoutPassword } from './postgres/store-url.ts';
import type { OwnerSide, OwningMaster } from './port.ts';
import { takeTurns } from './take-turns.ts';

/** Local workers, which stay whoever owns the state: they are told this master's own port. */
export interface LocalWorkers {
  announce(address: { master: string; socket: string | null }, ended: LocalWorkerEnded): void;
  close(seconds: number): Promise<void>;
}

export interface ClusterParts extends MemberParts {
  startWorkers(token: string): LocalWorkers;
  /** Builds the master that serves while this one owns the state. */
  build(options: MasterOptions, side: OwnerSide): Promise<OwningMaster>;
}

/** How long a master that ends waits for the next owner, so that requests that wait here still reach it. */
const PARTING_MS = 3000;

/**
 * A master of a cluster: a standby, until it takes the state over; the owner, until another one does, and then a standby
 * again. Its port is open all the time. Resolves once it can answer: it owns the state, or knows who does.
 */
export async function startClusterMaster(options: MasterOptions, parts: ClusterParts): Promise<RunningMaster> {
  const opened = createCloseStack((error) => options.log(`while closing: ${errorMessage(error)}`));
  try {
    const { stopped } = parts;
    const member = await joinAsMaster(options, opened, parts);
    opened.add(() => parts.warm.close());
    const localWorkers = parts.startWorkers(member.tokens.workerToken);
    opened.add(() => localWorkers.close(5));
    localWorkers.announce({ master: member.workerUrl, socket: null }, (number, exit) =>
      member.localWorkerEnded(number, exit),
    );
    // One that waits for an owner, or for PostgreSQL, can be ended too.
    const end = (): void => member.end();
    stopped?.addEventListener('abort', end, { once: true });
    const running = await runMember(member, parts, () => opened.closeAll());
    stopped?.removeEventListener('abort', end);
    return running;
  } catch (error) {
    await opened.closeAll();
    throw error;
  }
}

async function runMember(
  member: ClusterMember,
  parts: ClusterParts,
  closeAll: () => Promise<void>,
): Promise<RunningMaster> {
  const failed = Promise.withResolvers<void>();
  failed.promise.catch(() => {});
  let master: RunningMaster | null = null;

  const build: ClusterParts['build'] = (options, side) =>
    parts.build({ ...options, store: withoutPassword(options.store) }, side);
  const running = takeTurns(member, build, { serves: (current) => (master = current) }).catch((error: unknown) =>
    failed.reject(error),
  );
  await Promise.race([member.answering, failed.promise, running]);
  if (parts.stopped?.aborted) {
    await running;
    throw parts.stopped.reason as Error;
  }

  let ending: Promise<void> | null = null;
  async function end(): Promise<void> {
    member.end();
    await running;
    await member.awaitOwner(PARTING_MS);
    await closeAll();
  }
  const { url, port, tokens } = member;
  return {
    get ready() {
      return (
        master?.ready ?? {
          event: 'ready' as const,
          url,
          token: tokens.adminToken,
          ports: { master: port, logStore: null, metrics: null, logstash: 0 },
          pid: process.pid,
        }
      );
    },
    signInUrl: () => master?.signInUrl() ?? url,
    get apiKey() {
      return master?.apiKey ?? null;
    },
    durability: { level: 'full', syncMs: null },
    close: () => (ending ??= end()),
    closed: failed.promise,
  };
}
