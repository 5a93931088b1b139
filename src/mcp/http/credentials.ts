import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { AdminConfig } from '../../config/settings/admin.config.js';
import { HttpConfig } from '../../config/settings/http.config.js';
import { ScopeConfig } from '../../config/settings/scope.config.js';
import { steadyNow } from '../../core/turns/clock.js';
import { type Holder, InvalidTokenError } from '../access-tokens.js';
import { BEARER, LOCAL, OPERATOR, type Principal, Principals, withGroups } from '../principals.js';
import { Semaphore } from '../semaphore.js';
import { FailedTokens, networkOf } from './failed-tokens.js';
import { isSameToken } from './http-security.js';
import { addressOf } from './request-facts.js';

type Sender = Pick<Request, 'ip' | 'socket'>;

/** Number of opaque tokens of one address that are checked at a time, and that may wait. */
const ASKED_AT_ONCE = 4;
const MAX_WAITING = 100;

/** Number of addresses whose users of a token are remembered. */
const MAX_PROVEN = 1_000;

/** Thrown for an address that has to wait. It says nothing about what was sent. */
export class TooManyGuesses extends Error {
  readonly status = 429;

  constructor(readonly waitS: number) {
    super(`Too many wrong keys, tokens or signatures. Try again in ${waitS} s.`);
  }
}

/**
 * Finds the principal of a request by its key or token, on all paths. An address that has sent too many wrong ones has
 * to wait before a token of it is checked again. Keys are always checked, because nobody can guess 256 random bits, and
 * so are tokens that were right before from this address: one client with a wrong token does not shut out the others.
 */
@Injectable()
export class Credentials {
  private readonly failed = new FailedTokens(steadyNow);
  /** A thousand wrong tokens of an address are no mistake: tokens that were right before have to wait too. */
  private readonly oftenFailed = new FailedTokens(steadyNow, { atOnce: 1_000, refillMs: 3_600 });
  /** Addresses whose tokens an authorization server is being asked about. */
  private readonly asking = new Map<string, Semaphore>();
  /** Tokens that were right, with the address that sent them. */
  private readonly proven = new Set<string>();

  constructor(
    private readonly http: HttpConfig,
    private readonly admin: AdminConfig,
    private readonly principals: Principals,
    private readonly scope: ScopeConfig,
  ) {}

  /** The principal of a request without a key or token, if such requests are answered. */
  get anybody(): Principal {
    return this.inGroups(LOCAL);
  }

  /** True if a request without a key or token is answered. */
  get isOpen(): boolean {
    return this.http.token === '' && !this.principals.areRequired;
  }

  /** True if there is a key, or a token of the settings, with which people can sign in. */
  get canSignIn(): boolean {
    return this.http.token !== '' || this.admin.token !== '' || this.principals.haveKeys;
  }

  /** True if somebody can open the search page and the reader, unless they are off. */
  get openPages(): boolean {
    return this.isOpen || this.canSignIn || this.http.searchPage === 'public';
  }

  /** The address at which agents send access tokens; null if none is accepted. */
  get resource(): string | null {
    return this.principals.protectedResource?.resource ?? null;
  }

  /** The owner of a key or of a token of the settings. @returns null if there is none @throws TooManyGuesses */
  find(given: string, request: Sender): Principal | null {
    const owner = this.knownOwner(given, addressOf(request));
    if (!owner) this.noteWrong(addressOf(request));
    return owner;
  }

  /**
   * The owner of a key, of a token of the settings, or of an access token for `/mcp`.
   * @returns null if there is none @throws TooManyGuesses, and for access tokens as `Principals.withToken`
   */
  async findHolder(given: string, request: Sender): Promise<Holder | null> {
    const address = addressOf(request);
    const owner = this.knownOwner(given, address);
    if (owner) return { principal: owner, scopes: null };
    try {
      if (this.principals.protectedResource)
        return await this.principals.withToken(given, (ask) => this.inTurn(address, ask));
    } catch (error) {
      if (error instanceof InvalidTokenError && error.isGuess) this.noteWrong(address);
      throw error;
    }
    this.noteWrong(address);
    return null;
  }

  /** Asks about a few tokens of an address at a time, so that the wrong ones are counted before the next are asked about. */
  private async inTurn<T>(address: string, ask: () => Promise<T>): Promise<T> {
    const source = networkOf(address);
    const slots = this.asking.get(source) ?? new Semaphore(ASKED_AT_ONCE, MAX_WAITING);
    this.asking.set(source, slots);
    const leave = await slots.enter();
    if (!leave) throw new TooManyGuesses(1);
    try {
      this.checkWait(address);
      return await ask();
    } finally {
      leave();
      if (slots.isIdle) this.asking.delete(source);
    }
  }

  private knownOwner(given: string, address: string): Principal | null {
    const key = this.principals.withKey(given);
    if (key) return key;
    const owner = this.ownerOf(given);
    if (!owner) return null;
    const proof = `${owner.name} ${address}`;
    if (this.proven.has(proof) && this.oftenFailed.waitMs(address) === 0) return owner;
    this.checkWait(address);
    this.remember(proof);
    return owner;
  }

  /** Counts a wrong key, token or signature. @throws TooManyGuesses if the address has to wait */
  noteWrong(address: string): void {
    this.oftenFailed.note(address);
    this.checkWait(address);
    this.failed.note(address);
  }

  private checkWait(address: string): void {
    const waitMs = Math.max(this.failed.waitMs(address), this.oftenFailed.waitMs(address));
    if (waitMs > 0) throw new TooManyGuesses(Math.ceil(waitMs / 1_000));
  }

  /** The principal of a token of the settings. */
  private ownerOf(given: string): Principal | null {
    if (isSameToken(given, this.admin.token)) return this.inGroups(OPERATOR);
    return isSameToken(given, this.http.token) ? this.inGroups(BEARER) : null;
  }

  private inGroups(principal: Principal): Principal {
    return withGroups(principal, this.scope.groups, this.principals);
  }

  private remember(proof: string): void {
    const [oldest] = this.proven;
    if (this.proven.size >= MAX_PROVEN && oldest !== undefined) this.proven.delete(oldest);
    this.proven.add(proof);
  }
}
