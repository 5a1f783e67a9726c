import fc from 'fast-check';
import { inject } from 'vitest';

/** Before each file of tests. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('seedOfProperties') });
