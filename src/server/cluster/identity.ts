import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '../../lib/fault.ts';
import { isRecord } from '../../lib/is-record.ts';
import { uuidv7 } from '../../lib/uuid.ts';
import { writePrivate } from '../startup/local-files.ts';

/** Which master this is, and which cluster its data folder belongs to; kept in the folder. */
export interface MasterIdentity {
  readonly masterId: string;
  /** Null: it has not joined one yet. */
  readonly clusterId: string | null;
}

const FILE = 'cluster.json';

/** Reads the identity of a data folder, or makes one. A file that cannot be read counts as none: IDs say nothing but who is who. */
export function readIdentity(folder: string): MasterIdentity {
  const kept = parse(folder);
  if (kept !== null) return kept;
  const made = { masterId: uuidv7(), clusterId: null };
  writeIdentity(folder, made);
  return made;
}

export function writeIdentity(folder: string, identity: MasterIdentity): void {
  writePrivate(join(folder, FILE), identity);
}

/** A folder whose turns belong in a journal takes none past it. Throws CLUSTER_DIFFERS. */
export function refuseClusterFolder(folder: string): void {
  const clusterId = parse(folder)?.clusterId ?? null;
  if (clusterId !== null)
    throw new Fault(
      'CLUSTER_DIFFERS',
      `the data folder ${folder} belongs to the cluster ${clusterId}: start with its --store postgres://…, or with another folder (--data)`,
    );
}

function parse(folder: string): MasterIdentity | null {
  try {
    const kept: unknown = JSON.parse(readFileSync(join(folder, FILE), 'utf8'));
    if (!isRecord(kept) || typeof kept['masterId'] !== 'string') return null;
    return { masterId: kept['masterId'], clusterId: typeof kept['clusterId'] === 'string' ? kept['clusterId'] : null };
  } catch {
    return null;
  }
}
