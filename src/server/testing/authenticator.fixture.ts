import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { PasskeyAssertion, PasskeyRegistration } from '../../contract/passkeys.ts';

/** A security key in software, with the browser around it: WebAuthn with ES256, attestation `none`. */

interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}
interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
}

/** What may be wrong with an answer. */
interface Twist {
  readonly origin?: string;
  readonly rpId?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | undefined;
  readonly type?: string;
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest();
const b64 = (bytes: Buffer) => bytes.toString('base64url');

export class Authenticator {
  readonly #keys: { publicKey: KeyObject; privateKey: KeyObject };
  readonly #origin: string;
  readonly id = randomBytes(32);
  /** 0: it does not count. */
  counter = 0;
  #userHandle: string | undefined;

  constructor(origin: string, { counts = false } = {}) {
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#origin = origin;
    if (counts) this.counter = 1;
  }

  create(options: unknown, twist: Twist = {}): PasskeyRegistration {
    const { rp, user, challenge } = options as CreationOptions;
    this.#userHandle = user.id;
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' });
    const publicKey = cbor(
      new Map<number, number | Buffer>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const authData = Buffer.concat([
      this.#authData(twist.rpId ?? rp.id, 0x40, twist),
      ...[Buffer.alloc(16), length, this.id, publicKey],
    ]);
    const attestation = cbor(
      new Map<string, string | Buffer | Map<never, never>>([
        ['fmt', 'none'],
        ['attStmt', new Map<never, never>()],
        ['authData', authData],
      ]),
    );
    return {
      ...{ id: b64(this.id), rawId: b64(this.id), type: 'public-key' },
      response: {
        clientDataJSON: b64(this.#clientData('webauthn.create', challenge, twist)),
        attestationObject: b64(attestation),
        transports: ['internal'],
      },
    };
  }

  get(options: unknown, twist: Twist = {}): PasskeyAssertion {
    const { rpId, challenge } = options as RequestOptions;
    if (this.counter > 0) this.counter++;
    const authData = this.#authData(twist.rpId ?? rpId, 0, twist);
    const clientData = this.#clientData('webauthn.get', challenge, twist);
    const userHandle = 'userHandle' in twist ? twist.userHandle : this.#userHandle;
    return {
      ...{ id: b64(this.id), rawId: b64(this.id), type: 'public-key' },
      response: {
        ...{ clientDataJSON: b64(clientData), authenticatorData: b64(authData) },
        signature: b64(sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.#keys.privateKey)),
        ...(userHandle !== undefined && { userHandle }),
      },
    };
  }

  #authData(rpId: string, flags: number, { isVerified = true, counter = this.counter }: Twist): Buffer {
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags | 0x01 | (isVerified ? 0x04 : 0));
    rest.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), rest]);
  }

  #clientData(type: string, challenge: string, twist: Twist): Buffer {
    return Buffer.from(
      JSON.stringify({ type: twist.type ?? type, challenge, origin: twist.origin ?? this.#origin, crossOrigin: false }),
    );
  }
}

type Cbor = number | string | Buffer | ReadonlyMap<string | number, unknown>;
/** As much of CBOR (RFC 8949) as there is here. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member as Cbor)]),
  ]);
}
function head(major: number, n: number): Buffer {
  if (n < 24) return Buffer.from([(major << 5) | n]);
  return n < 256 ? Buffer.from([(major << 5) | 24, n]) : Buffer.from([(major << 5) | 25, n >> 8, n & 255]);
}
