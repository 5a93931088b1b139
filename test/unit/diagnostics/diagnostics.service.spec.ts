import { parseConfig } from '../../../src/config/config.js';
import { DiagnosticArchive } from '../../../src/diagnostics/archive/diagnostic-archive.js';
import { DiagnosticWriter } from '../../../src/diagnostics/archive/diagnostic-writer.js';
import { ScopedArchive } from '../../../src/diagnostics/archive/scoped-archive.js';
import { DiagnosticsService } from '../../../src/diagnostics/diagnostics.service.js';
import { aDiagnosticRecord } from '../../support/a-diagnostic.js';
import { aCall, aScope } from '../../support/builders.js';
import { NO_DOCUMENTS } from '../../support/hidden-pages.js';
import { testFolder } from '../../support/test-folder.js';

const folder = testFolder();
const ID = '00000000-0000-4000-8000-000000000009';

beforeAll(async () => {
  const writer = new DiagnosticWriter({ folder: folder.path, onFailure: () => undefined });
  writer.write(aDiagnosticRecord({ diagnostic_id: ID, scope: { project_id: '', environment: '' } }));
  await writer.flush();
});
afterAll(() => folder.remove());

describe('a diagnostic of a call that was refused before it had a scope', () => {
  const archive = new ScopedArchive(new DiagnosticArchive(folder.path), async () => aScope(), NO_DOCUMENTS);
  const { diagnostics, surface } = parseConfig({});
  const service = new DiagnosticsService(archive, diagnostics, surface);

  it('is read by an operator without a limit', async () => {
    const call = aCall({ caller: { scopeLimit: {} } });
    expect(await service.read(call, ID)).toMatchObject({ diagnostic_id: ID });
  });

  it.each([{ doc_tags: ['guide'] }, { groups: [] }, { groups: ['eng'] }])(
    'does not exist for an operator with the limit %j',
    async (scopeLimit) => {
      await expect(service.read(aCall({ caller: { scopeLimit } }), ID)).rejects.toMatchObject({
        reason: 'diagnostic_not_found',
      });
    },
  );
});
