import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export interface IssuedCertificate {
  /** PEM, with those of the authorities between behind it. */
  cert: string;
  key: string;
}
export interface CertificateRequest {
  /** DNS names. */
  names?: readonly string[];
  /** IPv4 addresses. */
  addresses?: readonly string[];
  /** Milliseconds from now. */
  from?: number;
  to?: number;
  /** Only for clients, not for servers. */
  forClients?: boolean;
  /** RSA of so many bits instead of an elliptic curve. */
  rsaBits?: number;
}
export interface Authority {
  /** PEM of its own certificate. */
  cert: string;
  issue(wanted: CertificateRequest): IssuedCertificate;
  /** An authority that this one vouches for. */
  below(name: string, wanted?: CertificateRequest): Authority;
}

const DAY = 86_400_000;
const ECDSA_SHA256 = '2a8648ce3d040302';

/** A certificate authority of a test: real keys, real signatures, nothing of the machine. */
export function createAuthority(name: string): Authority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const cert = certificate({
    subject: name,
    issuer: name,
    key: keys.publicKey,
    by: keys.privateKey,
    ca: true,
    wanted: {},
  });
  return authority(name, keys.privateKey, cert, '');
}

function authority(name: string, own: KeyObject, cert: string, above: string): Authority {
  return {
    cert,
    issue(wanted) {
      const keys = wanted.rsaBits
        ? generateKeyPairSync('rsa', { modulusLength: wanted.rsaBits })
        : generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      const made = certificate({
        subject: wanted.names?.[0] ?? wanted.addresses?.[0] ?? 'nobody',
        issuer: name,
        key: keys.publicKey,
        by: own,
        ca: false,
        wanted,
      });
      return { cert: `${made}${above}`, key: String(keys.privateKey.export({ type: 'pkcs8', format: 'pem' })) };
    },
    below(sub, wanted = {}) {
      const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      const made = certificate({ subject: sub, issuer: name, key: keys.publicKey, by: own, ca: true, wanted });
      return authority(sub, keys.privateKey, made, `${made}${above}`);
    },
  };
}

interface Body {
  subject: string;
  issuer: string;
  key: KeyObject;
  by: KeyObject;
  ca: boolean;
  wanted: CertificateRequest;
}

function certificate({ subject, issuer, key, by, ca, wanted }: Body): string {
  const algorithm = sequence(oid(ECDSA_SHA256));
  const now = Date.now();
  const names = [
    ...(wanted.names ?? []).map((one) => der(0x82, Buffer.from(one))),
    ...(wanted.addresses ?? []).map((one) => der(0x87, Buffer.from(one.split('.').map(Number)))),
  ];
  const extensions = [
    ...(ca
      ? [extension('551d13', sequence(der(0x01, Buffer.of(0xff))))]
      : [extension('551d25', sequence(oid(wanted.forClients ? '2b06010505070302' : '2b06010505070301')))]),
    ...(names.length > 0 ? [extension('551d11', sequence(...names))] : []),
  ];
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    commonName(issuer),
    sequence(time(now + (wanted.from ?? -DAY)), time(now + (wanted.to ?? DAY))),
    commonName(subject),
    key.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const whole = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, by)])));
  return `-----BEGIN CERTIFICATE-----\n${whole
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** One value of ASN.1 in DER: its tag, the length, its bytes. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 0x80
      ? [content.length]
      : content.length < 0x100
        ? [0x81, content.length]
        : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const extension = (hex: string, value: Buffer): Buffer => sequence(oid(hex), der(0x04, value));
const commonName = (name: string): Buffer => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
const time = (ms: number): Buffer =>
  der(0x18, Buffer.from(`${new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')}`));
