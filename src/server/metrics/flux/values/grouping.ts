import type { Budget } from '../budget.ts';
import { createBuilder, type Builder, type Collision } from './table-builder.ts';
import { keyColumns, keyText, type Table } from './table.ts';

/** Tables that are put together by their group keys. */
export interface Grouping {
  /** Adds the rows of a table to the table of its own key. */
  add(table: Table): void;
  /** Adds each row to the table of the key that it has in these columns. */
  split(table: Table, names: ReadonlySet<string>): void;
  finish(): Iterable<Table>;
}

export function createGrouping(budget: Budget, told?: Collision): Grouping {
  const made = new Map<string, Builder>();
  const builderOf = (text: string, key: ReadonlySet<string>): Builder => {
    let builder = made.get(text);
    if (!builder) {
      budget.hold(8);
      made.set(text, (builder = createBuilder(key, budget, told)));
    }
    return builder;
  };
  return {
    add(table) {
      builderOf(keyText(keyColumns(table)), table.key).append(table);
    },
    split(table, names) {
      const columns = table.columns.filter(({ name }) => names.has(name));
      const key = new Set(columns.map(({ name }) => name));
      if (columns.every(({ data }) => data === null)) {
        builderOf(keyText(columns), key).append(table);
        return;
      }
      const rows = new Map<string, number[]>();
      for (let i = 0; i < table.rows; i++) {
        budget.tick();
        const text = keyText(columns, i);
        const list = rows.get(text);
        if (list) list.push(i);
        else rows.set(text, [i]);
      }
      for (const [text, list] of rows) builderOf(text, key).append(table, list);
    },
    *finish() {
      for (const builder of made.values()) yield builder.finish();
      made.clear();
    },
  };
}
