import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as pause } from 'node:timers/promises';
import type { AuditEntry, AuditVerdict } from '../../contract/access.ts';
import type { Page } from '../../contract/shapes.ts';
import { Fault } from '../../lib/fault.ts';
import { openForReading } from '../store/sqlite/handle.ts';
import { listAudit } from './audit.ts';
import { verifyAudit } from './audit-chain.ts';
import type { Access } from './port.ts';

export interface OfflineAudit {
  list(query: Parameters<Access['audit']['list']>[0]): Page<AuditEntry>;
  verify(): Promise<AuditVerdict>;
  close(): void;
}

/** The audit log of a data folder that no master runs on; reads alone. */
export function openOfflineAudit(folder: string): OfflineAudit {
  const file = join(folder, 'yardmaster.db');
  if (!existsSync(file))
    throw new Fault(
      'MASTER_NOT_FOUND',
      `no master runs on data folder ${folder}, and the folder contains no database: set another folder with --data, or a master with --url and --token`,
    );
  const { read, close } = openForReading(file);
  try {
    read.query('SELECT 1 FROM audit_anchor').get();
  } catch (error) {
    close();
    throw new Fault(
      'MASTER_NOT_FOUND',
      `the database in ${folder} is of an older version, without hashes in its audit log: start a master on it once`,
      { cause: error },
    );
  }
  return { list: (query) => listAudit(read, query), verify: () => verifyAudit(read, () => pause()), close };
}
