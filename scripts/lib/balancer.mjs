import { connect, createServer } from 'node:net';

/** How long a caller waits for a master that takes connections. */
const HOLD_MS = 5_000;
const AGAIN_MS = 100;
const NO_MASTER = JSON.stringify({
  type: '/docs#NO_OWNER',
  title: 'No master owns the state',
  status: 503,
  detail:
    'no master takes connections at the moment: repeat the request in a second, with the same idempotency key where it has one',
  code: 'NO_OWNER',
});

/**
 * One address before several masters on this machine: each connection goes to one of those that are in use, in turn, byte by
 * byte, so that event streams and WebSockets pass as well. A master that refuses is passed over; who connects while none takes
 * connections waits a moment, then is answered 503.
 */
export async function startBalancer({ ports, host = '127.0.0.1' }) {
  /** Ports of masters → connections to them. */
  const links = new Map();
  let turn = 0;

  /** The masters in use, the one whose turn it is first. */
  function inTurn() {
    const all = [...links.keys()];
    const first = all.length === 0 ? 0 : turn++ % all.length;
    return [...all.slice(first), ...all.slice(0, first)];
  }

  const clients = new Set();
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    clients.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => clients.delete(client));
    const until = Date.now() + HOLD_MS;
    const next = (candidates) => {
      if (client.destroyed) return;
      const port = candidates.shift();
      if (port !== undefined) return join(client, port, () => next(candidates));
      if (Date.now() < until) return setTimeout(() => next(inTurn()), AGAIN_MS);
      refuse(client);
    };
    next(inTurn());
  });

  function join(client, port, refused) {
    const upstream = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    upstream.once('error', refused);
    upstream.once('connect', () => {
      upstream.off('error', refused);
      const link = { client, upstream };
      const of = links.get(port);
      of?.add(link);
      for (const [from, to] of [
        [client, upstream],
        [upstream, client],
      ]) {
        from.pipe(to);
        from.on('error', () => to.destroy());
        from.once('close', () => {
          of?.delete(link);
          // A side that has ended closes when the other has: one that broke off takes the other along.
          if (!from.readableEnded) to.destroy();
        });
      }
      // It went out of use, or the caller left, meanwhile.
      if (links.get(port) !== of || of === undefined || client.destroyed) upstream.destroy();
      client.resume();
    });
  }

  const port = await listen(server, host, ports);
  return {
    port,
    /** From now on these masters, by their ports. Connections to others are cut: their callers come back to one that answers. */
    use(masters) {
      for (const [master, open] of links)
        if (!masters.includes(master)) {
          links.delete(master);
          for (const { client, upstream } of open) for (const side of [client, upstream]) side.destroy();
        }
      for (const master of masters) if (!links.has(master)) links.set(master, new Set());
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}

function refuse(client) {
  client.resume();
  client.end(
    [
      'HTTP/1.1 503 Service Unavailable',
      'content-type: application/problem+json; charset=utf-8',
      `content-length: ${Buffer.byteLength(NO_MASTER)}`,
      'retry-after: 1',
      'connection: close',
      '',
      NO_MASTER,
    ].join('\r\n'),
  );
}

/** Listens on the first of the ports that is free. */
async function listen(server, host, ports) {
  for (const port of ports) {
    const fault = await new Promise((resolve) => {
      server.once('error', resolve);
      server.listen(port, host, () => {
        server.off('error', resolve);
        resolve(null);
      });
    });
    if (fault === null) return server.address().port;
    if (fault.code !== 'EADDRINUSE' || port === ports.at(-1)) throw fault;
  }
}
