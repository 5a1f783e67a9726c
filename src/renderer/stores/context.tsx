import { createContext, type ReactNode, useContext } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';
import type { IncidentState } from './incident.ts';
import type { Live, LiveState } from './live.ts';
import type { NotificationsState } from './notifications.ts';
import type { PreferencesState } from './preferences.ts';
import type { createRecent } from './recent.ts';
import type { SessionState } from './session.ts';

/** The stores of one window; `main.tsx` makes them. */
export interface Stores {
  preferences: StoreApi<PreferencesState>;
  session: StoreApi<SessionState>;
  live: Live;
  notifications: StoreApi<NotificationsState>;
  recent: ReturnType<typeof createRecent>;
  incident: StoreApi<IncidentState>;
}

const Context = createContext<Stores | null>(null);

export function StoresProvider({ stores, children }: { stores: Stores; children: ReactNode }) {
  return <Context value={stores}>{children}</Context>;
}

export function useStores(): Stores {
  const stores = useContext(Context);
  if (!stores) throw new Error('useStores needs a StoresProvider above it');
  return stores;
}

export const usePreferences = <T,>(select: (state: PreferencesState) => T): T =>
  useStore(useStores().preferences, select);
export const useSession = <T,>(select: (state: SessionState) => T): T => useStore(useStores().session, select);
export const useLive = <T,>(select: (state: LiveState) => T): T => useStore(useStores().live.store, select);
export const useNotifications = <T,>(select: (state: NotificationsState) => T): T =>
  useStore(useStores().notifications, select);
