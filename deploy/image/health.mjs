import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/**
 * Health check of the container image: 0 where the master answers that it is ready. It asks by loopback, so the certificate
 * of the master, which names other hosts, is not checked.
 */
const port = process.env.YARDMASTER_PORT || '8700';
const isTls = Boolean(process.env.YARDMASTER_TLS_CERT);
const options = { host: '127.0.0.1', port, path: '/readyz', timeout: 4000, rejectUnauthorized: false };
(isTls ? httpsRequest : httpRequest)(options, (response) => process.exit(response.statusCode === 200 ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end();
