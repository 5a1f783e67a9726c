/** A LogsQL filter. Times are microseconds since the epoch; a range has its lower end in and its upper end out. */
export type Filter =
  | { kind: 'all' }
  | { kind: 'and' | 'or'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'time'; from: number; to: number }
  /** Words next to each other in the field, at word ends; `prefix` leaves the right end open. */
  | { kind: 'phrase'; field: string; text: string; prefix: boolean }
  /** The whole value; `prefix`: its beginning. An empty text matches a missing field. */
  | { kind: 'exact'; field: string; text: string; prefix: boolean }
  | { kind: 'in'; field: string; values: string[] }
  /** `field:*`: has a value. */
  | { kind: 'present'; field: string }
  | { kind: 'compare'; field: string; op: '<' | '<=' | '>' | '>='; bound: string };
