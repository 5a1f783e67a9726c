import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/**
 * Health check of the container image: 0 where the process answers 200. Without arguments it asks a master whether it is
 * ready; `health.mjs PORT PATH` asks a worker (/healthz). By loopback, so the certificate, which names other hosts, is not checked.
 */
const [port = process.env.YARDMASTER_PORT || '8700', path = '/readyz'] = process.argv.slice(2);
const isTls = path === '/readyz' && Boolean(process.env.YARDMASTER_TLS_CERT);
const options = { host: '127.0.0.1', port, path, timeout: 4000, rejectUnauthorized: false };
(isTls ? httpsRequest : httpRequest)(options, (response) => process.exit(response.statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end();
