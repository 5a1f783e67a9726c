import { type Static, Type } from 'typebox';
import { ApprovalSchema } from './approvals.ts';
import { IS_LIVE, IS_OF_MASTER, LIMIT_ORDER, LIMITS, type Limits } from './limits.ts';
import { OTLP_SIGNALS, STORE_KINDS, STORE_STATES, type Environment } from './vocabulary.ts';
import { Count, enumOf, Json, Nullable, get, patch, tagged, Time } from './shapes.ts';

/** Which settings can be changed while the master runs. */

/** Limits of `changed` that do not fit with others, given all as they would be: why, as the end of a sentence. */
export function orderFaults(
  all: Readonly<Record<string, unknown>>,
  changed: ReadonlySet<string>,
): { name: string; message: string }[] {
  return LIMIT_ORDER.flatMap(([lesser, greater]) => {
    if (Number(all[lesser]) <= Number(all[greater])) return [];
    if (changed.has(lesser))
      return [{ name: lesser, message: `must be at most ${greater}, which is ${String(all[greater])}` }];
    return changed.has(greater)
      ? [{ name: greater, message: `must be at least ${lesser}, which is ${String(all[lesser])}` }]
      : [];
  });
}

export const appliesWithoutRestart = (name: string): boolean =>
  isLimit(name) ? IS_LIVE[name] : Object.hasOwn(OTHER_SETTINGS, name);

/** Settings that are no number. */
export interface OtherSettings {
  /** What becomes of a job whose time is over: it is deleted, or first written to `<data>/archive`. */
  jobRetentionMode: 'delete' | 'archive';
  /** Hosts, addresses and ranges (CIDR) within private networks that `http` nodes may call. */
  httpAllow: readonly string[];
  /** Environments whose published versions change only once a second person has approved. */
  protectedEnvironments: Readonly<Partial<Record<Environment, { readonly approvals: 1 }>>>;
  /** Bulk operations over more jobs need a second person; null: none does. */
  bulkApprovalOver: number | null;
  /** Environments that take no version whose tests fail. */
  requireTests: readonly Environment[];
  /** Admins may approve alone, with a reason. */
  approvalOverride: boolean;
  /** Links from a job to other tools: URLs with placeholders (lib/link-pattern.ts); '': none is shown. */
  traceLink: string;
  grafanaLink: string;
  logsLink: string;
}

export const OTHER_SETTINGS: OtherSettings = {
  jobRetentionMode: 'delete',
  httpAllow: [],
  protectedEnvironments: {},
  bulkApprovalOver: null,
  requireTests: [],
  approvalOverride: false,
  traceLink: '',
  grafanaLink: '',
  logsLink: '',
};

/** Settings that are patterns of links. */
export const LINK_SETTINGS = ['traceLink', 'grafanaLink', 'logsLink'] as const;
export type LinkSetting = (typeof LINK_SETTINGS)[number];
/** Settings that decide who is protected from whom, and what is kept: `settings.manage` in a custom role does not reach them. */
const OF_ADMINS =
  /Retention|^(approv|approver|bulkApproval|protected|requireTests$|wrongTokens|password|oneTimePassword|oidc|device|session|httpAllow|users$)|Link$/;
export const isOfAdmins = (name: string): boolean => OF_ADMINS.test(name);

/** Whether only the environment of each master sets it, before the settings are there. */
export const isOfMaster = (name: string): boolean => isLimit(name) && IS_OF_MASTER[name];
export const isLimit = (name: string): name is keyof Limits => Object.hasOwn(LIMITS, name);

/** A setting that can be changed while the master runs (`PATCH /api/v1/settings`). */
export const SettingSchema = Type.Object({
  name: Type.String(),
  /** In force now. */
  value: Json,
  /** In force without an override: from the master's start options, else the product's own. */
  default: Json,
  /** What was set by PATCH; null: nothing. Where it differs from `value`, it takes effect at the next start. */
  override: Json,
  /** What a number may be: from `least` to `most`, or `or`; null: it is no number. */
  bounds: Nullable(Type.Object({ least: Type.Number(), most: Type.Number(), or: Nullable(Type.Number()) })),
  /** True: an override takes effect at the next start of the master. */
  restart: Type.Boolean(),
});
export type Setting = Static<typeof SettingSchema>;

/** Where log lines or metrics are kept. */
export const StoreInfoSchema = Type.Object({
  kind: enumOf(STORE_KINDS),
  address: Nullable(Type.String({ description: 'Without credentials; null: the master itself' })),
  state: enumOf(STORE_STATES),
  reason: Nullable(Type.String({ description: 'Why it is failing' })),
  since: Nullable(Time),
  queue: Type.Optional(
    Type.Object(
      {
        items: Type.Integer({
          minimum: 0,
          description: 'Points, samples or log lines that wait on disk; of OTLP records, in memory',
        }),
        bytes: Count,
        oldestAt: Nullable(Time),
        lost: Type.Integer({
          minimum: 0,
          description: 'Since the start: rejected by the store, or dropped for want of room',
        }),
        lostReason: Nullable(Type.String()),
      },
      { description: 'What is on its way to a store elsewhere' },
    ),
  ),
});
export type StoreInfo = Static<typeof StoreInfoSchema>;

/** A signal that is exported by OTLP, and how that goes. */
export const OtlpStateSchema = Type.Object({ signal: enumOf(OTLP_SIGNALS), target: StoreInfoSchema });
export type OtlpState = Static<typeof OtlpStateSchema>;

/** What is in force: limits, ports, versions. Secrets are never in it. */
export const SettingsSchema = Type.Object({
  version: Type.String(),
  node: Type.String(),
  dataFolder: Type.String(),
  /** Masters of an earlier build leave it out, and so does one that cannot tell. */
  disk: Type.Optional(
    Type.Object({ freeBytes: Count, totalBytes: Count }, { description: 'The file system of the data folder' }),
  ),
  store: Type.String(),
  logs: StoreInfoSchema,
  metrics: StoreInfoSchema,
  remoteWrite: Nullable(StoreInfoSchema),
  /** Masters of an earlier build leave it out. */
  otlp: Type.Optional(Type.Array(OtlpStateSchema, { description: 'Empty: nothing is exported' })),
  durability: Type.String(),
  startedAt: Time,
  ports: Type.Object({ master: Count, logStore: Nullable(Count), metrics: Nullable(Count), logstash: Count }),
  limits: Type.Record(Type.String(), Type.Number()),
  settings: Type.Array(SettingSchema),
});
export type Settings = Static<typeof SettingsSchema>;

export const settingRoutes = tagged('Master', {
  'settings.get': get('/api/v1/settings', 'viewer', 'Current limits, ports and versions', {
    answers: { 200: SettingsSchema },
  }),
  'settings.update': patch(
    '/api/v1/settings',
    'admin',
    'Override settings; null removes an override. 202: a second person has to approve it',
    {
      body: Type.Record(Type.String(), Json),
      answers: { 200: SettingsSchema, 202: ApprovalSchema },
      errors: ['TOO_MANY_APPROVALS', 'SECOND_PERSON_NEEDED'],
    },
  ),
});
