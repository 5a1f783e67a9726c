/** Lines may still be on their way this long after the end of what wrote them. */
const LATE_MS = 10_000;

/** True while something runs or has just ended: its log is then followed. */
export const isFresh = (finishedAt: string | null, now: number): boolean => finishedAt === null || now - Date.parse(finishedAt) < LATE_MS;
