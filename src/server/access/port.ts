import type { ApiKey, ApiKeyCreated, AuditEntry, Token, TokenCreated } from '../../contract/access.ts';
import type { RateLimits, RateLimitsChange } from '../../contract/rate-limits.ts';
import type { Page } from '../../contract/shapes.ts';
import type { Environment, Role } from '../../contract/vocabulary.ts';
import type { WriteHandle } from '../store/port.ts';
import type { Actor } from '../workflows/port.ts';

export interface KeyIdentity {
  readonly id: string;
  readonly name: string;
  /** Its number in the rows of jobs. */
  readonly seq: number;
  readonly limits: RateLimits;
  reaches(workflowId: string, environment: Environment): boolean;
}

export interface Identity {
  readonly actor: string;
  readonly role: Role;
  /** ISO time, null: never. */
  readonly expiresAt: string | null;
}

export interface TokenIdentity extends Identity {
  readonly tokenId: string;
}

export interface AuditItem {
  readonly action: string;
  /** `<kind>:<id>`. */
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Writes one entry inside the transaction of the change; a further transaction of the same change brings its `after` up to date. */
export type AuditNote = (db: WriteHandle, item: AuditItem) => void;

export interface Access {
  /** From memory, in constant time: hash, then look up. Null: unknown, revoked or expired. */
  key(secret: string): KeyIdentity | null;
  token(secret: string): TokenIdentity | null;
  /** True for a token that is neither revoked nor expired. */
  isActiveToken(tokenId: string): boolean;
  /**
   * Calls back whenever a token or a session has ended: revoked, signed out, or expired (within a second). Whoever keeps a
   * connection open asks then whether its own still holds. Returns what ends the calls.
   */
  onCredentialEnded(listener: () => void): () => void;
  session(cookie: string): Identity | null;
  /** Makes a session from a token; null where the token is not valid. One-time sign-in codes are accepted once. Both ways it is audited, as sign-out is. */
  signIn(token: string, address?: string | null): { cookie: string; identity: Identity; maxAgeSeconds: number } | null;
  signOut(cookie: string, address?: string | null): void;
  /** Tells of every API key that has limits, now and whenever one changes. */
  watchLimits(listener: (key: { seq: number; name: string }, limits: RateLimits) => void): void;
  /** A code that signs a browser in once, within five minutes. */
  oneTimeCode(role: Role): string;
  keys: {
    list(query: { page: number; size: number }): Promise<Page<ApiKey>>;
    create(
      input: {
        name: string;
        workflows: string[];
        environments: Environment[];
        expiresAt?: string | null;
        limits?: RateLimitsChange;
      },
      actor: Actor,
    ): Promise<ApiKeyCreated>;
    update(id: string, patch: { name?: string; limits?: RateLimitsChange }, actor: Actor): Promise<ApiKey>;
    revoke(id: string, actor: Actor): Promise<void>;
    rotate(id: string, overlapSeconds: number, actor: Actor): Promise<{ id: string; key: string; prefix: string }>;
  };
  tokens: {
    list(query: { page: number; size: number }): Promise<Page<Token>>;
    create(input: { name: string; role: Role; expiresAt?: string | null }, actor: Actor): Promise<TokenCreated>;
    revoke(id: string, actor: Actor): Promise<void>;
    /** Makes sure that this very secret is a token of that role (local admin token, token of the local workers). */
    ensure(input: { name: string; role: Role; secret: string }): Promise<void>;
  };
  audit: {
    list(query: {
      page: number;
      size: number;
      action?: string;
      actor?: string;
      target?: string;
    }): Promise<Page<AuditEntry>>;
    /** One entry for a change of another room, which writes it in the transaction of that change. */
    entry(actor: Actor): AuditNote;
    /** What changes nothing and is worth an entry all the same, in a transaction of its own. */
    note(actor: Actor, item: AuditItem): Promise<void>;
    /** Inside the transaction of the change that it records. */
    record(db: WriteHandle, actor: Actor, item: AuditItem): void;
  };
  close(): Promise<void>;
}
