import { mayBeDocument } from '../../../../src/ingest/conversion/formats.js';
import { recognise } from '../../../../src/ingest/conversion/recognise.js';

const recognised = (path: string, text: string): string | null => {
  const bytes = Buffer.from(text);
  return recognise(path, (count) => bytes.subarray(0, count));
};

describe('recognise', () => {
  it.each([
    ['a.yaml', '# The API\n---\nopenapi: 3.0.0\n'],
    ['a.yml', 'swagger: "2.0"\n'],
    ['a.YAML', 'info:\n  title: A\nasyncapi: 2.6.0\n'],
    ['a.json', '{"openapi": "3.1.0"}'],
    ['a.json', `{"components": {"schemas": {"a": [{"x": "${'y'.repeat(100_000)}"}]}}, "openapi": "3.0.3"`],
    ['a.yaml', '{"info": {"title": "\\"}"}, "openapi": "3.0.3"}'],
    ['a.json', '{"$id": "a", "$schema": "http://json-schema.org/draft-07/schema#"}'],
    ['a.json', '{"title": "A", "type": "object", "$schema": "https://json-schema.org/draft/2020-12/schema"}'],
    ['berth.schema.json', '{"title": "Berth", "type": "object"}'],
    ['berth.json-schema', '{"$defs": {}}'],
    ['berth.schema.yaml', '# A\nproperties:\n  x: {}\n'],
  ])('finds a description of an API or of data in %s that begins with %.30s', (path, text) => {
    expect(recognised(path, text)).toBe('api');
  });

  it.each([
    ['package.json', '{"name": "a", "openapi": "3.0.0"}'],
    ['a.json', '{"info": {"openapi": "3.0.0"}}'],
    ['a.json', '[{"openapi": "3.0.0"}]'],
    ['a.json', '{"$schema": "https://json.schemastore.org/tsconfig"}'],
    ['a.json', '{"title": "openapi", "x": "3.0.0"}'],
    ['a.yaml', 'version: 2\nopenapi: 3.0.0\n'],
    ['a.yaml', 'info:\n  openapi: 3.0.0\n'],
    ['a.yaml', 'openapi: yes\n'],
    ['a.yaml', '- openapi: 3.0.0\n'],
    ['a.txt', 'openapi: 3.0.0\n'],
    ['a.json', ''],
    ['a.json', '{"type": "FeatureCollection", "features": []}'],
    ['graph.schema.json', '{"data": {"__schema": {"types": []}}}'],
  ])('finds none in %s that begins with %.30s', (path, text) => {
    expect(recognised(path, text)).toBeNull();
  });

  it.each([
    ['git.1', '.\\" A page\n.TH GIT 1\n', 'man'],
    ['perl.3pm', `'\\" t\n${'.de A\n..\n'.repeat(900)}.TH PERL 3pm\n`, 'man'],
    ['moor.8', '.Dd March 4, 2025\n.Dt MOOR 8\n', 'man'],
    ['release-1.2', 'Some text\n', null],
    ['a.9', '.TH A 9\n', null],
    ['a.3', '.so man3/b.3\n', null],
    ['a.xml', '<?xml version="1.0"?><!-- <a> --><article xmlns="http://docbook.org/ns/docbook">', 'markup'],
    [
      'a.xml',
      `<!DOCTYPE book [<!ENTITY a "<b>x</b>"><!ENTITY c '<d>'>]><book version="5.0"><title>`,
      'markup',
    ],
    ['a.xml', '\uFEFF<article><title>A</title>', 'markup'],
    ['a.xml', '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">', 'markup'],
    ['a.dita', '<concept id="a"><title>A</title>', 'markup'],
    ['pom.xml', '<project><title>A</title>', null],
    ['a.xml', '<article><name>A</name>', null],
  ])('takes %s that begins with %.20j for %s', (path, text, format) => {
    expect(recognised(path, text)).toBe(format);
  });

  it('takes a document in UTF-16 for what it is', () => {
    const bytes = Buffer.from('\uFEFF<article><title>A</title>', 'utf16le');
    expect(recognise('a.xml', (count) => bytes.subarray(0, count))).toBe('markup');
  });

  it('reads a few kilobytes of an ordinary file', () => {
    const counts: number[] = [];
    const text = Buffer.from(`{"name": "a", "list": [${'1,'.repeat(10_000)}0]}`);
    recognise('a.json', (count) => {
      counts.push(count);
      return text.subarray(0, count);
    });
    expect(counts).toEqual([4096]);
  });
});

describe('mayBeDocument', () => {
  it.each([
    ['a.md', true],
    ['a.docx', true],
    ['a.json', true],
    ['a.png', false],
  ])('answers %s with %s', (path, answer) => {
    expect(mayBeDocument(path)).toBe(answer);
  });
});
