import fc from 'fast-check';
import { chai, inject, vi } from 'vitest';

/** Before each file of tests: what all of them share and no option of the runner sets. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('seedOfProperties') });

/** What tells of a matcher that does not exist is a proxy around each assertion, half of what one costs; the types tell of it before. */
chai.config.useProxy = false;

/** As long as `expect.poll`. A second, which the runner takes, may pass before anything happened where much else runs. */
const PATIENCE = { timeout: 120_000 };
const { waitFor, waitUntil } = vi;
if (waitFor.name !== 'waitForLong') {
  const patient = (options: Parameters<typeof waitFor>[1] = {}) => ({
    ...PATIENCE,
    ...(typeof options === 'number' ? { timeout: options } : options),
  });
  vi.waitFor = function waitForLong(callback, options) {
    return waitFor(callback, patient(options));
  };
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));
}
