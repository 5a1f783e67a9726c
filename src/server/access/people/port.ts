import type { TokenCreated } from '../../../contract/access.ts';
import type { DeviceRequest } from '../../../contract/device.ts';
import type { Passkey, PasskeyAssertion, PasskeyRegistration } from '../../../contract/passkeys.ts';
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
  /**
   * Whether who comes in is the account that something saved at that time calls by this name or ID. An account that is newer
   * is another one, whatever it is called. A token that belongs to nobody goes by its name, where no account has it.
   */
  isNamed(who: { readonly actor: string; readonly userId: string | null }, name: string, savedAt: number): boolean;
  /** With neither a password nor `kind: service` a one-time password is made, shown once. */
  create(input: NewUser, actor: Actor): Promise<UserCreated>;
  /** Disabling ends every session and token at once; enabling brings none of them back. */
  update(id: string, patch: UserPatch, actor: Actor): Promise<User>;
  /** For good: with sessions, tokens and roles. What they made, and records with their name, stay. */
  remove(id: string, actor: Actor): Promise<void>;
  /** A one-time password in place of the old one; ends the sessions and, unless they are kept, the tokens and the passkeys. */
  resetPassword(
    id: string,
    how: { keepTokens: boolean; keepPasskeys: boolean },
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
  /** Their tokens were ended: what they have approved, and nobody has fetched yet, comes to nothing. */
  endAllOfUser(userId: string): void;
}

/** Where the browser is, as far as its passkeys are concerned: a name that this master knows as its own. */
export interface PasskeyPlace {
  /** The rp ID: a name, without port. */
  readonly host: string;
  readonly origin: string;
}

interface PasskeyAsked {
  /** For the browser. */
  readonly options: object;
  /** Goes into a cookie: only the browser that asked answers. */
  readonly binding: string;
}

interface OwnSession {
  readonly userId: string;
  readonly sessionId: string;
}

interface Answered<T> {
  readonly response: T;
  readonly binding: string | undefined;
  readonly place: PasskeyPlace;
}
type From = Presenter & { readonly client: string | null };

/**
 * Passkeys of people of this master. Each answer throws PASSKEY_INVALID, PASSKEY_EXPIRED, PASSKEY_COPIED and
 * TOO_MANY_ATTEMPTS.
 */
export interface Passkeys {
  readonly any: boolean;
  /** True where somebody has one for that name. */
  isAt(host: string): boolean;
  most(): number;
  list(userId: string): Passkey[];
  hasPassword(userId: string): boolean;
  beginSignIn(place: PasskeyPlace): Promise<PasskeyAsked>;
  signIn(answered: Answered<PasskeyAssertion>, from: From): Promise<SignedIn>;
  /** With a one-time password, in place of a password of their own. Throws as signing in does, PASSKEY_REFUSED. */
  beginFirst(input: { login: string; password: string }, place: PasskeyPlace, from: Presenter): Promise<PasskeyAsked>;
  finishFirst(answered: Answered<PasskeyRegistration> & { readonly name: string }, from: From): Promise<SignedIn>;
  /** To prove once more who one is. Throws PASSKEY_NOT_FOUND. */
  beginConfirm(own: OwnSession, place: PasskeyPlace): Promise<PasskeyAsked>;
  /** Throws also PASSWORD_INVALID, PASSKEY_REFUSED, TOO_MANY_PASSKEYS. */
  beginAdd(
    own: OwnSession,
    proof: { password: string } | { passkey: PasskeyAssertion; binding: string | undefined },
    place: PasskeyPlace,
    from: Presenter,
  ): Promise<PasskeyAsked>;
  /** Throws also PASSKEY_EXISTS, PASSKEY_REFUSED, TOO_MANY_PASSKEYS. */
  add(
    own: OwnSession,
    answered: Answered<PasskeyRegistration> & { readonly name: string },
    actor: Actor,
    from: Presenter,
  ): Promise<Passkey>;
  /** Throws PASSKEY_NOT_FOUND. */
  rename(userId: string, id: string, name: string, actor: Actor): Promise<Passkey>;
  /** Ends the sessions but that one. `isOwn`: the only way in stays. Throws PASSKEY_NOT_FOUND, LAST_WAY_IN. */
  remove(userId: string, id: string, how: { keepSession: string | null; isOwn: boolean }, actor: Actor): Promise<void>;
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
    /** What the browser has from a sign-in that it began before; given again as long as that goes on. */
    held?: string | undefined;
  }): Promise<{ url: string; binding: string }>;
  /** True where a sign-in of that browser is on the way. */
  goesOn(binding: string): boolean;
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
