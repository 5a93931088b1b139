import { ModuleRef } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { consoleFrame, menuOf, openMenu } from '../../../src/admin/console.pages.js';
import type { Frame } from '../../../src/admin/views/layout.js';
import { Config, parseConfig } from '../../../src/config/config.js';
import { GovernanceService } from '../../../src/governance/governance.service.js';
import { Ledger } from '../../../src/governance/ledger/ledger.js';
import { GOVERNANCE_PAGES } from '../../../src/governance/pages/governance.pages.js';
import { PROVIDERS } from '../../../src/governance/providers/provider-tools.controller.js';
import { WORK_PAGES } from '../../../src/work/work.pages.js';

const OFF = { domains: '', needsApprovals: false, ledger: null, providers: null };

/** The names of the menu of a server on which some features are used. */
async function namesOn(used: Partial<Record<keyof typeof OFF, unknown>>): Promise<string[]> {
  const { domains, needsApprovals, ledger, providers } = { ...OFF, ...used };
  const nest = await Test.createTestingModule({
    providers: [
      { provide: Config, useValue: parseConfig({ MCP_DOMAINS: String(domains) }) },
      { provide: GovernanceService, useValue: { needsApprovals } },
      { provide: Ledger, useValue: ledger },
      { provide: PROVIDERS, useValue: providers },
    ],
  }).compile();
  return menuOf([GOVERNANCE_PAGES, WORK_PAGES], nest.get(ModuleRef)).map(({ name }) => name);
}

const ALWAYS = ['Retrievals', 'Policy', 'Index', 'Tools', 'Settings'];

describe('menuOf', () => {
  it('has no pages of features that are off', async () => {
    expect(await namesOn({})).toEqual(ALWAYS);
    expect(openMenu([GOVERNANCE_PAGES, WORK_PAGES]).map(({ name }) => name)).toEqual(ALWAYS);
  });

  it.each([
    [{ needsApprovals: true }, 'Approvals'],
    [{ ledger: {} }, 'Runs'],
    [{ providers: {} }, 'Providers'],
    [{ domains: 'claim' }, 'Claims'],
    [{ domains: 'knowledge' }, 'Corpora'],
    [{ domains: 'substrate' }, 'Pointers'],
  ])('has the page of a feature that is on: %j', async (on, page) => {
    const names = await namesOn(on);
    expect(names).toContain(page);
    expect(names.filter((name) => name !== page)).toEqual(ALWAYS);
  });
});

describe('consoleFrame', () => {
  it('has a menu of parts that are made after it', async () => {
    const nest = await Test.createTestingModule({
      providers: [
        {
          provide: 'FRAME',
          inject: [ModuleRef],
          useFactory: (app: ModuleRef) => consoleFrame([GOVERNANCE_PAGES], app, false),
        },
        { provide: Config, useValue: parseConfig({}) },
        { provide: Ledger, useValue: null },
        { provide: PROVIDERS, useValue: null },
        { provide: GovernanceService, inject: ['FRAME'], useFactory: () => ({ needsApprovals: true }) },
      ],
    }).compile();
    const { menu } = nest.get<Frame>('FRAME');
    expect(menu.map(({ name }) => name)).toContain('Approvals');
  });
});
