import { expect, it } from 'vitest';
import { Fault } from '../../../lib/fault.ts';
import type { Environment } from '../../../contract/vocabulary.ts';
import type { Runnable } from '../../workflows/port.ts';
import { rerunVersion } from './version.ts';

const refused = new Fault('SECOND_PERSON_NEEDED', 'never published there');
/** Of which `own` and `now` were published to prod, and `now` is; other environments are not protected. */
const versions = {
  runnable: (_: string, commit: string) => ({ commit }) as Runnable,
  endpoint: () => ({ found: 'published' as const, runnable: { commit: 'now' } as Runnable }),
  neverApproved: (_: string, environment: Environment, hash: string) =>
    environment === 'prod' && hash === 'other' ? refused : null,
};
const on = (environment: Environment | null, wanted: string | null, commit = 'own') => {
  const job = { id: 'j', workflowId: 'flow', environment, commit, kind: 'batch' as const };
  const found = rerunVersion(versions, job, wanted);
  return 'fault' in found ? found.reason : found.runnable.commit;
};

it('is one that may run in the environment of the job, whichever way it was named', () => {
  expect([on('prod', null), on('prod', 'published'), on('prod', 'now')]).toEqual(['own', 'now', 'now']);
  expect([on('prod', 'other'), on('prod', null, 'other')]).toEqual(['SECOND_PERSON_NEEDED', 'SECOND_PERSON_NEEDED']);
  expect([on('dev', 'other'), on(null, 'other')]).toEqual(['other', 'other']);
});
