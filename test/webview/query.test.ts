import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildModel } from '../../src/webview/data/model';
import { FIELDS } from '../../src/webview/search/fieldNames';
import { NUMBER_FIELDS, TEXT_FIELDS } from '../../src/webview/search/fields';
import { findEvents } from '../../src/webview/search/find';
import { parseQuery } from '../../src/webview/search/query';
import { syntheticProfile } from '../support/syntheticProfile';

const model = buildModel(syntheticProfile(200, 4));
const brief = (text: string) => parseQuery(text).map(term => [term.negated ? 'NOT' : '', term.kind, term.field]);

describe('webview/search query', () => {
  it('splits at AND and before fields, not inside quotes and slashes', () => {
    assert.deepEqual(brief('MATMUL'), [['', 'text', null]]);
    assert.deepEqual(brief('opcode:MATMUL AND line:12'), [
      ['', 'text', 'opcode'],
      ['', 'text', 'line'],
    ]);
    assert.deepEqual(brief('opcode:MATMUL duration>1us'), [
      ['', 'text', 'opcode'],
      ['', 'number', 'duration'],
    ]);
    assert.deepEqual(brief('NOT opcode:MATMUL'), [['NOT', 'text', 'opcode']]);
    assert.deepEqual(brief('a AND NOT b && c'), [
      ['', 'text', null],
      ['NOT', 'text', null],
      ['', 'text', null],
    ]);
    assert.deepEqual(brief('line:/a AND line:b/'), [['', 'text', 'line']]);
    assert.deepEqual(brief('operands:"x AND y"'), [['', 'text', 'operands']]);
  });

  it('takes what only looks like a field for text', () => {
    for (const text of ['S[8] (qSyncIO0)>=16', 'kernel.py:12', 'fp32_mode=LOW', 'a=b'])
      assert.deepEqual(brief(text), [['', 'text', null]], text);
  });

  it('says which fields there are when there is none of that name', () => {
    for (const text of ['opcod:MATMUL', 'opcode:MATMUL lin:3', 'speed>3', 'NOT queu:x'])
      assert.throws(() => parseQuery(text), /There is no field “(opcod|lin|speed|queu)”.*opcode, operands/, text);
    assert.deepEqual(brief('"opcod:MATMUL"'), [['', 'text', null]]);
  });

  it('looks for a bare text in file names only where no event has it otherwise', () => {
    const profile = syntheticProfile(200, 4);
    const files = profile.files.map(file => ({ ...file, path: `/kernels/matmul_1m.py` }));
    const named = buildModel({ ...profile, files });
    const found = (text: string) => [...findEvents(named, parseQuery(text))];
    assert.ok(found('MATMUL').length > 0 && found('MATMUL').length < named.events);
    assert.deepEqual(found('MATMUL'), found('opcode:MATMUL'));
    assert.equal(found('matmul_1m.py').length, named.events);
  });

  it('knows the names of Neuron’s viewers, and has each field it explains', () => {
    assert.deepEqual(brief('nki_source_location:/./'), [['', 'text', 'line']]);
    assert.deepEqual(brief('evt_wait_time>1ms'), [['', 'number', 'wait']]);
    for (const { names, number, example } of FIELDS) {
      assert.ok(Object.hasOwn(number ? NUMBER_FIELDS : TEXT_FIELDS, names[0]), names[0]);
      assert.equal(parseQuery(example)[0].field, names[0]);
      assert.doesNotThrow(() => findEvents(model, parseQuery(example)));
    }
  });

  it('either answers or throws a SyntaxError, whatever is typed', () => {
    const pieces = fc.constantFrom('opcode:', 'line:', 'duration>', ' AND ', 'NOT ', '/', '"', 'MATMUL', '12', 'us', '(', ' ', ':', '\\');
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map(list => list.join('')),
        ),
        text => {
          try {
            assert.ok(findEvents(model, parseQuery(text)).length <= model.events);
          } catch (error) {
            assert.ok(error instanceof SyntaxError, `${text}: ${error}`);
          }
        },
      ),
      { seed: 10, numRuns: 300 },
    );
  });

  it('a term and its opposite share all events between them', () => {
    for (const term of ['opcode:MATMUL', 'bytes>1', 'duration<300', 'tensor:out', 'loop:i=2']) {
      const [found, rest] = [term, `NOT ${term}`].map(text => findEvents(model, parseQuery(text)));
      assert.equal(found.length + rest.length, model.events, term);
    }
  });
});
