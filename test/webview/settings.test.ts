import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { parseTimes } from '../../src/webview/math/parseTimes';
import { TIMELINE_COMMANDS } from '../../src/webview/protocol/commands';
import { changed, markersText, parseMarkers, withMarker, without } from '../../src/webview/state/marker';
import { changedSettings, checkedSettings, initialSettings, SETTING_NAMES, SETTINGS } from '../../src/webview/state/settings';

declare const NKI_SCOPE_ROOT: string;

describe('webview/state settings', () => {
  it('have first values that pass their own checks', () => {
    for (const name of SETTING_NAMES) assert.ok(SETTINGS[name].check(initialSettings[name]), name);
  });

  it('take nothing from a link but what is right', () => {
    const any = fc.dictionary(fc.constantFrom(...SETTING_NAMES, '__proto__', 'other'), fc.jsonValue());
    fc.assert(
      fc.property(any, given => {
        for (const [name, value] of Object.entries(checkedSettings(given))) {
          assert.ok(Object.hasOwn(SETTINGS, name));
          assert.deepEqual(value, given[name]);
          assert.ok(SETTINGS[name as keyof typeof SETTINGS].check(value));
        }
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('keep only what was changed, and come back as they were', () => {
    const state = { ...initialSettings, colourBy: 'line', pinned: ['Sync'], rowScale: { Scalar: 2 }, barText: false } as const;
    const kept = JSON.parse(JSON.stringify(changedSettings(state)));
    assert.deepEqual(Object.keys(kept).sort(), ['barText', 'colourBy', 'pinned', 'rowScale']);
    assert.deepEqual({ ...initialSettings, ...checkedSettings(kept) }, state);
  });
});

describe('webview/markers', () => {
  it('stay in order of time, and never use a number twice', () => {
    const times = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 20 });
    fc.assert(
      fc.property(times, all => {
        let markers: ReturnType<typeof withMarker>['markers'] = [];
        for (const timeNs of all) ({ markers } = withMarker(markers, { timeNs }));
        assert.equal(new Set(markers.map(marker => marker.id)).size, all.length);
        for (let i = 1; i < markers.length; i++) assert.ok(markers[i].timeNs >= markers[i - 1].timeNs);
        assert.deepEqual(parseMarkers(markersText(markers)), markers);
        if (markers.length > 0) assert.equal(without(markers, markers[0].id).length, all.length - 1);
      }),
      { seed: 7 },
    );
    const { markers } = withMarker(withMarker([], { timeNs: 5 }).markers, { timeNs: 9 });
    assert.deepEqual(
      changed(markers, 1, { timeNs: 20 }).map(marker => marker.id),
      [2, 1],
    );
  });

  it('come from no file that is not theirs', () => {
    fc.assert(
      fc.property(fc.json(), text => {
        const parsed = parseMarkers(text);
        assert.ok(parsed === null || parsed.length === 0);
      }),
      { seed: 8 },
    );
    assert.equal(parseMarkers('{'), null);
  });
});

describe('webview/math times', () => {
  it('reads times with and without units, alone or from - to', () => {
    assert.deepEqual(parseTimes('12.5us'), { startNs: 12_500, endNs: null });
    assert.deepEqual(parseTimes('12us - 14.5 us'), { startNs: 12_000, endNs: 14_500 });
    assert.deepEqual(parseTimes('12 - 14 us'), { startNs: 12_000, endNs: 14_000 });
    assert.deepEqual(parseTimes('1 200..1 300'), { startNs: 1200, endNs: 1300 });
    for (const wrong of ['', 'soon', '5 - 4', '1.2.3', 'us', '12 kg']) assert.equal(parseTimes(wrong), null, wrong);
  });

  it('gives numbers or nothing, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        const times = parseTimes(text);
        assert.ok(times === null || (Number.isFinite(times.startNs) && (times.endNs === null || times.endNs > times.startNs)));
      }),
      { seed: 9, numRuns: 500 },
    );
  });
});

describe('timeline commands', () => {
  it('are all contributed, so that any key can be bound to each', () => {
    const { contributes } = JSON.parse(fs.readFileSync(path.join(NKI_SCOPE_ROOT, 'package.json'), 'utf8'));
    const named = (list: { command: string }[]) =>
      list.map(({ command }) => command).filter(command => command.startsWith('nkiScope.timeline.'));
    const expected = Object.keys(TIMELINE_COMMANDS).map(name => `nkiScope.timeline.${name}`);
    assert.deepEqual(named(contributes.commands), expected);
    assert.deepEqual(named(contributes.menus.commandPalette), expected);
  });
});
