import { type Cell, escapeHtml, paragraphHtml, tableHtml, tag } from '../html-text.js';
import { isJsonObject, type JsonObject, namedObjects, objects, textIn } from '../json-object.js';
import type { ApiFile } from './api-file.js';
import { code, header, PropertyTables } from './property-tables.js';

/** The title, version and description of an API, with its servers, tags and ways to sign in. */
export function aboutApi(file: ApiFile): string {
  const { root } = file;
  const info = isJsonObject(root['info']) ? root['info'] : {};
  const title = textIn(info['title']);
  const version = textIn(info['version']);
  return [
    title === '' ? '' : file.heading(1, title),
    version === '' ? '' : paragraphHtml(`Version: ${version}`),
    paragraphHtml(textIn(info['summary'])),
    file.description(info['description'], 1),
    personHtml('Contact', info['contact']),
    personHtml('License', info['license']),
    serversHtml(file),
    tagsHtml(file),
    securityHtml(file),
  ].join('');
}

function personHtml(label: string, value: unknown): string {
  const { name, url, email } = isJsonObject(value) ? value : {};
  const parts = [name, email, url].map(textIn).filter(Boolean);
  return parts.length > 0 ? paragraphHtml(`${label}: ${parts.join(', ')}`) : '';
}

function serversHtml(file: ApiFile): string {
  const { servers, host, basePath } = file.root;
  const listed = Array.isArray(servers)
    ? objects(servers)
    : namedObjects(servers).map(([, server]) => server);
  const tables = new PropertyTables(file);
  const items = listed.map((server) => {
    const { value } = file.resolve(server);
    const address = textIn(value['url']) || `${textIn(value['host'])}${textIn(value['pathname'])}`;
    const variables = namedObjects(value['variables']).map(
      ([name, variable]) => `<br>${code(name)}: ${tables.detailsHtml(variable)}`,
    );
    const texts = [value['title'], value['summary'], value['description']].map((text) => file.inCell(text));
    return `<li>${code(address)} ${texts.filter(Boolean).join(' ')}${variables.join('')}${taggedHtml(file, value)}</li>`;
  });
  const old = `${textIn(host)}${textIn(basePath)}`;
  if (old !== '') items.push(`<li>${code(old)}</li>`);
  return items.length > 0 ? `${tag('h2', 'Servers')}<ul>${items.join('\n')}</ul>\n` : '';
}

/** The tags of a part of AsyncAPI, which have descriptions there. */
export function taggedHtml(file: ApiFile, { tags }: JsonObject): string {
  const shown = objects(tags).map((one) => {
    const { name, description } = file.resolve(one).value;
    return `${code(textIn(name))}${description === undefined ? '' : `: ${file.inCell(description)}`}`;
  });
  return shown.length > 0 ? `<p>Tags: ${shown.join(' ')}</p>\n` : '';
}

function tagsHtml(file: ApiFile): string {
  const rows = objects(file.root['tags']).flatMap(({ name, description }): Cell[][] =>
    textIn(description) === ''
      ? []
      : [[{ content: escapeHtml(textIn(name)) }, { content: file.inCell(description) }]],
  );
  return rows.length > 0 ? tag('h2', 'Tags') + tableHtml([header('Tag', 'Description'), ...rows]) : '';
}

function securityHtml(file: ApiFile): string {
  const { components, securityDefinitions } = file.root;
  const schemes = isJsonObject(components) ? components['securitySchemes'] : securityDefinitions;
  const rows = namedObjects(schemes).map(([name, scheme]): Cell[] => {
    const { value } = file.resolve(scheme);
    const type = ['type', 'scheme', 'in', 'name', 'bearerFormat'].map((key) => textIn(value[key]));
    return [
      { content: code(name) },
      { content: escapeHtml(type.filter(Boolean).join(', ')) },
      { content: file.inCell(value['description']) + scopesHtml(value) },
    ];
  });
  return rows.length > 0
    ? tag('h2', 'Security') + tableHtml([header('Name', 'Type', 'Description'), ...rows])
    : '';
}

function scopesHtml(scheme: JsonObject): string {
  const flows = [scheme, ...namedObjects(scheme['flows']).map(([, flow]) => flow)];
  const scopes = flows.flatMap(({ scopes: of }) => (isJsonObject(of) ? Object.entries(of) : []));
  const shown = scopes.map(([name, text]) => `<br>${code(name)}: ${escapeHtml(textIn(text))}`);
  return [...new Set(shown)].join('');
}
