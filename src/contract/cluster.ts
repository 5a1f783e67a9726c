import { type Static, Type } from 'typebox';
import { Closed, Count, enumOf, get, Nullable, post, remove, tagged, Time } from './shapes.ts';

/**
 * Several masters that share PostgreSQL. One of them owns the state machine (partition 0) under an epoch and writes its
 * journal; the others, the standbys, apply the journal as it comes and take over where the owner ends.
 */

export const MASTER_ROLES = ['owner', 'standby', 'joining', 'diverged'] as const;
export type MasterRole = (typeof MASTER_ROLES)[number];

/** Why ownership moved: `start` where nobody owned it before, `restart` where the same master came back. */
export const FAILOVER_REASONS = ['start', 'restart', 'lease expired', 'owner gone', 'handover'] as const;
export type FailoverReason = (typeof FAILOVER_REASONS)[number];

export const ClusterMasterSchema = Type.Object({
  id: Type.String(),
  /** Where the other masters and the workers reach it. */
  url: Type.String(),
  role: enumOf(MASTER_ROLES),
  version: Type.String(),
  seq: Type.Integer({ minimum: 0, description: 'The last turn of the journal that this master has applied' }),
  lagMs: Type.Integer({ minimum: 0, description: 'Age of the oldest turn of the journal that it has not applied' }),
  startedAt: Time,
  lastSeenAt: Time,
});
export type ClusterMaster = Static<typeof ClusterMasterSchema>;

export const FailoverSchema = Type.Object({
  at: Time,
  from: Nullable(Type.String()),
  to: Type.String(),
  reason: enumOf(FAILOVER_REASONS),
  epoch: Count,
  gapMs: Type.Integer({
    minimum: 0,
    description: 'From the last sign of life of the owner before to the first answer of this one',
  }),
});
export type Failover = Static<typeof FailoverSchema>;

export const JournalSchema = Type.Object({
  entries: Count,
  bytes: Count,
  /** Mean of the last appends; null: none yet. */
  appendMs: Nullable(Type.Number()),
  snapshots: Type.Array(Type.Object({ seq: Count, at: Time, bytes: Count, by: Type.String() })),
});
export type Journal = Static<typeof JournalSchema>;

export const ProjectionSchema = Type.Object({
  master: Nullable(Type.String({ description: 'ID of the master that writes it; null: none does' })),
  seq: Type.Integer({ minimum: 0, description: 'Every turn of the journal up to this one is in its tables' }),
  complete: Type.Boolean({ description: 'False while everything is written anew' }),
  lagMs: Type.Integer({ minimum: 0, description: 'Age of the oldest turn of the journal that it lacks' }),
  extras: Type.Array(Type.String(), { description: 'What was asked for by name: `messages`, `labels`' }),
  writtenAt: Nullable(Time),
  trouble: Nullable(Type.String({ description: 'Why it falls behind' })),
});
export type ProjectionState = Static<typeof ProjectionSchema>;

export const ClusterSchema = Type.Object({
  clusterId: Type.String(),
  mode: enumOf(['single', 'cluster'] as const),
  partitions: Type.Array(Type.Object({ id: Count, epoch: Count, owner: Nullable(Type.String()), seq: Count })),
  masters: Type.Array(ClusterMasterSchema),
  failovers: Type.Array(FailoverSchema, { description: 'The last 50, newest first' }),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Who else may change what PostgreSQL keeps, with the SQL that puts it right',
    }),
  ),
  /** Null with a single master. */
  journal: Nullable(JournalSchema),
  /** The tables for SQL; absent where there are none. */
  projection: Type.Optional(ProjectionSchema),
});
export type Cluster = Static<typeof ClusterSchema>;

export const clusterRoutes = tagged('Cluster', {
  'cluster.get': get('/api/v1/cluster', 'viewer', 'The masters, who owns the state, and the last failovers', {
    answers: { 200: ClusterSchema },
  }),
  'cluster.handover': post('/api/v1/cluster/handover', 'admin', 'Hand the state over to another master', {
    body: Closed({
      to: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'ID of a standby; default: the one with the least lag',
        }),
      ),
    }),
    errors: ['NO_STANDBY'],
    answers: { 202: Type.Object({ to: Type.String() }) },
  }),
  'cluster.rebuildProjection': post(
    '/api/v1/cluster/projection/rebuild',
    'admin',
    'Write the tables for SQL anew, from a snapshot and the journal',
    { errors: ['NO_PROJECTION'], answers: { 202: null } },
  ),
  'cluster.dropProjection': remove('/api/v1/cluster/projection', 'admin', 'Drop the tables for SQL', {
    errors: ['NO_PROJECTION', 'PROJECTION_IN_USE'],
    answers: { 204: null },
  }),
});
