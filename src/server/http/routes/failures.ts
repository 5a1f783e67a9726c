import { isInputCause } from '../../../contract/vocabulary.ts';
import { keysOf } from '../../../contract/tables.ts';
import { DECISIONS } from '../../jobs/failures/port.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { filterWithin } from '../core/scope.ts';
import { route, type App } from '../core/route.ts';
import { startBulk } from './start-bulk.ts';

/** Failure groups: what failed alike, what is made of it, and retrying all of it. */
export function failureRoutes(app: App): void {
  const { access, jobs } = app.services;
  const { failures } = jobs;

  route(app, 'failures.list', ({ query, identity, reply }) =>
    failures.list({ ...query, ...filterWithin(app.scope, identity, {}) }, disconnectSignal(reply)),
  );
  route(app, 'failures.get', async ({ params, identity, reply }) => {
    const group = await failures.get(params.id, disconnectSignal(reply));
    // What failed jobs were given, value by value, is part of their payloads.
    return app.scope.seesInputsOf(identity, group.workflowId)
      ? group
      : { ...group, causes: group.causes.filter(({ kind }) => !isInputCause(kind)) };
  });
  const names = { resolve: 'failures.resolve', ignore: 'failures.ignore', reopen: 'failures.reopen' } as const;
  for (const decision of keysOf(DECISIONS))
    route(app, names[decision], ({ params, actor }) =>
      failures.decide(params.id, decision, actor.name, access.audit.entry(actor)),
    );
  route(app, 'failures.retry', async ({ params, actor, identity, reply }) => {
    const { id } = await failures.get(params.id);
    return startBulk(
      app.services,
      { kind: 'retry', target: { filter: { failureGroup: id } }, nonRetryable: true },
      { actor, identity, reply },
    );
  });
}
