/** Drafts of definitions, kept in the browser's storage for each workflow and the version that they began from. */
export interface Draft {
  readonly text: string;
  /** Hash of the head that the draft began from; null: before the first version. */
  readonly parent: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const PREFIX = 'yardmaster.draft.';
/** Kept over all workflows; the oldest go first. */
const MAX_DRAFTS = 50;

const storageKey = (workflowId: string, parent: string | null): string => `${PREFIX}${workflowId}.${parent ?? 'first'}`;

/** Drafts over a storage. A storage that is full or forbidden loses drafts, never the text that is open. */
export function createDrafts(storage: DraftStorage) {
  const read = (key: string): Draft | null => {
    try {
      const value: Partial<Draft> | null = JSON.parse(storage.getItem(key) ?? 'null');
      if (typeof value?.text !== 'string' || typeof value.at !== 'number') return null;
      return { text: value.text, at: value.at, parent: typeof value.parent === 'string' ? value.parent : null };
    } catch {
      return null;
    }
  };
  const keys = (): string[] => {
    const found: string[] = [];
    try {
      for (let i = 0; i < storage.length; i++) {
        const key = storage.key(i);
        if (key?.startsWith(PREFIX)) found.push(key);
      }
    } catch {
      /* A storage that may not be read holds no drafts. */
    }
    return found;
  };
  const drop = (key: string): void => {
    try {
      storage.removeItem(key);
    } catch {
      /* It stays, and is offered again. */
    }
  };

  return {
    load: (workflowId: string, parent: string | null): Draft | null => read(storageKey(workflowId, parent)),
    /** Drafts of a workflow, the newest first, whatever they began from. */
    of(workflowId: string): Draft[] {
      const prefix = `${PREFIX}${workflowId}.`;
      return keys()
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => read(key) ?? [])
        .sort((a, b) => b.at - a.at);
    },
    /** Says whether it was kept. */
    save(workflowId: string, draft: Draft): boolean {
      const key = storageKey(workflowId, draft.parent);
      const others = keys().filter((other) => other !== key);
      const over = others.length - MAX_DRAFTS + 1;
      // The others are read only where one of them has to go: each may be long.
      const oldest =
        over <= 0 ? [] : others.map((other) => ({ other, at: read(other)?.at ?? 0 })).sort((a, b) => a.at - b.at);
      for (const { other } of oldest.slice(0, over)) drop(other);
      try {
        storage.setItem(key, JSON.stringify(draft));
        return true;
      } catch {
        return false;
      }
    },
    drop: (workflowId: string, parent: string | null): void => drop(storageKey(workflowId, parent)),
  };
}
export type Drafts = ReturnType<typeof createDrafts>;
