import type { DynamicModule, FactoryProvider, INestApplicationContext, Type } from '@nestjs/common';
import type { McpTransport } from '@rekog/mcp-nest';
import type { RequestHandler } from 'express';
import type { Config } from '../config/config.js';
import type { AnyTool } from './define-tool.js';
import type { CallStage } from './pipeline/call-stages.js';
import type { CallObserver } from './pipeline/call-watch.js';
import type { Principals } from './principals.js';
import type { ToolAccess } from './tool-access.js';

/** How this process serves, as its entry point defines it. */
export abstract class Serving {
  abstract readonly transport: McpTransport;
  /** How long shutdown waits for diagnostics and telemetry (ms). */
  abstract readonly flushMs: number;
  abstract readonly features: Features;
}

/** How the tools of an application are called; `command`: by a command, in its own process. */
export type ServedOver = 'stdio' | 'http' | 'command';

/** Makes a store behind a port. */
export interface StoreProvider extends Pick<FactoryProvider, 'inject' | 'useFactory'> {
  readonly provide: abstract new (...args: never[]) => unknown;
  /** True if its database closes it, or its writer, after the last write. Default: it is closed with the engines. */
  readonly isClosedElsewhere?: boolean;
}

export type Imported = Type | DynamicModule;

/** Makes the module of the engines, with the stores of features. */
export type OpenEngines = (stores: readonly StoreProvider[]) => DynamicModule;

/** The parts that a feature adds to a server. */
export interface ServerFeature {
  /** In the order of the tool list. */
  readonly tools?: readonly Type[];
  /** Decides which tools callers are offered, in place of their permissions. */
  readonly access?: Type<ToolAccess>;
  /** Stages of a call before it is executed, in their order. */
  readonly stages?: readonly Type<CallStage>[];
  /** Null for one that has nothing to observe. */
  readonly observers?: readonly FactoryProvider<CallObserver | null>[];
  /** Its stores, which open when they are first used. */
  readonly stores?: (config: Config, over: ServedOver) => readonly StoreProvider[];
  /** @param tools  every tool of the server, in the order of the tool list */
  readonly modules?: (tools: readonly Type[]) => readonly Imported[];
  /** Modules with routes of the HTTP server, loaded for it alone. @param offers  true if a project of the server offers the tool */
  readonly routes?: (config: Config, offers: (tool: string) => boolean) => Promise<readonly Imported[]>;
  /**
   * Prints warnings about its settings after a server has started.
   * @param accessFile  '' if the server has none
   * @param tools  the definitions of all tools
   * @returns a function that drops a check which has not begun
   */
  readonly warnLater?: (
    config: Config,
    accessFile: string,
    tools: () => Promise<readonly AnyTool[]>,
  ) => () => void;
}

/** The features of a server. */
export interface Features {
  readonly on: readonly ServerFeature[];
  /** Tools of the others, which are imported when a call names a tool that the server does not know. */
  readonly offTools: () => Promise<readonly Type[]>;
}

/** Who may use an HTTP server, and what is noted about it. Exists before the application. */
export interface HttpAccess {
  readonly principals: Principals;
  /** Further projects by their id: the path of the index, and the settings that differ; a value may refer to a secret. */
  readonly projects: Readonly<
    Record<string, { readonly index: string; readonly settings: Readonly<Record<string, string>> }>
  >;
  /** Sees every request. */
  readonly watch: RequestHandler;
  /** Sees every call, also those of further projects. */
  readonly observer: FactoryProvider<CallObserver>;
  /** Reads its files again. @throws InvalidConfigurationError and changes nothing */
  readonly reload: () => void;
  /** @param files  the number of files that were read again; null if one was not valid, and nothing is changed */
  readonly noteReload: (app: INestApplicationContext, files: number | null) => Promise<void>;
}
