import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import type { DetailLevels } from './detail-levels.ts';

/** Of the canvas around a node. */
export const DetailLevelsContext = createContext<DetailLevels | null>(null);

const nothing = () => undefined;

/** Whether a node is to be drawn as a shape with its name. */
export function useIsFar(id: string): boolean {
  const forms = useContext(DetailLevelsContext);
  return useSyncExternalStore(
    useCallback((listener: () => void) => forms?.subscribe(id, listener) ?? nothing, [forms, id]),
    () => forms?.isFar(id) ?? false,
  );
}
