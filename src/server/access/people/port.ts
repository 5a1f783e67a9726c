import type { TokenCreated } from '../../../contract/access.ts';
import type { DeviceRequest } from '../../../contract/device.ts';
import type { Page } from '../../../contract/shapes.ts';
import type { PersonRole, User, UserCreated, UserKind } from '../../../contract/users.ts';
import type { Actor } from '../../workflows/port.ts';
import type { Presenter } from '../attempts.ts';
import type { SignedIn } from '../port.ts';

export interface Users {
  /** True where somebody has one: only then is anybody asked for it. */
  readonly hasPasswords: boolean;
  /** All, the newest first. */
  list(query: { page: number; size: number }): Page<User>;
  /** Throws USER_NOT_FOUND. */
  get(id: string): User;
  /** Null: nobody known. */
  loginOf(id: string): string | null;
  /** With neither a password nor `kind: service` a one-time password is made, shown once. */
  create(input: NewUser, actor: Actor): Promise<UserCreated>;
  /** Disabling ends every session and token at once; enabling brings none of them back. */
  update(id: string, patch: UserPatch, actor: Actor): Promise<User>;
  /** For good: with sessions, tokens and roles. What they made, and records with their name, stay. */
  remove(id: string, actor: Actor): Promise<void>;
  /** A one-time password in place of the old one; ends the sessions and, unless they are kept, the tokens. */
  resetPassword(
    id: string,
    how: { keepTokens: boolean },
    actor: Actor,
  ): Promise<{ password: string; expiresAt: string }>;
  /** Ends the sessions but that one, and all tokens where that is wanted. Throws PASSWORD_INVALID, PASSWORD_REFUSED. */
  changePassword(
    id: string,
    change: { password: string; newPassword: string; keepSession: string | null; endTokens: boolean },
    actor: Actor,
  ): Promise<void>;
}

export interface NewUser {
  readonly login: string;
  readonly name?: string;
  readonly email?: string | null;
  readonly kind?: UserKind;
  readonly groups?: readonly string[];
  readonly source?: 'local' | 'oidc';
  readonly role?: PersonRole;
  readonly password?: string;
}

export interface UserPatch {
  readonly name?: string;
  readonly email?: string | null;
  readonly groups?: readonly string[];
  readonly disabled?: boolean;
}

/** Programs that ask a person to sign them in. All in memory: a code lives for minutes. */
export interface DeviceLogins {
  /** Throws RATE_LIMITED, OVERLOADED. */
  begin(
    client: string,
    address: string | null,
  ): { deviceCode: string; userCode: string; expiresIn: number; interval: number };
  /** The token, once. Throws AUTHORIZATION_PENDING, SLOW_DOWN, DEVICE_DENIED; null: there is no such code. */
  take(deviceCode: string): Promise<TokenCreated | null>;
  /** Null: there is none. */
  find(userCode: string): DeviceRequest | null;
  /** False: there is none. */
  decide(userCode: string, isApproved: boolean, userId: string, actor: Actor): Promise<boolean>;
}

/** Signing in at a provider of OpenID Connect. */
export interface Oidc {
  /** On the button. */
  readonly name: string;
  /** `binding` goes into a cookie: only the browser that began comes back. Throws as the provider's client does. */
  begin(place: {
    redirectUri: string;
    returnTo: string;
    address: string | null;
  }): Promise<{ url: string; binding: string }>;
  /** Throws also SIGN_IN_EXPIRED, IDENTITY_REFUSED. */
  finish(
    callback: URL,
    binding: string | undefined,
    from: Presenter & { readonly client: string | null },
  ): Promise<{ session: SignedIn; returnTo: string }>;
  /** Where the browser goes to sign out at the provider too; null: there is no need. */
  endSessionUrl(cookie: string, returnTo: string): Promise<string | null>;
  /** The provider tells that somebody signed out there: ends their sessions of it here, and says how many. Throws LOGOUT_TOKEN_INVALID, PROVIDER_UNREACHABLE. */
  signedOutThere(logoutToken: string): Promise<number>;
  /** Asks the provider about everybody whose turn it is. */
  check(): Promise<void>;
}
