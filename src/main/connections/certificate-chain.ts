import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { errorMessage } from '../../lib/errors.ts';
import { MAX_CA_CHARACTERS } from '../../contract/desktop.ts';
import { Fault } from '../../lib/fault.ts';

/** Why a server's certificates are not taken. */
export type ChainFault = 'authority' | 'name' | 'date' | 'weak';

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const MAX_PATH = 8;
const MAX_CERTIFICATES = 50;
const MIN_RSA_BITS = 2048;

/** The certificates of a PEM text. Throws `Fault` CA_INVALID with what is wrong. */
export function parseAuthorities(pem: string): X509Certificate[] {
  const blocks = pem.length > MAX_CA_CHARACTERS ? [] : (pem.match(PEM) ?? []);
  if (blocks.length === 0 || blocks.length > MAX_CERTIFICATES)
    throw new Fault(
      'CA_INVALID',
      'expected one or more certificates in PEM form, from "-----BEGIN CERTIFICATE-----" to "-----END CERTIFICATE-----"',
    );
  return blocks.map((block, at) => {
    try {
      return new X509Certificate(block);
    } catch (error) {
      throw new Fault(
        'CA_INVALID',
        `could not read certificate ${at + 1} of the CA (${errorMessage(error)}): copy the whole certificate`,
        { cause: error },
      );
    }
  });
}

/** Name and last day, for people. */
export const certificateName = (certificate: X509Certificate): string =>
  certificate.subject.match(/^CN=(.+)$/m)?.[1] ?? certificate.subject.replaceAll('\n', ', ');

/**
 * Checks what a server presented (`presented[0]` is its own certificate) against authorities that the user named: a path of
 * issued and signed certificates that ends at one of them, every one of it valid now and of a safe key, the first one made
 * for `host` and for servers. Null: good.
 */
export function checkChain(
  presented: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  host: string,
  now: Date,
): ChainFault | null {
  const [own] = presented;
  if (!own) return 'authority';
  const path = pathFrom(own, presented.slice(1), authorities);
  if (!path) return 'authority';
  const bare = host.replace(/^\[|\]$/g, '');
  const named = isIP(bare) ? own.checkIP(bare) : own.checkHost(bare, { subject: 'never' });
  if (named === undefined) return 'name';
  if (path.some((one) => now < new Date(one.validFrom) || now > new Date(one.validTo))) return 'date';
  // Without the extension a certificate is for anything.
  const uses: string[] | undefined = own.keyUsage;
  if (uses !== undefined && !uses.includes(SERVER_AUTH)) return 'weak';
  return path.every(isStrong) ? null : 'weak';
}

const same = (a: X509Certificate, b: X509Certificate) => a.fingerprint256 === b.fingerprint256;
const issued = (one: X509Certificate, by: X509Certificate) => by.ca && one.checkIssued(by) && one.verify(by.publicKey);

/** The certificates from `own` to an authority, that one included; null: no way leads there. */
function pathFrom(
  own: X509Certificate,
  between: readonly X509Certificate[],
  authorities: readonly X509Certificate[],
  length = 1,
): X509Certificate[] | null {
  if (authorities.some((authority) => same(authority, own))) return [own];
  const authority = authorities.find((one) => issued(own, one));
  if (authority) return [own, authority];
  if (length >= MAX_PATH) return null;
  for (const next of between) {
    if (!issued(own, next)) continue;
    const rest = pathFrom(
      next,
      between.filter((one) => one !== next),
      authorities,
      length + 1,
    );
    if (rest) return [own, ...rest];
  }
  return null;
}

function isStrong({ publicKey }: X509Certificate): boolean {
  if (publicKey.asymmetricKeyType !== 'rsa') return true;
  return (publicKey.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
}
