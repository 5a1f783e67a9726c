import type { FastifyReply, FastifyRequest } from 'fastify';
import { ROUTES } from '../../../contract/routes.ts';
import type { Route } from '../../../contract/shapes.ts';
import { WORKER_PATH } from '../../../contract/worker-protocol.ts';
import { Fault } from '../../../lib/fault.ts';
import type { Console } from '../routes/console.ts';
import { sendProblem } from './problem.ts';

const NO_PAGE = /^\/(api|docs|metrics|healthz|readyz)(\/|$)/;

/** Every path that some route has, with its methods: what a wrong method is told. */
const known = [
  ...Object.values<Route>(ROUTES),
  { method: 'GET', path: '/docs' },
  { method: 'GET', path: WORKER_PATH },
].reduce((all, { method, path }) => {
  const methods = all.get(path) ?? {
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:[A-Za-z]+/g, '[^/]+')}$`),
    methods: new Set<string>(),
  };
  methods.methods.add(method);
  if (method === 'GET') methods.methods.add('HEAD');
  return all.set(path, methods);
}, new Map<string, { pattern: RegExp; methods: Set<string> }>());

/** What no route took: the console's files and page, a wrong method, or nothing at all. */
export function createNotFound(pages: Console) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const reads = request.method === 'GET' || request.method === 'HEAD';
    if (reads && !NO_PAGE.test(path) && pages.answer(path, request, reply)) return reply;
    const methods = new Set<string>();
    for (const entry of known.values())
      if (entry.pattern.test(path)) for (const method of entry.methods) methods.add(method);
    if (path === WORKER_PATH && request.method === 'GET')
      return sendProblem(reply, new Fault('BAD_REQUEST', 'the worker link is a WebSocket: send `Upgrade: websocket`'));
    if (methods.size === 0 || methods.has(request.method))
      return sendProblem(
        reply,
        new Fault(
          'ROUTE_NOT_FOUND',
          `route ${request.method.slice(0, 20)} ${path.slice(0, 200)} not found; /docs lists all routes`,
        ),
      );
    const allowed = [...methods].sort().join(', ');
    return sendProblem(
      reply.header('allow', allowed),
      new Fault(
        'METHOD_NOT_ALLOWED',
        `${request.method.slice(0, 20)} is not allowed for this path; allowed: ${allowed}`,
      ),
    );
  };
}
