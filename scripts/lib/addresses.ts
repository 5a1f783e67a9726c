import { ADDRESSES, SELF_ROUTES } from '../../src/contract/addresses.ts';

/** A plugin of the build that writes `src/contract/addresses.ts` as the value it comes to, without the schemas that it reads it from. */
export const writtenAddresses = () => ({
  name: 'written-addresses',
  load: (id: string) =>
    /[\\/]src[\\/]contract[\\/]addresses\.ts$/.test(id)
      ? `export const ADDRESSES = ${JSON.stringify(ADDRESSES)};\nexport const SELF_ROUTES = ${JSON.stringify(SELF_ROUTES)};`
      : null,
});
