import { keysOf } from '../../../contract/tables.ts';
import { DECISIONS } from '../../jobs/failures/port.ts';
import { disconnectSignal } from '../core/disconnect-signal.ts';
import { route, type App } from '../core/route.ts';

/** Failure groups: what failed alike, what is made of it, and retrying all of it. */
export function failureRoutes(app: App): void {
  const { access, jobs } = app.services;
  const { failures, operations } = jobs;

  route(app, 'failures.list', ({ query, reply }) => failures.list(query, disconnectSignal(reply)));
  route(app, 'failures.get', ({ params, reply }) => failures.get(params.id, disconnectSignal(reply)));
  const names = { resolve: 'failures.resolve', ignore: 'failures.ignore', reopen: 'failures.reopen' } as const;
  for (const decision of keysOf(DECISIONS))
    route(app, names[decision], ({ params, actor }) =>
      failures.decide(params.id, decision, actor.name, access.audit.entry(actor)),
    );
  route(app, 'failures.retry', async ({ params, actor, reply }) => {
    const { id } = await failures.get(params.id);
    const { operationId } = await operations.submit(
      { kind: 'retry', target: { filter: { failureGroup: id } }, nonRetryable: true },
      actor.name,
      access.audit.entry(actor),
    );
    reply.header('location', `/api/v1/operations/${operationId}`);
    return { operationId };
  });
}
