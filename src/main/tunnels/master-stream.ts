import { once } from 'node:events';
import { request } from 'node:http';
import { type Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { pathTo } from '../../lib/api-client.ts';
import { errorCode, errorMessage } from '../../lib/errors.ts';
import { Fault } from '../../lib/fault.ts';

/** How a master is spoken to at the far end of a tunnel. */
export interface MasterEnd {
  /** As people know it: `pod yardmaster-0`, `http://127.0.0.1:8700`. */
  readonly name: string;
  /** Null: plain HTTP. */
  readonly tls: { readonly servername: string; readonly ca: string | null } | null;
}

const PATIENCE_MS = 10_000;

/**
 * A connection to the master over a stream through the tunnel. TLS ends here, in this process: the certificate is checked
 * against the name that the master has in its own network, which the page's address, on loopback, is not.
 */
export async function masterStream(stream: Duplex, { name, tls }: MasterEnd): Promise<Duplex> {
  if (tls === null) return stream;
  const secured = connectTls({
    socket: stream,
    servername: tls.servername,
    ALPNProtocols: ['http/1.1'],
    ...(tls.ca === null ? {} : { ca: tls.ca }),
  });
  secured.on('error', () => {});
  try {
    await once(secured, 'secureConnect', { signal: AbortSignal.timeout(PATIENCE_MS) });
    return secured;
  } catch (error) {
    secured.destroy();
    if (/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO|EPROTO|^ERR_(TLS|SSL)/.test(errorCode(error) ?? ''))
      throw new Fault(
        'CA_INVALID',
        `the certificate of ${name} is not valid for ${tls.servername} (${errorMessage(error)}): enter the CA that issued it under Network`,
        { cause: error },
      );
    throw new Fault('TUNNEL_LOST', `no TLS connection to ${name} (${errorMessage(error)})`, { cause: error });
  }
}

/** Whether a master answers at the far end, in words. Rejects with what came instead. */
export async function checkMaster(dial: () => Promise<Duplex>, { name }: MasterEnd): Promise<string> {
  const stream = await dial();
  try {
    const status = await new Promise<number>((resolve, reject) => {
      const asked = request(
        {
          path: pathTo('master.healthz'),
          headers: { host: '127.0.0.1', connection: 'close' },
          createConnection: () => stream,
          signal: AbortSignal.timeout(PATIENCE_MS),
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode ?? 0);
        },
      );
      asked.on('error', reject);
      asked.end();
    });
    if (status >= 500 || status === 404)
      throw new Fault('MASTER_UNREACHABLE', `${name} answers with status ${status}: is it a Yardmaster master?`);
    return `${name} answers`;
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(
      'MASTER_UNREACHABLE',
      `${name} does not answer (${errorMessage(error)}): check that the master runs there`,
      { cause: error },
    );
  } finally {
    stream.destroy();
  }
}
