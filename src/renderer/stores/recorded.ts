import { useSyncExternalStore } from 'react';
import { isRecorded, watchRecorded } from '../api/client.ts';

/**
 * Whether an incident bundle answers in this window. Who goes back from one to another page draws that page while the bundle
 * is still there: it is drawn again once it is not.
 */
export const useRecorded = (): boolean => useSyncExternalStore(watchRecorded, isRecorded);
