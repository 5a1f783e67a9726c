import type {
  ApiKey,
  ApiKeyCreated,
  AuditEntry,
  AuditVerdict,
  OpenSession,
  Token,
  TokenCreated,
} from '../../contract/access.ts';
import type { RateLimits, RateLimitsChange } from '../../contract/rate-limits.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Action } from '../../contract/actions.ts';
import type { AccessGrant, AccessRole, Project } from '../../contract/projects.ts';
import type { Place } from '../../lib/grant-covers.ts';
import type { MaskPath } from '../../lib/mask-paths.ts';
import type { Environment, Role } from '../../contract/vocabulary.ts';
import type { Principal } from '../state-machines/approval.ts';
import type { ReadHandle, WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';
import type { Attempts, Presenter } from './attempts.ts';
import type { DeviceLogins, Oidc, Passkeys, Users } from './people/port.ts';

export type { Presenter } from './attempts.ts';
export type { AuditExport } from './audit-export.ts';

export interface KeyIdentity {
  readonly id: string;
  readonly name: string;
  /** Its number in the rows of jobs. */
  readonly seq: number;
  readonly limits: RateLimits;
  /** Workflows of this one alone. */
  readonly project: string;
  reaches(workflowId: string, environment: Environment): boolean;
}

export interface Identity {
  readonly actor: string;
  readonly role: Role;
  /** ISO time, null: never. */
  readonly expiresAt: string | null;
  /** What they may do where. Null: `role` in every project and environment, as tokens of programs have. */
  readonly grants: readonly Grant[] | null;
  /** The person; null: a program's token, a one-time sign-in code. */
  readonly userId: string | null;
}

/** A role in one project or in all, in some environments or in all. */
export interface Grant {
  /** Built-in or custom. */
  readonly role: string;
  /** Null: all. */
  readonly project: string | null;
  /** Null: all. */
  readonly environments: readonly Environment[] | null;
}

/** Without the name of whom it is given to, which may change. */
export type StoredGrant = Omit<AccessGrant, 'subjectName'>;

export interface Grants {
  /** Their own and those of their groups, from memory. The same list until a grant changes. */
  of(who: { readonly userId: string; readonly groups: readonly string[] }): readonly Grant[];
  /** The newest first. */
  list(): StoredGrant[];
  /** Throws ROLE_NOT_FOUND, PROJECT_NOT_FOUND. */
  create(
    input: {
      subjectKind: 'user' | 'group';
      subject: string;
      role: string;
      project?: string | null;
      environments?: readonly Environment[] | null;
    },
    actor: Actor,
  ): Promise<StoredGrant>;
  remove(id: string, actor: Actor): Promise<void>;
}

/** What a person, or a service account, is let in with. */
export type PersonIdentity = Pick<Identity, 'actor' | 'role'> & {
  readonly userId: string;
  readonly grants: readonly Grant[];
};
/** Built-in and custom roles. */
export interface Roles {
  actionsOf(role: string): ReadonlySet<Action> | null;
  list(): Omit<AccessRole, 'grants' | 'warnings'>[];
  /** Throws ROLE_BUILT_IN. */
  set(
    id: string,
    input: { actions: readonly Action[]; description?: string | null },
    actor: Actor,
  ): Promise<Omit<AccessRole, 'grants' | 'warnings'>>;
  /** Throws ROLE_NOT_FOUND, ROLE_BUILT_IN, ROLE_IN_USE. */
  remove(id: string, actor: Actor): Promise<void>;
}

/** What workflows belong to. */
export interface Projects {
  has(id: string): boolean;
  list(): Project[];
  /** Throws PROJECT_EXISTS. */
  create(input: { id: string; name: string }, actor: Actor): Promise<Project>;
  /** Throws PROJECT_NOT_FOUND. */
  update(id: string, change: { name?: string; masks?: readonly string[] }, actor: Actor): Promise<Project>;
  /** Projects with fields that are masked in payloads, and the paths of these. */
  readonly masks: ReadonlyMap<string, readonly MaskPath[]>;
  /** Throws PROJECT_NOT_FOUND, PROJECT_IN_USE. */
  remove(id: string, actor: Actor): Promise<void>;
}

export type { Place } from '../../lib/grant-covers.ts';

/** What belongs to a project and is of some environments. */
export interface Holding {
  readonly project: string;
  /** Null: of all, and of what has none. */
  readonly environments: readonly Environment[] | null;
}

/** What somebody may do, from memory. */
export interface Policy {
  /** `place` null: where it belongs to no project. */
  may(who: Who, action: Action, place: Place | null): boolean;
  /** True where there is any place. */
  mayAnywhere(who: Who, action: Action): boolean;
  /** True where the action is allowed in the project and in one of the environments at least. */
  mayInSome(who: Who, action: Action, holding: Holding): boolean;
  /** Projects in which the action is allowed in all environments (that matter for it), or in this one; null: all projects. */
  projects(who: Who, action: Action, environment?: Environment): ReadonlySet<string> | null;
}
export type Who = Pick<Identity, 'role' | 'grants'>;

export interface TokenIdentity extends Identity {
  readonly tokenId: string;
  /** Of a worker's token: the environments whose tasks its workers may be given; null: all. */
  readonly environments: readonly Environment[] | null;
  /** Of a worker's token: what its workers are labelled, whatever they say of themselves. */
  readonly labels: Readonly<Record<string, string>>;
}

export interface SessionIdentity extends Identity {
  readonly sessionId: string;
  /** Null: made from a one-time sign-in code. */
  readonly tokenId: string | null;
}

/** A session that began. */
export interface SignedIn {
  readonly cookie: string;
  readonly identity: Identity;
  readonly maxAgeSeconds: number;
}

export interface AuditItem {
  readonly action: string;
  /** `<kind>:<id>`. */
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
  /** True for what changes nothing: however many these are, they take no place from entries of changes. */
  readonly frequent?: true;
}

/** Writes one entry inside the transaction of the change; a further transaction of the same change brings its `after` up to date. */
export type AuditNote = (db: WriteHandle, item: AuditItem) => void;

/** Who read what, for the audit log: cheap, and bounded for whoever reads much. */
export interface PayloadReads {
  /** `target`: whose payloads were shown, as `job:ID`; `what` is written with the first read of an hour. */
  note(identity: Identity, actor: Actor, target: string, what: unknown): Promise<void>;
}

/** Why somebody may not decide about a request. */
export type Doubt =
  /** What lets them decide is newer than the request. */
  | 'newer'
  /** It is young, and comes from who asked. */
  | 'made';

export interface Access {
  readonly payloadReads: PayloadReads;
  /** What wrong credentials cost. */
  readonly attempts: Attempts;
  /** From memory, in constant time: hash, then look up. Null: unknown, revoked or expired. */
  key(secret: string): KeyIdentity | null;
  token(secret: string): TokenIdentity | null;
  /**
   * What speaks against `approver`, asked in a transaction: their account, its password, address, groups or roles came from
   * others after the request, or within `settleMs` before it from who asked, directly or by accounts and tokens that these
   * made. Null: nothing does.
   */
  doubtAbout(
    db: ReadHandle,
    approver: Principal,
    of: { readonly requester: Principal; readonly requestedAt: number; readonly settleMs: number },
  ): Doubt | null;
  /** Whose token it is, where it rests until they sign in at the provider again; null: it does not. */
  restingOf(secret: string): string | null;
  /** Who somebody is, as one person is told from another. */
  principal(identity: Identity): Principal;
  /** Null: unknown, revoked or expired, or its person may not come in. */
  tokenById(tokenId: string): TokenIdentity | null;
  /**
   * Calls back whenever a token or a session has ended: revoked, signed out, or expired (within a second), and when a grant has changed. Whoever keeps a
   * connection open asks then whether its own still holds. Returns what ends the calls.
   */
  onCredentialEnded(listener: () => void): () => void;
  session(cookie: string): SessionIdentity | null;
  readonly grants: Grants;
  readonly roles: Roles;
  readonly projects: Projects;
  readonly policy: Policy;
  /** Makes a session from a token; null where the token is not valid. One-time sign-in codes are accepted once. Both ways it is audited, as sign-out is. */
  signIn(token: string, address?: string | null, client?: string | null): SignedIn | null;
  /**
   * Makes a session of somebody who knows their password; a one-time password needs a new one beside it. Throws
   * PASSWORD_INVALID, PASSWORD_CHANGE_NEEDED, PASSWORD_REFUSED, TOO_MANY_ATTEMPTS, OVERLOADED.
   */
  signInByPassword(
    input: { login: string; password: string; newPassword?: string },
    from: Presenter & { readonly client: string | null },
  ): Promise<SignedIn>;
  readonly passkeys: Passkeys;
  /** Null: no provider is set. */
  readonly oidc: Oidc | null;
  signOut(cookie: string, address?: string | null): void;
  /** Tells of every API key that has limits, now and whenever one changes. */
  watchLimits(listener: (key: { seq: number; name: string }, limits: RateLimits) => void): void;
  /** A code that signs a browser in once, within five minutes. */
  oneTimeCode(role: Role): string;
  keys: {
    /** `sees`: only of those of which it says true. */
    list(query: { page: number; size: number }, sees?: ((key: Holding) => boolean) | null): Promise<Page<ApiKey>>;
    /** Throws KEY_NOT_FOUND. */
    holding(id: string): Holding & { readonly workflows: readonly string[] };
    /** Throws PROJECT_NOT_FOUND. */
    create(
      input: {
        name: string;
        workflows: string[];
        environments: Environment[];
        expiresAt?: string | null;
        limits?: RateLimitsChange;
        /** Left out: the default one. */
        project?: string;
      },
      actor: Actor,
    ): Promise<ApiKeyCreated>;
    update(
      id: string,
      patch: { name?: string; limits?: RateLimitsChange; project?: string },
      actor: Actor,
    ): Promise<ApiKey>;
    revoke(id: string, actor: Actor): Promise<void>;
    rotate(id: string, overlapSeconds: number, actor: Actor): Promise<{ id: string; key: string; prefix: string }>;
  };
  readonly users: Users;
  /** Valid keys and tokens that somebody made, that belong to nobody, and so outlive them. */
  left(userId: string): { keys: ApiKey[]; tokens: Token[] };
  readonly deviceLogins: DeviceLogins;
  tokens: {
    /** All; with `userId` those of somebody that hold. */
    list(query: { page: number; size: number; userId?: string }): Promise<Page<Token>>;
    create(
      input: {
        name: string;
        role: Role;
        expiresAt?: string | null;
        /** These two only with the role worker. */
        environments?: readonly Environment[] | null;
        labels?: Readonly<Record<string, string>>;
        /** Whose it is: it does at most what they may, and ends with them. Null: nobody's. */
        userId?: string | null;
      },
      actor: Actor,
    ): Promise<TokenCreated>;
    /** With `userId`: only one of theirs. */
    revoke(id: string, actor: Actor, userId?: string): Promise<void>;
    /** Makes sure that this very secret is a token of that role (local admin token, token of the local workers). Null: that there is none of that name. */
    ensure(input: { name: string; role: Role; secret: string | null }): Promise<void>;
  };
  sessions: {
    /** Those that `who` may see: its own, and all where it is an admin. The newest first. */
    list(who: Identity, query: { page: number; size: number }): Page<OpenSession>;
    /** Ends it at once, with what hangs on it. Throws SESSION_NOT_FOUND where there is none that `who` may see. */
    end(id: string, who: Identity, actor: Actor): Promise<void>;
  };
  audit: {
    list(query: {
      page: number;
      size: number;
      action?: string;
      actor?: string;
      target?: string;
      number?: number;
    }): Promise<Page<AuditEntry>>;
    /** Makes all hashes again, in slices; who asks meanwhile gets the same answer. */
    verify(): Promise<AuditVerdict>;
    /** One entry for a change of another room, which writes it in the transaction of that change. */
    entry(actor: Actor): AuditNote;
    /** What changes nothing and is worth an entry all the same, in a transaction of its own. */
    note(actor: Actor, item: AuditItem): Promise<void>;
    /** Inside the transaction of the change that it records. */
    record(db: WriteHandle, actor: Actor, item: AuditItem): void;
  };
  close(): Promise<void>;
}
