import { join } from 'node:path';
import { IS_LIVE, LIMITS, type Limits } from '../contract/limits.ts';
import type { Durability, MasterOptions } from '../contract/process.ts';
import { keysOf } from '../contract/tables.ts';
import { systemClock } from '../lib/clock.ts';
import { errorMessage } from '../lib/errors.ts';
import { createLogs } from './logs/logs.ts';
import { remoteTargets } from './logs/remote-targets.ts';
import { openMetrics } from './metrics/open-metrics.ts';
import { createDamageRegistry } from './observability/damage.ts';
import { chooseDurability } from './startup/choose-durability.ts';
import { createCloseStack } from './startup/close-stack.ts';
import { checkDataParts } from './startup/data-parts.ts';

/** What a master keeps for itself, whoever owns the state: its logs and metrics, and what is known of damage to them. */
export interface LocalStores {
  readonly damage: ReturnType<typeof createDamageRegistry>;
  readonly durability: Durability;
  readonly logs: Awaited<ReturnType<typeof createLogs>>;
  readonly metrics: Awaited<ReturnType<typeof openMetrics>>;
  /** They read it each time they need a limit: whoever has the settings puts them here. */
  readonly limits: Limits;
  /** Whether they were opened with these limits, as far as those are taken when a store opens. */
  fit(limits: Readonly<Limits>): boolean;
  close(): Promise<void>;
}

type Options = Pick<MasterOptions, 'data' | 'adopt' | 'durability' | 'limits' | 'log' | 'logs' | 'metrics'>;

/** Opens them without the state: with the limits of the options, and none of the settings. Throws DATA_INCOMPLETE. */
async function openLocalStores({
  data,
  adopt,
  durability: wished,
  limits: given,
  log,
  metrics: remote,
  logs: elsewhere,
}: Options): Promise<LocalStores> {
  checkDataParts(data, adopt, log);
  const clock = systemClock;
  const limits: Limits = { ...LIMITS, ...given };
  const taken = { ...limits };
  const durability = chooseDurability(wished, data);
  const damage = createDamageRegistry({ file: join(data, 'damage.json'), now: () => clock.now(), log });
  const opened = createCloseStack((error) => log(`while closing: ${errorMessage(error)}`));
  const [metrics, logs] = await opened.keepBoth(
    openMetrics(remote ?? null, { data, limits, clock, log, damage }),
    createLogs({
      folder: join(data, 'logs'),
      limits,
      clock,
      log,
      damage,
      durable: durability.level === 'full',
      remote: remoteTargets(elsewhere ?? null, () => {}),
    }),
  );
  return {
    ...{ damage, durability, logs, metrics, limits },
    fit: (wanted) => keysOf(LIMITS).every((name) => IS_LIVE[name] || wanted[name] === taken[name]),
    close: () => opened.closeAll(),
  };
}

/** Has them open while a master is a standby: to open them takes longer than all else of a takeover. */
export interface WarmStores {
  begin(): void;
  /** Hands them over, opened or about to be; null: there are none, and whoever needs them opens them, or says why not. */
  take(): Promise<LocalStores | null>;
  close(): Promise<void>;
}

export function warmStores(options: Options): WarmStores {
  let opening: Promise<LocalStores | null> | null = null;
  const take = async (): Promise<LocalStores | null> => {
    const taken = opening;
    opening = null;
    return taken;
  };
  return {
    begin: () => void (opening ??= openLocalStores(options).catch(() => null)),
    take,
    close: async () => (await take())?.close(),
  };
}
