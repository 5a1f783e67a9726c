/** Tables of this program, whose names their types tell completely: never what came from outside. */

export const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T & string)[];

/** A value for each name. */
export const tableOf = <K extends string, V>(names: readonly K[], valueOf: (name: K) => V): Record<K, V> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, V>;
