/** Text for people: tables with a header, and blocks of named values. */

export type Cell = string | number | boolean | null | undefined;

const show = (cell: Cell): string =>
  cell === null || cell === undefined || cell === '' ? '-' : String(cell).replace(/\p{Cc}/gu, ' ');

/** Columns as wide as their widest cell; numbers to the right. No trailing white. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[], empty: string): string[] {
  if (rows.length === 0) return [empty];
  const cells = [head.map((name) => name.toUpperCase()), ...rows.map((row) => row.map(show))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => width(row[column] ?? ''))));
  const right = head.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  return cells.map((row) =>
    row
      .map((cell, column) => pad(cell, widths[column] ?? 0, right[column] ?? false))
      .join('  ')
      .trimEnd(),
  );
}

/** `name  value` lines. */
export function namedValues(values: Record<string, Cell>): string[] {
  const longest = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values).map(([name, value]) => `${name.padEnd(longest)}  ${show(value)}`);
}

/** The line under a page of a list that says where one is. */
export function pageLine({
  page,
  size,
  totalItems,
  totalPages,
}: {
  page: number;
  size: number;
  totalItems: number;
  totalPages: number;
}): string[] {
  if (totalPages <= 1) return [];
  return [`page ${page} of 0 to ${totalPages - 1}, ${size} per page, ${totalItems} in total (--page, --size)`];
}

/** `1 task`, `2 tasks`. */
export const pluralize = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** `340 ms`, `2.4 s`, `3 min 20 s`. */
export function duration(ms: number | null): string {
  if (ms === null) return '-';
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** Ids and hashes as people read them. */
export const shortHash = (hash: string | null): string | null => hash?.slice(0, 10) ?? null;

function pad(text: string, to: number, right: boolean): string {
  const fill = ' '.repeat(Math.max(0, to - width(text)));
  return right ? fill + text : text + fill;
}

/** Cells of a terminal: wide characters take two, joining marks none. */
function width(text: string): number {
  let cells = 0;
  for (const char of text)
    cells += /\p{Mark}|\p{Cf}/u.test(char)
      ? 0
      : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(
            char,
          )
        ? 2
        : 1;
  return cells;
}
