import { Type, type Static } from 'typebox';
import { Count, Json, Nullable, Time } from './shapes.ts';

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

/** What is in force: limits, ports, versions. Secrets are never in it. */
export const SettingsSchema = Type.Object({
  version: Type.String(),
  node: Type.String(),
  dataFolder: Type.String(),
  store: Type.String(),
  durability: Type.String(),
  startedAt: Time,
  ports: Type.Object({ master: Count, logStore: Nullable(Count), metrics: Nullable(Count), logstash: Count }),
  limits: Type.Record(Type.String(), Type.Number()),
  settings: Type.Array(SettingSchema),
});
export type Settings = Static<typeof SettingsSchema>;
