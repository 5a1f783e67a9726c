/** A fault of the draft; `pointer` leads into the definition. */
export interface NodeFault {
  readonly pointer: string;
  readonly message: string;
}

/** Faults of one node, with pointers from the node on. */
export function faultsByField(faults: readonly NodeFault[], index: number): NodeFault[] {
  const prefix = `/nodes/${index}`;
  return faults.flatMap(({ pointer, message }) =>
    pointer === prefix || pointer.startsWith(`${prefix}/`) ? [{ pointer: pointer.slice(prefix.length), message }] : [],
  );
}

/** What is wrong at a place or below it, in one sentence; null: nothing. */
export function faultAt(faults: readonly NodeFault[], pointer: string): string | null {
  const found = faults.filter((fault) => fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`));
  return found.length === 0 ? null : [...new Set(found.map(({ message }) => message))].join(' ');
}

/** Those that no field shows. */
export const faultsBeside = (faults: readonly NodeFault[], shown: readonly string[]): NodeFault[] =>
  faults.filter(({ pointer }) => !shown.some((place) => pointer === place || pointer.startsWith(`${place}/`)));
