import { createPace } from '../../../lib/pace.ts';
import { parseStored } from '../../../lib/json.ts';
import { threadFile } from '../../../lib/thread-file.ts';
import { createThread } from '../../offload/thread.ts';
import type { FoundDamage, ReportDamage, Verify } from '../../observability/port.ts';
import type { WriteHandle } from '../port.ts';
import type { CheckPages } from './checkpointer.ts';
import type { RowCursor } from './verify-rows.ts';
import type { VerifyMethods } from './verify-thread.ts';

interface VerifyHost {
  readonly file: string;
  readonly report: ReportDamage;
  write(command: (db: WriteHandle) => void): Promise<unknown>;
  sizeBytes(): number;
  checkPages: CheckPages;
}

/** Where a check goes on that a restart ended. */
interface Progress {
  /** The page to go on with; null: all were read. */
  readonly page: number | null;
  /** Tables whose structure was looked at. */
  readonly tables: number;
  readonly rows: RowCursor | null;
  readonly bytes: number;
}

const BEGIN: Progress = { page: 1, tables: 0, rows: null, bytes: 0 };
const PAGES = 1024;

/**
 * Reads the whole database in a thread: each page against its sum, the structure of each table and its indexes, then each text
 * against its checksum.
 * Texts of an earlier version get theirs.
 */
export function createVerify({ file, report, write, sizeBytes, checkPages }: VerifyHost): Verify {
  return async ({ bytesPerSecond, signal, resume }) => {
    const thread = createThread<VerifyMethods>({
      file: threadFile(import.meta.url, './verify-thread.ts', 'verify-thread.js'),
      name: 'the database check thread',
      data: () => ({ file }),
    });
    const pace = createPace(bytesPerSecond, signal);
    const damages: FoundDamage[] = [];
    const tell = (found: readonly FoundDamage[]) => {
      for (const damage of found) {
        damages.push(damage);
        report(damage);
      }
    };
    let at = resume?.from ? parseStored<Progress>(resume.from) : BEGIN;
    const step = async (progress: Progress) => {
      const read = progress.bytes - at.bytes;
      at = progress;
      resume?.save(JSON.stringify(at));
      await pace(read);
    };
    try {
      while (at.page !== null) {
        const pages = await checkPages(at.page, PAGES);
        if (pages.damaged.length > 0) tell(await thread.call('pages', pages.damaged));
        await step({ ...at, page: pages.next, bytes: at.bytes + pages.bytes });
      }
      const tables = await thread.call('tables');
      const share = Math.ceil(sizeBytes() / Math.max(1, tables.length));
      while (at.tables < tables.length) {
        tell(await thread.call('structure', tables[at.tables] ?? ''));
        await step({ ...at, tables: at.tables + 1, bytes: at.bytes + share });
      }
      for (let rows = at.rows, more = true; more;) {
        const slice = await thread.call('rows', rows);
        tell(slice.damages);
        if (slice.missing.length > 0)
          await write((db) => {
            for (const { sql, args } of slice.missing) db.statement(sql).run(...args);
          });
        more = slice.next !== null;
        rows = slice.next;
        if (more) await step({ ...at, rows, bytes: at.bytes + slice.bytes });
      }
      return { bytes: at.bytes, damages };
    } finally {
      await thread.close();
    }
  };
}
