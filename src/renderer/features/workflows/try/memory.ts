/**
 * What the Try it page remembers until the window is closed: keys and inputs. Never longer, never in a file: a key is a
 * secret. A storage that is off remembers nothing.
 */
export type MemoryStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export function createTryMemory(storage: MemoryStorage | null) {
  const read = (key: string): string | null => {
    try {
      return storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  };
  const write = (key: string, value: string): void => {
    try {
      if (value === '') storage?.removeItem(key);
      else storage?.setItem(key, value);
    } catch {
      // It is typed again next time.
    }
  };
  const keyName = (workflowId: string, environment: string) => `yardmaster.try.key.${workflowId}.${environment}`;
  const inputName = (workflowId: string) => `yardmaster.try.input.${workflowId}`;
  return {
    key: (workflowId: string, environment: string): string => read(keyName(workflowId, environment)) ?? '',
    setKey: (workflowId: string, environment: string, key: string): void =>
      write(keyName(workflowId, environment), key),
    /** Null: nothing was typed yet. */
    input: (workflowId: string): string | null => read(inputName(workflowId)),
    setInput: (workflowId: string, text: string): void => write(inputName(workflowId), text),
  };
}
export type TryMemory = ReturnType<typeof createTryMemory>;

/** The storage of this window, or null where the browser forbids it. */
export function windowStorage(): MemoryStorage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}
