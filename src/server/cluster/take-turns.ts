import type { ClusterMember } from './member.ts';
import { own } from './own.ts';
import type { OwningMaster } from './port.ts';
import { standBy, type Taken } from './standby.ts';

/** Follows the journal, owns the state, follows again, until this master ends. Throws what keeps it from serving at all. */
export async function takeTurns(
  member: ClusterMember,
  build: Parameters<typeof own>[2],
  hears: { serves(master: OwningMaster | null): void; takes?(taken: Taken): void },
): Promise<void> {
  while (!member.closing.aborted) {
    const taken = await standBy(member);
    if (taken === null) return;
    hears.takes?.(taken);
    await own(member, taken, build, hears.serves);
  }
}
