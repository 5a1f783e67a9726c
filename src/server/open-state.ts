import { join } from 'node:path';
import { LIMITS } from '../contract/limits.ts';
import type { Durability, MasterOptions, MasterPorts } from '../contract/process.ts';
import { systemClock } from '../lib/clock.ts';
import { createAccess } from './access/access.ts';
import { auditDestinations } from './access/audit-destinations.ts';
import { exportAudit } from './access/audit-export.ts';
import type { OwnerSide } from './cluster/port.ts';
import { createFeed } from './feed/feed.ts';
import type { LocalStores } from './local-stores.ts';
import type { remoteTargets } from './logs/remote-targets.ts';
import type { createDamageRegistry } from './observability/damage.ts';
import type { Cipher } from './secrets/port.ts';
import { createSecrets } from './secrets/secrets.ts';
import { createSettings } from './settings/settings.ts';
import type { CloseStack } from './startup/close-stack.ts';
import { ensureLocalAccess } from './startup/local-access.ts';
import { refuseOpenMaster, refuseWeakPresets, type readTls } from './startup/policy.ts';
import { openSqlite } from './store/sqlite/open.ts';

/** What is known of a master before anything of it is open. */
export interface MasterStart {
  readonly options: MasterOptions;
  readonly opened: CloseStack;
  /** What a master of a cluster has already; null: a single master. */
  readonly side: OwnerSide | null;
  /** Logs and metrics that are open already. */
  readonly warm: LocalStores | null;
  readonly startedAt: number;
  /** Of the files that it keeps for itself: logs, metrics. */
  readonly localDurability: Durability;
  /** Of the database. */
  readonly durability: Durability;
  readonly damage: ReturnType<typeof createDamageRegistry>;
  readonly tls: ReturnType<typeof readTls>;
  /** Where logs go instead of the local store; null: to that one. */
  readonly remote: ReturnType<typeof remoteTargets>;
  /** Filled in as they are opened. */
  readonly ports: MasterPorts;
  onError(error: unknown): void;
}

export type MasterState = Awaited<ReturnType<typeof openState>>;

/** The database, and what is read from it before anything else can be opened: settings, who may come in, secrets. */
export async function openState({ options, opened, side, warm, startedAt, durability, damage, onError }: MasterStart) {
  const { data, log } = options;
  const clock = systemClock;
  const store = opened.keep(
    side?.openStore(damage) ??
      openSqlite({ file: join(data, 'yardmaster.db'), durability: durability.level, report: damage.report }),
  );
  const settings = createSettings({
    store,
    limits: { ...LIMITS, ...options.limits },
    httpAllow: options.httpAllow,
    ...(warm ? { into: warm.limits } : {}),
    record: (db, actor, entry) => access.audit.record(db, actor, entry),
    log,
  });
  const { limits } = settings;
  const feed = createFeed(startedAt, onError);
  let cipher: Cipher | null = null;
  const oidc = options.oidc ? { options: options.oidc, cipher: () => cipher } : null;
  const access = opened.keep(createAccess({ store, clock, limits, oidc, log }));
  const auditExport = opened.keep(exportAudit({ store, destinations: auditDestinations(options.auditExport), log }));
  const { audit } = access;
  /** What nearly every part is given. */
  const base = { store, clock, limits, feed, audit, record: audit.record, log, onError };
  refuseWeakPresets(options);
  const local = await ensureLocalAccess(access, data, options, side?.tokens);
  refuseOpenMaster(options, local.otherTokens, log);
  const secrets = await createSecrets({ ...base, keyFile: join(data, 'secrets.key'), givenKeys: options.secretsKey });
  cipher = secrets.cipher;
  return { base, settings, access, auditExport, local, secrets };
}
