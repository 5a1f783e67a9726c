import { isRecorded } from '../../api/client.ts';

/** Lines may still be on their way this long after the end of what wrote them. */
const LATE_MS = 10_000;

/** True while something runs or has just ended: its log is then followed. Nothing in an incident bundle is. */
export const isFresh = (finishedAt: string | null, now: number): boolean =>
  !isRecorded() && (finishedAt === null || now - Date.parse(finishedAt) < LATE_MS);
