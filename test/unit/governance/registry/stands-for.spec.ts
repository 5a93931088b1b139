import { NO_GOVERNANCE } from '../../../../src/governance/agents/governance-file.js';
import { registerTool } from '../../../../src/governance/registry/registered-tool.js';
import { isLegacy } from '../../../../src/mcp/define-tool.js';
import { toolDefinitions } from '../../../support/all-tools.js';

const definitions = toolDefinitions();
const tools = definitions.map((definition) => registerTool(definition, NO_GOVERNANCE));
const older = definitions.filter(isLegacy).map(({ name }) => name);

/** The fields of every object in a schema. */
function objectsIn(node: unknown): string[][] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(objectsIn);
  const fields: unknown = Object(node)['properties'];
  return typeof fields === 'object' && fields !== null ? [Object.keys(fields), ...inner] : inner;
}

const OF_PAGES = ['number', 'partial', 'limit_reason', 'next_cursor', 'skipped', 'hint'];
/** The objects that a tool returns, by their fields; small ones say little. */
const itemsOf = ({ outputSchema }: { readonly outputSchema: object | null }): string[][] =>
  objectsIn(outputSchema)
    .map((fields) => fields.filter((field) => !OF_PAGES.includes(field)))
    .filter(({ length }) => length >= 3);
const holds = (
  { outputSchema }: { readonly outputSchema: object | null },
  item: readonly string[],
): boolean => objectsIn(outputSchema).some((fields) => item.every((field) => fields.includes(field)));

/** Objects of several tools that are not the content of one of them, and what they are. */
const COMMON: Readonly<Record<string, string>> = {
  'answerable,quotes,sources,passage_uri,parts_without_evidence,diagnostic_id,diagnostic_hint,degraded,debug':
    'of another index',
  'claim_id,statement,state,evidence_added_after_decision,created_by,created_at,evidence_total,evidence':
    'names a claim',
  'id,title,url': 'names the document that is fetched',
  'id,label,title,level,tokens,doc_tag,anchor,sections,distance,snippet': 'a node; the tools find others',
  'name,description,folder,manifest_sha256,pointer,documents,sections,created_by,created_at':
    'what was just made',
  'name,documents,sections': 'counts',
  'name,title,version,safety,provider': 'one entry of a list',
  'name,version,hash,description,registered_by,registered_at': 'one entry of a list',
  'namespace,name,type,description,manifest_sha256,version,moved_at': 'one entry of a list',
  'namespace,name,version': 'a name',
  'old_text,new_text,only_white_space': 'of quotes that are sent',
  'passage_id,excerpt,start_char,end_char,truncated,next_start_char,citation': 'the passage that is widened',
  'passage_id,section_id,doc_tag,title,rank,score,source,preview,scratch_uri,size_bytes,anchor,scores':
    'index.search is another name',
  'path,title,origin,flags': 'names a document that is sent',
  'quote,passage_id,section_id,confidence,start_char': 'of passages that are sent, or of another index',
  'results,session_id,diagnostic_id,diagnostic_hint,degraded,debug': 'index.search is another name',
  'run_id,run_type,name,status,created_at,started_at,ended_at,checkpoint_version,principal':
    'one entry of a list',
  'section_id,doc_tag,title,uri': 'names a section',
  'section_id,start_char,end_char,path': 'a place',
  'section_id,title,doc_tag,url': 'names a section',
  'sha256,parent_sha256,message,entry_count,created_by,created_at': 'names a manifest',
};

describe('the tools of this server', () => {
  it('stand for every tool that reads what they return', () => {
    const current = tools.filter(({ name }) => !older.includes(name));
    const readers = current.filter(({ safety }) => safety === 'read');
    const open = readers.flatMap((read) =>
      current
        .filter(({ name, standsFor }) => name !== read.name && !standsFor.includes(read.name))
        .flatMap((tool) =>
          itemsOf(read)
            .filter((item) => holds(tool, item) && !(item.join() in COMMON))
            .map((item) => `${tool.name} returns ${item.join()} of ${read.name}`),
        ),
    );
    expect(open).toEqual([]);
  });
});
