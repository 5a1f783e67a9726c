import type { StoreInfo } from '../contract/settings.ts';

/** What settings say of a store that the master keeps itself. `refusing`: why it cannot be written to; null: it can. */
export const embeddedStore = (refusing: string | null): StoreInfo => ({
  kind: 'embedded',
  address: null,
  state: refusing === null ? 'ok' : 'failing',
  reason: refusing,
  since: null,
});
