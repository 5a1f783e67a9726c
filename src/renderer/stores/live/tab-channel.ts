import type { TabChannel } from './shared-stream.ts';

/** What this browser has for its pages to agree by; null where it lacks some of it (locks are for https and the own machine), or forbids it. */
export function connectTabs(): TabChannel | null {
  try {
    if (!('locks' in navigator)) return null;
    new BroadcastChannel('yardmaster.try').close();
    return { locks: navigator.locks, channel: (name) => new BroadcastChannel(name) };
  } catch {
    return null;
  }
}
