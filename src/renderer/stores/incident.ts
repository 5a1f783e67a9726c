import { createStore } from 'zustand/vanilla';
import { type OpenBundle, openBundle } from '../api/incident/open.ts';

/** The incident bundle of this window: one at a time, kept while somebody goes elsewhere and comes back. */
export interface IncidentState {
  readonly phase: 'none' | 'opening' | 'open' | 'failed';
  readonly name: string;
  /** Bytes that are unpacked so far. */
  readonly bytes: number;
  readonly bundle: OpenBundle | null;
  /** A `BundleFault`, or whatever went wrong. */
  readonly fault: unknown;
  /** Opens a file in the place of the one before. Never rejects: what is wrong is in `fault`. */
  open(file: Blob, name: string): Promise<void>;
  close(): void;
}

const NOTHING = { phase: 'none', name: '', bytes: 0, bundle: null, fault: null } as const;

export function createIncident(open: typeof openBundle = openBundle) {
  let turn = 0;
  return createStore<IncidentState>()((set, get) => ({
    ...NOTHING,
    async open(file, name) {
      const mine = ++turn;
      get().bundle?.close();
      set({ ...NOTHING, phase: 'opening', name });
      try {
        const bundle = await open(file, (bytes) => mine === turn && set({ bytes }));
        // Another one was opened meanwhile.
        if (mine !== turn) bundle.close();
        else set({ phase: 'open', bundle });
      } catch (fault) {
        if (mine === turn) set({ phase: 'failed', fault });
      }
    },
    close() {
      turn++;
      get().bundle?.close();
      set(NOTHING);
    },
  }));
}
