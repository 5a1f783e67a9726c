import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PolicyBody } from '../../contract/alert-channels.ts';
import { processorMs } from '../../lib/processor-time.fixture.ts';
import { labelFingerprint, labelsText } from './fingerprint.ts';
import { createMatching } from './matchers.ts';
import { compilePolicy, alertGroupKey, groupLabels, withPolicyDefaults } from './policy.ts';
import { meetsThreshold, reduceSeries } from './reduce.ts';
import { checkTemplate, expandTemplate } from './template.ts';

const compile = createMatching();
const policy = (body: PolicyBody) => compilePolicy(withPolicyDefaults(body), compile);
const is = (name: string, value: string, op: '=' | '!=' | '=~' | '!~' = '=') => ({ name, op, value });

describe('a matcher', () => {
  it('compares whole values; an absent label is empty', () => {
    const labels = { team: 'shop', env: 'prod-eu' };
    expect(compile([is('team', 'shop'), is('env', 'prod.*', '=~'), is('zone', '')])(labels)).toBe(true);
    expect(compile([is('env', 'prod', '=~')])(labels)).toBe(false);
    expect(compile([is('env', 'prod', '!~'), is('team', 'x', '!=')])(labels)).toBe(true);
  });
  it('refuses what is no expression of RE2', () => {
    expect(() => compile([is('a', '(', '=~')])).toThrowError(/RE2/);
    expect(() => compile([is('a', '(?=x)', '=~')])).toThrowError(/RE2/);
  });
  it('answers in linear time', () => {
    expect(processorMs(() => compile([is('a', '(a*)*b', '=~')])({ a: 'a'.repeat(5000) }))).toBeLessThan(500);
  });
});

describe('the policy', () => {
  const tree = policy({
    channels: ['chat'],
    groupBy: ['alertname'],
    routes: [
      {
        matchers: [is('severity', 'critical')],
        channels: ['page'],
        continue: true,
        routes: [{ matchers: [is('team', 'db')], channels: ['dba'], groupBy: ['...'] }],
      },
      { matchers: [is('severity', 'critical|error', '=~')], groupWaitSeconds: 0 },
    ],
  });
  const channelsOf = (labels: Record<string, string>) => tree.routesOf(labels).map(({ channels }) => channels.join());

  it('gives an alert to the deepest policy that matches, and goes on where it is told to', () => {
    expect(channelsOf({ severity: 'warning' })).toEqual(['chat']);
    expect(channelsOf({ severity: 'error' })).toEqual(['chat']);
    expect(channelsOf({ severity: 'critical' })).toEqual(['page', 'chat']);
    expect(channelsOf({ severity: 'critical', team: 'db' })).toEqual(['dba', 'chat']);
  });
  it('groups by labels, or each alert for itself', () => {
    const [dba, chat] = tree.routesOf({ alertname: 'A', severity: 'critical', team: 'db' });
    expect(alertGroupKey(chat as never, groupLabels(chat as never, { alertname: 'A', x: '1' }))).toBe(
      '{}/{severity=~"critical|error"}:{alertname="A"}',
    );
    expect(groupLabels(dba as never, { alertname: 'A', x: '1' })).toEqual({ alertname: 'A', x: '1' });
  });
  it('holds back what an inhibition says, where the equal labels are the same', () => {
    const { inhibitor } = policy({
      inhibitions: [{ source: [is('alertname', 'Site down')], target: [is('severity', 'warning')], equal: ['site'] }],
    });
    const firing = [
      { id: 's', labels: { alertname: 'Site down', site: 'a' } },
      { id: 'c', labels: { alertname: 'No worker answers' } },
    ];
    const inhibitedBy = inhibitor(firing);
    expect(inhibitedBy({ severity: 'warning', site: 'a' })).toEqual(['s']);
    expect(inhibitedBy({ severity: 'warning', site: 'b' })).toEqual([]);
    expect(inhibitedBy({ alertname: 'Worker down', worker_id: 'w' })).toEqual(['c']);
    expect(inhibitedBy({ alertname: 'No worker answers' })).toEqual([]);
  });
});

describe('a fingerprint', () => {
  it('is FNV-64a as Prometheus computes it', () => {
    expect(labelFingerprint({})).toBe('cbf29ce484222325');
    expect(labelFingerprint({ ä: '€' })).toMatch(/^[0-9a-f]{16}$/);
    // common/model: LabelSet{"name": "garland, briggs", "fear": "love is not enough"}
    expect(labelFingerprint({ name: 'garland, briggs', fear: 'love is not enough' })).toBe(
      BigInt('5799056148416392346').toString(16),
    );
  });
  it('depends on the set alone, not on its order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string(), { maxKeys: 6 }), (labels) => {
        const turned = Object.fromEntries(Object.entries(labels).reverse());
        expect(labelFingerprint(turned)).toBe(labelFingerprint(labels));
        expect(labelsText(turned)).toBe(labelsText(labels));
      }),
    );
  });
});

describe('a value', () => {
  it('is reduced', () => {
    expect(
      (['last', 'mean', 'min', 'max', 'sum', 'count'] as const).map((reducer) => reduceSeries(reducer, [4, 1, 4])),
    ).toEqual([4, 3, 1, 4, 9, 3]);
    expect(reduceSeries('last', [])).toBeNull();
    expect(reduceSeries('count', [])).toBe(0);
  });
  it('is held against its threshold', () => {
    expect(meetsThreshold({ op: 'within', value: 1, upper: 3 }, 3)).toBe(true);
    expect(meetsThreshold({ op: 'outside', value: 3, upper: 1 }, 3)).toBe(false);
    expect([
      meetsThreshold({ op: 'gt', value: 3 }, 3),
      meetsThreshold({ op: 'ge', value: 3 }, 3),
      meetsThreshold({ op: 'lt', value: 3 }, 3),
      meetsThreshold({ op: 'le', value: 3 }, 3),
    ]).toEqual([false, true, false, true]);
    expect(meetsThreshold({ op: 'lt', value: 3 }, null)).toBe(false);
    expect(meetsThreshold({ op: 'lt', value: 3 }, Number.NaN)).toBe(false);
  });
});

describe('a template', () => {
  it('fills in labels and values', () => {
    expect(
      expandTemplate('{{ $labels.job }} is at {{$value|percent}} ({{ $value }}), {{ $labels.none }}', {
        value: 0.123456789,
        labels: { job: 'a' },
      }),
    ).toBe('a is at 12.3% (0.123457), -');
    expect(expandTemplate('{{ $value | bytes }}', { value: 5 * 1024 ** 3 })).toBe('5 GiB');
  });
  it('is refused where it names what there is not', () => {
    expect(() => checkTemplate('{{ $lables.x }}', '/a', ['value'], ['labels'])).toThrowError(/unknown/);
    expect(() => checkTemplate('{{ x() }}', '/a', ['value'], ['labels'])).toThrowError(/unknown/);
    checkTemplate('{{ $labels.x }} {{ $value | round }}', '/a', ['value'], ['labels']);
  });
  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => void expandTemplate(`${a}{{${b}}}`, { value: 1, labels: {} })),
    );
  });
});
