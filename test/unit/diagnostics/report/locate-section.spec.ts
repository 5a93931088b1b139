import { locateSection, whyCommand } from '../../../../src/diagnostics/report/locate-section.js';
import { STORIES } from '../../../support/retrieval-stories.js';

describe('locateSection', () => {
  it('finds a returned section with its place and rank', () => {
    const id = 'reference/7.5/Microsoft.PowerShell.Core/Enable-ExperimentalFeature.md#examples';
    expect(locateSection(STORIES.unlikely, id)).toEqual({ where: 'returned', place: 3, rank: 3 });
  });

  it('finds a left-out section with its fate and the section listed instead', () => {
    const id = 'reference/7.4/Microsoft.PowerShell.Core/About/about_Feedback_Providers.md#long-description';
    expect(locateSection(STORIES.unlikely, id)).toEqual({
      where: 'left_out',
      rank: 4,
      fate: 'near_duplicate',
      instead: 'reference/7.5/Microsoft.PowerShell.Core/About/about_Feedback_Providers.md#long-description',
    });
  });

  it('finds a section dropped before the list was made, if matches were recorded', () => {
    expect(locateSection(STORIES.cut, 'guide.md#install')).toEqual({
      ...{ where: 'dropped', rank: 2, fate: 'same_document', instead: null },
    });
  });

  it('reports any other section as unknown', () => {
    expect(locateSection(STORIES.cut, 'guide.md#INSTALL')).toEqual({ where: 'unknown' });
  });
});

describe('whyCommand', () => {
  it('quotes any id for the shell', () => {
    expect(whyCommand(STORIES.good, "a'; rm -rf /; '.md")).toBe(
      "pith diagnostics why --id 00000005-0000-4000-8000-000000000000 --query 'THE QUESTION' -- 'a'\\''; rm -rf /; '\\''.md'",
    );
  });
});
