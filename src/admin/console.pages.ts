import type { Provider, Type } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { VERSION } from '../core/package-facts.js';
import type { Imported } from '../mcp/serving.js';
import type { Obstacle } from './facts/readiness.service.js';
import type { Frame, Place } from './views/layout.js';

/** An entry of the console's menu. */
export interface MenuEntry extends Place {
  /** The menu is in this order. */
  readonly rank: number;
  /** False if the server does not use the feature of the page. Default: true. */
  readonly isUsed?: (app: ModuleRef) => boolean;
}

/** A check of `/admin/ready`. */
interface ReadinessCheck {
  readonly part: Obstacle['part'];
  /** @throws PithError with the reason why the server can't do all of its work */
  readonly run: (app: ModuleRef) => Promise<void>;
}

/** The pages that a feature adds to the console. */
export interface ConsolePages {
  readonly menu: readonly MenuEntry[];
  readonly checks: readonly ReadinessCheck[];
  readonly imports: readonly Imported[];
  readonly controllers: readonly Type[];
  readonly providers: readonly Provider[];
}

/** The pages of the console itself. */
export const CONSOLE_MENU: readonly MenuEntry[] = [
  { href: '/admin', name: 'Retrievals', rank: 1 },
  { href: '/admin/corpus', name: 'Index', rank: 8 },
  { href: '/admin/settings', name: 'Settings', rank: 11 },
];

const ranked = (entries: readonly MenuEntry[]): Place[] => [...entries].sort((a, b) => a.rank - b.rank);

/** The entries of the menu: the console's own pages, and those of features that the server uses. */
export function menuOf(pages: readonly ConsolePages[], app: ModuleRef): Place[] {
  const used = pages.flatMap(({ menu }) => menu).filter(({ isUsed }) => isUsed?.(app) ?? true);
  return ranked([...CONSOLE_MENU, ...used]);
}

/** For error pages, which anybody may see: the entries that every server has. */
export const OPEN_MENU = 'OPEN_MENU';

/** As if every feature were off that can be off: the menu does not tell which ones are on. */
export function openMenu(pages: readonly ConsolePages[]): Place[] {
  const always = pages.flatMap(({ menu }) => menu).filter(({ isUsed }) => isUsed === undefined);
  return ranked([...CONSOLE_MENU, ...always]);
}

/** The frame of all pages. The menu is made for the first page: at start, parts of features may not exist yet. */
export function consoleFrame(pages: readonly ConsolePages[], app: ModuleRef, hasReader: boolean): Frame {
  let menu: readonly Place[] | null = null;
  return {
    version: VERSION,
    hasReader,
    get menu() {
      return (menu ??= menuOf(pages, app));
    },
  };
}
