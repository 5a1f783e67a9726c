import { Fault } from '../../../lib/fault.ts';
import { adminAlone } from './admin-alone.ts';
import { endOfToken } from './me.ts';
import { route, type App } from '../core/route.ts';

/** Tokens of people and workers. */
export function tokenRoutes(app: App): void {
  const { access, workers } = app.services;
  route(app, 'tokens.list', ({ query }) => access.tokens.list(query));
  // A person's token ends with them. A worker's does not: who started the workers may leave, and the work goes on.
  route(app, 'tokens.create', ({ body, actor, identity }) => {
    // It is given payloads and secrets.
    if (body.role === 'worker') adminAlone(identity, 'makes tokens for workers');
    const { userId } = identity;
    if (body.role === 'worker' || userId === null) return access.tokens.create({ ...body, userId: null }, actor);
    return access.tokens.create({ ...body, userId, expiresAt: endOfToken(access, identity, body) }, actor);
  });
  route(app, 'tokens.workers', ({ params }) => {
    if (access.tokenById(params.id) === null)
      throw new Fault('TOKEN_NOT_FOUND', `token ${params.id} not found, revoked or expired`);
    return workers.ofToken(params.id);
  });
  route(app, 'tokens.revoke', ({ params, actor }) => access.tokens.revoke(params.id, actor));
}
