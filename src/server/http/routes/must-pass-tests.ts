import type { Environment } from '../../../contract/vocabulary.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Identity } from '../../access/port.ts';
import type { Actor } from '../../workflows/port.ts';
import type { App } from '../core/route.ts';
import { adminAlone } from './admin-alone.ts';

/** Where an environment requires tests, a version whose cases fail is refused: TESTS_FAILED. An admin may override that, which is recorded. */
export async function mustPassTests(
  { services, scope }: Pick<App, 'services' | 'scope'>,
  { id, environment, hash, override }: { id: string; environment: Environment; hash: string; override: boolean },
  { identity, actor }: { identity: Identity; actor: Actor },
): Promise<void> {
  const { access, overrides, workflowTests } = services;
  if (override) adminAlone(identity, 'publishes although tests fail');
  const { requireTests } = overrides.inForce(['requireTests']);
  if (!Array.isArray(requireTests) || !requireTests.includes(environment)) return;
  const { failed, cases } = await workflowTests.run(id, { commit: hash });
  if (failed === 0) return;
  // What came instead of what was expected is of payloads.
  const shown = scope.seesInputsOf(identity, id) ? cases : cases.map(({ name, ok }) => ({ name, ok }));
  const names = cases.filter(({ ok }) => !ok).map(({ name }) => name);
  if (!override)
    throw new Fault(
      'TESTS_FAILED',
      `${failed} of ${cases.length} test cases of ${id} fail, and ${environment} requires them: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`,
      { extra: { failed, cases: shown.slice(0, 100) } },
    );
  await access.audit.note(actor, {
    action: 'workflow.overrideTests',
    target: `workflow:${id}`,
    before: null,
    after: { environment, hash, failed: names },
  });
}
