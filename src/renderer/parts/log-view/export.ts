import type { LogSnapshot } from './buffer.ts';

/** One JSON record a line, newest first. */
export function linesOf(snapshot: LogSnapshot): string {
  const lines: string[] = [];
  for (let i = 0; i < snapshot.length; i++) lines.push(JSON.stringify(snapshot.at(i)?.record));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

/** Saves the loaded lines as a file and answers how many they are. */
export function saveLines(snapshot: LogSnapshot): number {
  const url = URL.createObjectURL(new Blob([linesOf(snapshot)], { type: 'application/x-ndjson' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `yardmaster-logs-${new Date().toISOString().replaceAll(':', '-').slice(0, 19)}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
  return snapshot.length;
}
